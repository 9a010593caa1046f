"""Random editions survive their catalogues; hostile uploads are refused in bounded time and little memory.

What rosters share with them, all faults of XML and archives, is in imports/test_import_hostile.py.
"""

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.stated import worded
from tests.kit.statements import RUN_AWAY, most_memory
from tests.validators import catalogue_writer as w
from tests.validators.edition_documents import catalogue_edition
from tests.validators.imports.rosters import LAUGHS, UNPRINTABLE
from validators.battle_mode.catalogues.files import MOST_BYTES, MOST_TAGS
from validators.battle_mode.catalogues.settling import settle
from validators.battle_mode.edition import DATA
from validators.battle_mode.edition_file import read_edition
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

MOST_MEMORY = 160 * 2**20
PRICED = w.tag("costs", w.tag("cost", name="Caps", typeId=w.CAPS, value="5.0"))
DTD = f'<?xml version="1.0"?><!DOCTYPE catalogue [<!ENTITY l0 "ha">{LAUGHS}]><catalogue name="&l9;"/>'.encode()


def with_catalogue(data: bytes, name: str = "x.cat") -> list[w.File]:
    return [*w.files(), (name, data)]


def catalogue(*inner: str) -> bytes:
    return w.tag("catalogue", *inner, id_="x", name="X", gameSystemId=w.SYSTEM_ID).encode()


def zipped_up(times: int) -> bytes:
    data = w.zipped(w.files()[1])
    for _ in range(times):
        data = w.zipped(("x.catz", data))
    return data


def link_to(target: str, number: int) -> str:
    return w.tag("entryLink", id_=f"link{number}{target}", name="G", targetId=target, type_="selectionEntryGroup")


def doubling_groups() -> bytes:
    """Groups that each hold the next one twice: two million paths for one model."""
    groups = [
        w.tag(
            "selectionEntryGroup",
            w.tag("entryLinks", *(link_to(f"g{n + 1}", k) for k in (1, 2))),
            id_=f"g{n}",
            name="G",
        )
        for n in range(22)
    ]
    last = w.tag("selectionEntryGroup", w.tag("selectionEntries", w.tag("selectionEntry", PRICED, id_="e", name="E")),
               id_="g22", name="G")  # fmt: skip
    model = w.tag("selectionEntry", w.tag("entryLinks", link_to("g0", 0)), PRICED, id_="m", name="M", type_="model")
    return catalogue(w.tag("selectionEntries", model), w.tag("sharedSelectionEntryGroups", *groups, last))


def models_by_groups() -> bytes:
    """400 models, each with a link to a group of 5,000 items."""
    models = [
        w.tag("selectionEntry", w.tag("entryLinks", link_to("g", n)), PRICED, id_=f"m{n}", name=f"M{n}", type_="model")
        for n in range(400)
    ]
    items = [w.tag("selectionEntry", id_=f"i{n}", name=f"I{n}") for n in range(5_000)]
    group = w.tag("selectionEntryGroup", w.tag("selectionEntries", *items), id_="g", name="G")
    return catalogue(w.tag("selectionEntries", *models), w.tag("sharedSelectionEntryGroups", group))


HOSTILE: dict[str, tuple[Callable[[], list[w.File]], str]] = {
    "billion laughs": (lambda: with_catalogue(DTD), "x.cat: it declares a document type or entities"),
    "90 files of 1 MB": (lambda: [("all.zip", w.zipped(*[(f"{n}.cat", b" " * 1_000_000) for n in range(90)]))],
                         "unpacks to more than"),
    "archives in archives": (lambda: [("x.catz", zipped_up(5))], "an archive in an archive in an archive"),
    "400 entries": (lambda: [("a.zip", w.zipped(*[(f"{n}.cat", b"") for n in range(400)]))], "more than 300 files"),
    "101 catalogues": (lambda: [(f"{n}.cat", b"") for n in range(101)], "more than 100 catalogues"),
    "9 MB": (lambda: with_catalogue(b" " * 9_000_000), f"more than {MOST_BYTES} bytes"),
    "many tags": (lambda: with_catalogue(catalogue("<cost/>" * 2 * MOST_TAGS)), f"more than {MOST_TAGS} tags"),
    "many tags in many files": (lambda: [*w.files(), *[(f"{n}.cat", catalogue("<cost/>" * 50_000)) for n in range(6)]],
                                f"more than {MOST_TAGS} tags"),
    "200 tags deep": (lambda: with_catalogue(catalogue("<selectionEntry>" * 200)), "nested too deeply"),
    "200 unknown tags deep": (lambda: with_catalogue(catalogue("<a>" * 200)), "nested too deeply"),
    "doubling groups": (lambda: with_catalogue(doubling_groups()), "too entangled"),
    "models by groups": (lambda: with_catalogue(models_by_groups()), "too entangled"),
    "a cut archive": (lambda: [("all.zip", w.zipped(*w.files())[:-40])], "all.zip: damaged"),
    "an odd name": (lambda: with_catalogue(b"", "a\x1b[31m\u202e\n.cat"), "a?[31m??.cat: ".replace("[", "?")),
}  # fmt: skip


