"""Writes an edition as BattleScribe catalogues in both published shapes; shares no code with the importer.

``dice`` choose between the ways in which catalogues say the same thing; without them the first way is taken.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from validators.battle_mode.catalogues.read import read_catalogues
from validators.editions import EditionNote, EditionReport, EditionTitle

Edition = dict[str, Any]
File = tuple[str, bytes]
SYSTEM_ID = "aa00-0000-0000-0001"
NARRATIVE = "aa00-0000-0000-0002"
BATTLE = "aa00-0000-0000-0003"
AI_MODE = "aa00-0000-0000-0004"
CAPS = "aa00-0000-0000-0005"
UNITS = "aa00-0000-0000-0006"
UNIQUE_UNITS = "aa00-0000-0000-0007"
UNITS_AI = "aa00-0000-0000-0008"
HEROIC = "aa00-0000-0000-0009"
EQUIPMENT, LEADER, PERKS, MODS = (f"bb00-0000-0000-000{n}" for n in range(4))
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def tag(name: str, /, *inner: str, **attributes: str) -> str:
    """One tag. ``id_`` and ``type_`` are the attributes id and type."""
    written = "".join(f" {key.rstrip('_')}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inner)}</{name}>\n" if inner else f"<{name}{written}/>\n"


def condition(scope: str, child: str, kind: str = "instanceOf") -> str:
    return tag("condition", field="selections", scope=scope, value="0.0", shared="true", childId=child, type_=kind)


def show(*conditions: str, groups: Iterable[str] = ()) -> str:
    inner = tag("conditions", *conditions) + tag("conditionGroups", *groups)
    return tag("modifiers", tag("modifier", "<repeats/>", inner, type_="set", field="hidden", value="false"))


def show_to(models: Iterable[str]) -> str:
    """As the catalogues of 2018 do: always in the narrative force, and to these models in the Battle Mode force."""
    listed = tag("conditionGroup", tag("conditions", *(condition("parent", m) for m in models), " "), type_="or")
    battle = tag("conditionGroup", tag("conditions", condition("force", BATTLE)), tag("conditionGroups", listed),
                 type_="and")  # fmt: skip
    either = tag("conditionGroup", tag("conditions", condition("force", NARRATIVE)), tag("conditionGroups", battle),
                 type_="or")  # fmt: skip
    return show(groups=[either])


def limit(kind: str, value: str = "1.0", scope: str = "parent") -> str:
    """The least ("min") or the most ("max") of something."""
    return tag("constraint", field="selections", scope=scope, value=value, type_=kind)


ONE_MOST = f"<constraints>{limit('max')}</constraints>"


class Writer:
    """Writes one edition in a random style; keeps the ids it has given."""

    def __init__(self, edition: Edition, dice: Random | None) -> None:
        self.edition = edition
        self.dice = dice
        self.type_id = self.one_of("typeId", "costTypeId")
        self.caps_name = self.one_of("Caps", " Caps")
        self.prefix = self.one_of("", "zU ", "zUU ")
        self.choice_type = self.one_of("upgrade", "model")
        """The type of an entry that holds the faces of one person: the published files have both."""
        self.hides_kinds = self.one_of("", "yes")
        """Whether the groups of the shared equipment are hidden as well, as they are in the published file."""
        self._ids: dict[tuple[str, str], str] = {}

    def one_of(self, *ways: str) -> str:
        return self.dice.choice(ways) if self.dice else ways[0]

    def id(self, sort: str, name: str) -> str:
        return self._ids.setdefault((sort, name), f"cc00-0000-0000-{len(self._ids):04x}")

    def any_id(self) -> str:
        """An id that nothing names."""
        return self.id("any", str(len(self._ids)))

    def cost(self, caps: int) -> str:
        value = {"name": self.caps_name, self.type_id: CAPS, "value": f"{caps}.0"}
        return tag("costs", tag("cost", **value))

    def entry(self, id_: str, name: str, caps: int, *inner: str, kind: str = "upgrade", hidden: bool = False) -> str:
        return tag("selectionEntry", "<profiles/><rules/><infoLinks/>", *inner, self.cost(caps), id_=id_, name=name,
                   hidden=str(hidden).lower(), collective="false", type_=kind)  # fmt: skip

    def link(self, name: str, target: str, *inner: str, kind: str = "selectionEntry", hidden: bool = False) -> str:
        return tag("entryLink", *inner, id_=self.any_id(), name=name, hidden=str(hidden).lower(), targetId=target,
                   type_=kind)  # fmt: skip

    def group(self, name: str, *inner: str, id_: str = "", hidden: bool = False) -> str:
        return tag("selectionEntryGroup", *inner, id_=id_ or self.any_id(), name=name, hidden=str(hidden).lower())

    def priced(self, name: str, table: dict[str, int], id_: str) -> str:
        entries = (self.entry(self.id(name, thing), thing, caps) for thing, caps in table.items())
        return self.group(name, tag("selectionEntries", *entries), id_=id_)

    def items(self) -> list[tuple[str, int, dict[str, Any]]]:
        return [(name, caps, group) for group in self.edition["items"] for name, caps in group["caps"].items()]

    def item(self, name: str, caps: int, group: dict[str, Any], *inner: str, hidden: bool) -> str:
        mods = self.link("Mods", MODS, kind="selectionEntryGroup") if group["takes_mod"] else ""
        links = tag("entryLinks", mods) if mods else ""
        return self.entry(self.id("item", name), name, caps, *inner, links, hidden=hidden)

    def sections(self, things: Iterable[tuple[dict[str, Any], str]], container: str, **kinds: str) -> str:
        """Things in the groups of their categories and kinds; ``kinds`` is added to a kind's own group."""
        tree: dict[str, dict[str, list[str]]] = {}
        for group, thing in things:
            tree.setdefault(group["category"], {}).setdefault(group["kind"], []).append(thing)
        return tag("selectionEntryGroups", *(
            self.group(category, tag("selectionEntryGroups", *(
                self.group(kind, kinds.get(kind, ""), tag(container, *inner), hidden=kind in kinds)
                for kind, inner in by_kind.items()
            )))
            for category, by_kind in tree.items()
        ))  # fmt: skip

    def carriers(self, item: str) -> list[str]:
        models = [model for faction in self.edition["factions"] for model in faction["models"]]
        able = [model for model in models if any(item in names for names in model.get("may_carry", {}).values())]
        return list(dict.fromkeys(self.id("model", json.dumps(model)) for model in able))

    def model(self, model: dict[str, Any], equipment: str, equipment_link: str, *, face: bool) -> str:
        links = [self.link(n, t, kind="selectionEntryGroup") for n, t in (("Leader", LEADER), ("Perks", PERKS))]
        if model.get("heroic"):
            links.append(self.link("Heroic", HEROIC))
        both = tag("constraints", limit("min"), limit("max"))
        built_in = [self.entry(self.any_id(), name, 0, both) for name in model.get("built_in", ())]
        constraints = ONE_MOST if model.get("unique") and not face else "<constraints/>"
        return self.entry(
            self.id("model", json.dumps(model)), model["name"], model["caps"], constraints,
            tag("selectionEntries", *built_in, " "), equipment, tag("entryLinks", *links, equipment_link), kind="model",
        )  # fmt: skip

    def people(self, faction: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """A faction's models by the root that they are chosen at: the person of several faces, or the model's name."""
        roots: dict[str, list[dict[str, Any]]] = {}
        for model in faction["models"]:
            roots.setdefault(model.get("unique") or model["name"], []).append(model)
        return roots

    def roots(self, write_model: Any) -> str:
        """The shared entries of all models, each once although several factions may field it."""
        done: dict[str, str] = {}
        for faction in self.edition["factions"]:
            for root, models in self.people(faction).items():
                id_ = self.root_id(root, models)
                if id_ not in done and self.is_choice(root, models):
                    faces = tag("selectionEntries", *(write_model(model, face=True) for model in models))
                    version = self.group("Version", tag("constraints", limit("max"), limit("min")), faces)
                    done[id_] = self.entry(id_, root, 0, ONE_MOST, tag("selectionEntryGroups", version),
                                           kind=self.choice_type)  # fmt: skip
                elif id_ not in done:
                    done[id_] = write_model(models[0], face=False)
        return "".join(done.values())

    def is_choice(self, root: str, models: list[dict[str, Any]]) -> bool:
        """Whether the entry holds several models to choose from, or is the model itself."""
        return len(models) > 1 or root != models[0]["name"]

    def root_id(self, root: str, models: list[dict[str, Any]]) -> str:
        """The id of that entry: models that are equal in all are one."""
        sort, what = ("root", models) if self.is_choice(root, models) else ("model", models[0])
        return self.id(sort, json.dumps(what))

    def faction_file(self, place: int, faction: dict[str, Any], *inner: str) -> File:
        """A faction's catalogue: links to its models, under their categories."""
        links = []
        for root, models in self.people(faction).items():
            category = UNIQUE_UNITS if models[0].get("unique") else UNITS
            in_category = tag("categoryLinks", tag("categoryLink", targetId=category, primary="true"))
            links.append(self.link(self.prefix + root, self.root_id(root, models), in_category))
        body = tag("catalogue", "<rules><rule name='x'><description>One.\nTwo.</description></rule></rules>\n",
                   tag("entryLinks", *links), *inner, id_=self.id("faction", faction["name"]), name=faction["name"],
                   revision="3", gameSystemId=SYSTEM_ID, gameSystemRevision="1",
                   xmlns="http://www.battlescribe.net/schema/catalogueSchema")  # fmt: skip
        return f"{place:02d}_faction.cat", (HEAD + body).encode()

    def system_file(self, *inner: str) -> File:
        categories = {UNITS: "Units", UNIQUE_UNITS: "Unique Units", UNITS_AI: "Units ai"}
        usual = "".join(tag("categoryLink", targetId=category) for category in (UNITS, UNIQUE_UNITS))
        forces = {NARRATIVE: ("Narrative Mode", usual), BATTLE: ("Battle Mode", usual),
                  AI_MODE: ("A.I Mode", tag("categoryLink", targetId=UNITS_AI))}  # fmt: skip
        body = tag(
            "gameSystem",
            tag("costTypes", tag("costType", id_=CAPS, name=self.caps_name, defaultCostLimit="-1.0")),
            tag("categoryEntries", *(tag("categoryEntry", id_=i, name=n) for i, n in categories.items())),
            tag("forceEntries", *(
                tag("forceEntry", tag("categoryLinks", held), id_=i, name=name) for i, (name, held) in forces.items()
            )),
            *inner,
            id_=SYSTEM_ID, name="Made-up Wastes", revision="7", battleScribeVersion="2.01",
            xmlns="http://www.battlescribe.net/schema/gameSystemSchema",
        )  # fmt: skip
        return "Made-up.gst", (HEAD + body).encode()

    def cards(self) -> list[str]:
        tables = {"Leader": ("leader_cards", LEADER), "Perks": ("perks", PERKS), "Mods": ("mods", MODS)}
        return [self.priced(name, self.edition[table], id_) for name, (table, id_) in tables.items()]


def in_the_shape_of_2018(edition: Edition, dice: Random | None = None) -> list[File]:
    """Everything in the game system: one shared Equipment, whose hidden items each list who may carry them."""
    w = Writer(edition, dice)

    def write_model(model: dict[str, Any], face: bool) -> str:
        return w.model(model, "", w.link("Equipment", EQUIPMENT, kind="selectionEntryGroup"), face=face)

    models = w.roots(write_model)
    hidden_kinds = {}
    if w.hides_kinds:
        for _, _, group in w.items():
            same = [name for name, _, other in w.items() if other["kind"] == group["kind"]]
            carriers = [model for name in same for model in w.carriers(name)]
            hidden_kinds[group["kind"]] = show_to(dict.fromkeys(carriers))
    things = [(g, w.item(name, caps, g, show_to(w.carriers(name)), hidden=True)) for name, caps, g in w.items()]
    equipment = w.group("Equipment", w.sections(things, "selectionEntries", **hidden_kinds), id_=EQUIPMENT)
    heroic = w.entry(HEROIC, "Heroic", edition["heroic_caps"])
    factions = [w.faction_file(n, faction) for n, faction in enumerate(edition["factions"])]
    shared = tag("sharedSelectionEntries", models, heroic)
    return [w.system_file(shared, tag("sharedSelectionEntryGroups", equipment, *w.cards())), *factions]


def in_the_shape_of_2020(edition: Edition, dice: Random | None = None) -> list[File]:
    """Items in the game system, models in a library; each model links what it may carry, by kind, in an Equipment of
    its own that only the Battle Mode force shows. The shared one, for the narrative force, holds everything.
    """
    w = Writer(edition, dice)
    groups = {name: group for name, _, group in w.items()}

    def write_model(model: dict[str, Any], face: bool) -> str:
        names = [name for names in model.get("may_carry", {}).values() for name in names]
        links = [(groups[name], w.link(name, w.id("item", name))) for name in names]
        own = w.group("Equipment", show(condition("force", BATTLE)), w.sections(links, "entryLinks"), hidden=True)
        narrative = w.link("Equipment", EQUIPMENT, show(condition("force", NARRATIVE)), kind="selectionEntryGroup",
                           hidden=True)  # fmt: skip
        return w.model(model, tag("selectionEntryGroups", own), narrative, face=face)

    everything = [(group, w.link(name, w.id("item", name))) for name, _, group in w.items()]
    items = [w.item(name, caps, group, hidden=False) for name, caps, group in w.items()]
    models = w.roots(write_model)
    library_id = w.id("library", "")
    library = tag("catalogue", tag("sharedSelectionEntries", models), id_=library_id, name="Library", library="true",
                  revision="1", gameSystemId=SYSTEM_ID, gameSystemRevision="1")  # fmt: skip
    linked = tag("catalogueLinks", tag("catalogueLink", id_=w.any_id(), name="Library", targetId=library_id,
                                       type_="catalogue", importRootEntries="true"))  # fmt: skip
    shared = tag("sharedSelectionEntries", *items, w.entry(HEROIC, "Heroic", edition["heroic_caps"]))
    equipment = w.group("Equipment", w.sections(everything, "entryLinks"), id_=EQUIPMENT)
    factions = [w.faction_file(n, faction, linked) for n, faction in enumerate(edition["factions"])]
    system = w.system_file(shared, tag("sharedSelectionEntryGroups", equipment, *w.cards()))
    return [system, ("Library.cat", (HEAD + library).encode()), *factions]


def zipped(*files: File, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return kept.getvalue()


def packed(files: list[File], dice: Random) -> list[File]:
    """The same files as they are, each zipped singly, in one zip, or zipped singly in one zip."""
    singly = [(name + "z", zipped((name, data))) for name, data in files]
    return dice.choice([files, singly, [("all.zip", zipped(*files))], [("all.zip", zipped(*singly))]])


EDITION: Edition = {
    "heroic_caps": 60,
    "factions": [
        {"name": "Marshals", "models": [
            {"name": "Iron Marshal", "caps": 90, "unique": "Iron Marshal", "heroic": True,
             "built_in": ["Tin Star"], "may_carry": {"Rifles": ["Long Carbine"], "Melee": ["Hooked Knife"]}},
            {"name": "Deputy", "caps": 40, "heroic": True, "may_carry": {"Rifles": ["Long Carbine"]}},
            {"name": "Hound", "caps": 70, "unique": "The Hound"},
            {"name": "Hound in Armour", "caps": 75, "unique": "The Hound"},
        ]},
        {"name": "Drifters", "models": [{"name": "Drifter", "caps": 30, "may_carry": {"Heavy": ["Pipe Cannon"]}}]},
    ],
    "items": [
        {"category": "Weapons", "kind": "Heavy", "heavy": True, "takes_mod": True, "caps": {"Pipe Cannon": 35}},
        {"category": "Weapons", "kind": "Rifles", "heavy": False, "takes_mod": True, "caps": {"Long Carbine": 12}},
        {"category": "Weapons", "kind": "Melee", "heavy": False, "takes_mod": False,
         "caps": {"Hooked Knife": 4, "Rusty Saw": 3}},
    ],
    "mods": {"Long Sight": 9}, "perks": {"Quick Hands": 10, "Thick Skin": 15}, "leader_cards": {"Sheriff": 35},
}  # fmt: skip
SHAPES = {"2018": in_the_shape_of_2018, "2020": in_the_shape_of_2020}


def files(shape: str = "2018") -> list[File]:
    return SHAPES[shape](EDITION)


def changed(old: str, new: str, shape: str = "2018", times: int = 1) -> list[File]:
    """The same with a text replaced, which must be in it."""
    made: list[File] = []
    left = times
    for name, text in ((name, data.decode()) for name, data in files(shape)):
        made.append((name, text.replace(old, new, left).encode()))
        left -= min(left, text.count(old))
    assert left < times, "the text to change is not in the files"
    return made


def everywhere(old: bytes, new: bytes, uploaded: list[File] | None = None) -> list[File]:
    return [(name, data.replace(old, new)) for name, data in uploaded or files()]


def first_with(text: str) -> list[File]:
    return [("Made-up.gst", text.encode()), *files()[1:]]


class CatalogueImport(NamedTuple):
    document: Edition
    report: EditionReport


def read(uploaded: list[File], date: str = "2024-06-01", id_: str = "", name: str = "") -> CatalogueImport:
    return CatalogueImport(*read_catalogues(uploaded, EditionTitle(id_, name, date)))


def models(imported: CatalogueImport) -> dict[str, dict[str, Any]]:
    return {model["name"]: model for faction in imported.document["factions"] for model in faction["models"]}


def items(imported: CatalogueImport) -> dict[str, int]:
    return {name: caps for group in imported.document["items"] for name, caps in group["caps"].items()}


def said(notes: tuple[EditionNote, ...], name: str, words: str) -> EditionNote:
    (found,) = [note for note in notes if note.name == name and words in note.words]
    return found


def line_of(uploaded: list[File], file: str, text: str) -> int:
    before, found, _ = dict(uploaded)[file].decode().partition(text)
    assert found
    return before.count("\n") + 1


def caps_of(value: str, **attributes: str) -> str:
    return tag("costs", tag("cost", name="Caps", typeId=CAPS, value=value, **attributes))


def entry(name: str, value: str, *inner: str, **attributes: str) -> str:
    """A priced entry that nothing else names."""
    return tag("selectionEntry", caps_of(value), *inner, id_="x1", name=name, **attributes)


def id_of(name: str, shape: str = "2018", behind: str = "") -> str:
    found = re.search(f'id="([^"]*)" name="{name}"{behind}', files(shape)[0][1].decode())
    assert found
    return found[1]


def first_catalogue_changed(old: str, new: str) -> list[File]:
    """The edition with the first such text of its first catalogue replaced."""
    (system, (name, data), *rest) = files()
    assert old.encode() in data
    return [system, (name, data.replace(old.encode(), new.encode(), 1)), *rest]


def root_entry(inner: str) -> list[File]:
    """The edition with an entry at the root of its first catalogue."""
    return first_catalogue_changed("<entryLinks>", f"<selectionEntries>{inner}</selectionEntries><entryLinks>")


SYSTEM_TEXT = files()[0][1].decode()
COMMON = (b'0007" primary', b'0006" primary')
DEPUTY_COSTS = f'name="Caps" typeId="{CAPS}" value="40.0"'