def refused(uploaded: list[w.File]) -> str:
    with pytest.raises(UnreadableEdition) as refusal:
        pytest.fail(str(w.read(uploaded)))
    return str(refusal.value)


@pytest.mark.proves("attack 36", "attack 37", "F24", "ASVS 1.5.1", "ASVS 5.2.3")
def test_hostile_uploads_are_refused_in_bounded_time() -> None:
    for name, (make, words) in HOSTILE.items():
        uploaded = make()
        started = time.process_time()
        refusal = refused(uploaded)
        assert time.process_time() - started < RUN_AWAY, name
        assert words in refusal and len(refusal) < 400, name


@pytest.mark.proves("attack 36", "attack 37")
def test_hostile_uploads_take_little_memory() -> None:
    for name in ("90 files of 1 MB", "many tags in many files", "doubling groups"):
        assert most_memory(partial(refused, HOSTILE[name][0]())) < MOST_MEMORY, name


def test_other_files_of_a_repository_are_left_out() -> None:
    others = [*w.files(), ("index.xml", b"<dataIndex/>")]
    everything = w.zipped(*[(f"game-master/{name}", data) for name, data in others], ("__MACOSX/._x.cat", b"\0"))
    imported = w.read([("game-master.zip", everything)])
    assert imported.document == w.read(w.files()).document
    (note,) = imported.report.left_out
    assert (note.name, note.words) == ("index.xml", "neither a game system nor a catalogue")


def models_with(number: int, *inner: str) -> str:
    return w.tag("selectionEntries", *(
        w.tag("selectionEntry", w.tag("entryLinks", *inner), PRICED, id_=f"m{n}", name=f"M{n}", type_="model")
        for n in range(number)
    ))  # fmt: skip


def group(name: str, *entries: str, id_: str, hidden: str = "false") -> str:
    inner = w.tag("selectionEntryGroup", w.tag("selectionEntries", *entries), id_=id_, name=name, hidden=hidden)
    return w.tag("sharedSelectionEntryGroups", inner)


def entries(number: int, **more: str) -> list[str]:
    return [w.tag("selectionEntry", PRICED, id_=f"e{n}", name=f"E{n}", **more) for n in range(number)]


def linked(target: str) -> str:
    return w.tag("entryLink", id_=f"to-{target}", targetId=target)


def entry_with(*inner: str) -> str:
    return w.tag("sharedSelectionEntries", w.tag("selectionEntry", PRICED, *inner, id_="e", name="E"))


def built_in(number: int) -> list[str]:
    least = w.tag("constraints", w.tag("constraint", field="selections", scope="parent", type_="min", value="1"))
    return [w.tag("entryLink", least, id_=f"l{n}", targetId=f"e{n}") for n in range(number)]


ENTANGLED: dict[str, Callable[[], bytes]] = {
    "many models, many perks, one each": lambda: catalogue(
        models_with(1_500, linked("p")), group("Perks", *entries(5_000), id_="g"),
        group("Perks", w.tag("selectionEntry", PRICED, id_="one", name="One"), id_="p"),
    ),
    "a hidden group of many, linked by many": lambda: catalogue(
        models_with(1_500, linked("g")), group("G", *entries(5_000), id_="g", hidden="true")
    ),
    "an entry with many limits, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")), entry_with(w.tag("constraints", '<constraint type="max"/>' * 15_000))
    ),
    "an entry with many parts, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")), entry_with(w.tag("selectionEntries", '<selectionEntry name="P"/>' * 15_000))
    ),
    "many items that no model carries": lambda: catalogue(
        models_with(1), group("Equipment", *entries(5_000, hidden="true"), id_="g"),
        w.tag("forceEntries", "<forceEntry id='f'/>" * 5_000),
    ),
    "many parts built in, spelt alike": lambda: catalogue(
        models_with(400, *built_in(9)), group("Equipment", *entries(5_000), id_="g")
    ),
    "a cost with many modifiers, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")),
        entry_with(w.tag("modifiers", f'<modifier type="increment" field="{w.CAPS}" value="1"/>' * 15_000)),
    ),
    "links that are called otherwise": lambda: catalogue(
        models_with(1), w.tag("entryLinks", *(w.tag("entryLink", targetId="m0", name=f"T{n}") for n in range(5_000)))
    ),
}  # fmt: skip


def test_entangled_catalogues_are_read_in_bounded_time() -> None:
    for name, make in ENTANGLED.items():
        uploaded = with_catalogue(make())
        started = time.process_time()
        with suppress(UnreadableEdition):
            w.read(uploaded)
        assert time.process_time() - started < RUN_AWAY, name


def in_order(edition: w.Edition) -> w.Edition:
    """The edition without its head, with lists of items sorted: their order has no meaning."""
    shown = ("system", "id", "name", "date", "source", "notes", "partial", "game")
    copied = json.loads(json.dumps({key: edition[key] for key in edition if key not in shown}))
    copied["items"].sort(key=lambda group: (group["category"], group["kind"], group["takes_mod"]))
    for faction in copied["factions"]:
        for model in faction["models"]:
            model["may_carry"] = {kind: sorted(names) for kind, names in model.get("may_carry", {}).items()}
    assert isinstance(copied, dict)
    return copied


@given(shape=st.sampled_from(list(w.SHAPES)), dice=st.randoms(use_true_random=False))
def test_edition_survives_its_catalogues(shape: str, dice: Random) -> None:
    edition = catalogue_edition(dice)
    imported = w.read(w.packed(w.SHAPES[shape](edition, dice), dice), "2024-06-01", "made-up", "Made up")
    assert in_order(imported.document) == in_order(edition)
    assert read_edition(json.dumps(imported.document).encode()).file.heroic_caps == edition["heroic_caps"]
    assert imported.report.left_out == ()


def test_edition_of_2018_survives_its_catalogues() -> None:
    for shape in w.SHAPES:
        edition = json.loads((DATA / "edition_2018_08.json").read_text(encoding="utf-8"))
        for faction in edition["factions"]:
            faction["fielded"] = True
        imported = w.read(w.SHAPES[shape](edition, None))
        assert in_order(imported.document) == in_order(edition | {"aliases": {}, "disputed": []}), shape
        assert imported.report.left_out == (), shape
        doubtful = {note.name for note in imported.report.doubts}
        assert {"Sole Survivor", "Dogmeat", "Refreshing Beverage"} <= doubtful, shape


VALUES = [
    "", "0", "1.0", "-1", "nan", "1e999", "9" * 400, "true", "false", "model", "unit", "upgrade", "selectionEntryGroup",
    "hidden", "selections", "parent", "force", "self", "ancestor", "instanceOf", "or", "and", "Heroic", "leader",
    "Equipment", "zU X", "x" * 90, "\u202e", "&#10;", w.SYSTEM_ID, w.CAPS, w.BATTLE, w.NARRATIVE, w.EQUIPMENT, w.MODS,
]  # fmt: skip


def check_reading(uploaded: list[w.File]) -> None:
    try:
        imported = w.read(uploaded)
    except UnreadableEdition as refusal:
        assert refusal.faults
        assert all(0 < len(fault) < 400 and not UNPRINTABLE & set(fault) for fault in map(str, refusal.faults))
        return
    report = imported.report
    edition = read_edition(json.dumps(imported.document, allow_nan=False).encode())
    assert any(faction.models for faction in edition.factions.values())
    for place in range(3):
        answers = {question.id: question.answers[place % len(question.answers)][0] for question in report.questions}
        settled = settle(imported.document, report.answered(answers))
        read_edition(json.dumps(settled, allow_nan=False).encode())
    listed = [f"{note.name}: {note.words} {note.place}" for note in (*report.left_out, *report.doubts)]
    listed += map(worded, report.readings)
    assert all(text.strip() and len(text) < 800 and not UNPRINTABLE & set(text) for text in listed)


def test_encoding_that_cannot_be_printed_is_refused_in_words() -> None:
    (name, data), *others = w.files("2018")
    check_reading([(name, data.replace(b'encoding="UTF-8"', 'encoding="\u202e"'.encode(), 1)), *others])


@given(st.sampled_from(list(w.SHAPES)), st.randoms(use_true_random=False), st.integers(1, 9))
def test_damaged_catalogues_are_read_or_refused(shape: str, dice: Random, changes: int) -> None:
    """Attributes get odd values, and empty tags move; the files stay well-formed, so that they pass the parser."""
    texts = [data.decode() for _, data in w.files(shape)]
    every = [value for text in texts for value in re.findall('="([^"]*)"', text)]
    for _ in range(changes):
        source, target = (dice.randrange(len(texts)) for _ in range(2))
        values = [match.span(1) for match in re.finditer('="([^"]*)"', texts[target])]
        tags = [match.span() for match in re.finditer(r"<[a-zA-Z]+ [^<>]*/>", texts[source])]
        if not tags or dice.random() < 0.6:
            (start, end), put = dice.choice(values), dice.choice([*VALUES, dice.choice(every)])
        else:
            start, end = dice.choice(tags)
            put = texts[source][start:end]
            if dice.choice([True, False]):
                texts[source] = texts[source][:start] + texts[source][end:]
            opened = [match.end() for match in re.finditer(r"<[a-zA-Z]+( [^<>]*)?(?<!/)>", texts[target])]
            start = end = dice.choice(opened)
        texts[target] = texts[target][:start] + put + texts[target][end:]
    check_reading([(name, text.encode()) for (name, _), text in zip(w.files(shape), texts, strict=True)])
