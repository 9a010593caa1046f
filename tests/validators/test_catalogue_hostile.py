"""Hostile uploads of catalogues: each is refused with a reason, in bounded time and little memory.

More of what bounded_files refuses is tried with rosters (imports/test_import_hostile.py).
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from tests.kit.bounds import RUN_AWAY, most_memory
from tests.validators.catalogue_writer import CAPS, SYSTEM_ID, File, tag, zipped
from tests.validators.imports.test_import_hostile import LAUGHS
from tests.validators.made_up_catalogues import files, read
from validators.battle_mode.catalogues.files import MOST_BYTES, MOST_TAGS
from validators.contract import UnreadableEdition

pytestmark = pytest.mark.slow

MOST_MEMORY = 160 * 2**20
DTD = f'<?xml version="1.0"?><!DOCTYPE catalogue [<!ENTITY l0 "ha">{LAUGHS}]><catalogue name="&l9;"/>'.encode()


def with_catalogue(data: bytes, name: str = "x.cat") -> list[File]:
    return [*files(), (name, data)]


def catalogue(*inner: str) -> bytes:
    return tag("catalogue", *inner, id_="x", name="X", gameSystemId=SYSTEM_ID).encode()


def bomb() -> bytes:
    """200 MB in 195 KB."""
    return zipped(("x.cat", b"\0" * 200_000_000))


def zipped_up(times: int) -> bytes:
    data = zipped(files()[1])
    for _ in range(times):
        data = zipped(("x.catz", data))
    return data


def many_small_bombs() -> bytes:
    """90 files of 1 MB each, every one within the bounds."""
    return zipped(*[(f"{n}.cat", b" " * 1_000_000) for n in range(90)])


def link_to(target: str, number: int) -> str:
    return tag("entryLink", id_=f"link{number}{target}", name="G", targetId=target, type_="selectionEntryGroup")


def doubling_groups() -> bytes:
    """Groups that each hold the next twice: two million ways down for one model."""
    groups = [
        tag("selectionEntryGroup", tag("entryLinks", *(link_to(f"g{n + 1}", k) for k in (1, 2))), id_=f"g{n}", name="G")
        for n in range(22)
    ]
    cost = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="5.0"))
    last = tag("selectionEntryGroup", tag("selectionEntries", tag("selectionEntry", cost, id_="e", name="E")),
               id_="g22", name="G")  # fmt: skip
    model = tag("selectionEntry", tag("entryLinks", link_to("g0", 0)), cost, id_="m", name="M", type_="model")
    return catalogue(tag("selectionEntries", model), tag("sharedSelectionEntryGroups", *groups, last))


def models_by_groups() -> bytes:
    """400 models, each with a link to a group of 5,000 items."""
    cost = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="5.0"))
    models = [
        tag("selectionEntry", tag("entryLinks", link_to("g", n)), cost, id_=f"m{n}", name=f"M{n}", type_="model")
        for n in range(400)
    ]
    items = [tag("selectionEntry", id_=f"i{n}", name=f"I{n}") for n in range(5_000)]
    group = tag("selectionEntryGroup", tag("selectionEntries", *items), id_="g", name="G")
    return catalogue(tag("selectionEntries", *models), tag("sharedSelectionEntryGroups", group))


HOSTILE: dict[str, tuple[Callable[[], list[File]], str]] = {
    "billion laughs": (lambda: with_catalogue(DTD), "x.cat: it declares a document type or entities"),
    "200 MB in 195 KB": (lambda: [("all.zip", bomb())], "all.zip: the archive: unpacks to more than"),
    "90 files of 1 MB": (lambda: [("all.zip", many_small_bombs())], "unpacks to more than"),
    "archives in archives": (lambda: [("x.catz", zipped_up(5))], "an archive in an archive in an archive"),
    "400 entries": (lambda: [("a.zip", zipped(*[(f"{n}.cat", b"") for n in range(400)]))], "more than 300 entries"),
    "101 catalogues": (lambda: [(f"{n}.cat", b"") for n in range(101)], "more than 100 catalogues"),
    "9 MB": (lambda: with_catalogue(b" " * 9_000_000), f"more than {MOST_BYTES} bytes"),
    "many tags": (lambda: with_catalogue(catalogue("<cost/>" * 2 * MOST_TAGS)), f"more than {MOST_TAGS} tags"),
    "many tags in many files": (lambda: [*files(), *[(f"{n}.cat", catalogue("<cost/>" * 50_000)) for n in range(6)]],
                                f"more than {MOST_TAGS} tags"),
    "200 tags deep": (lambda: with_catalogue(catalogue("<selectionEntry>" * 200)), "nested too deeply"),
    "200 unknown tags deep": (lambda: with_catalogue(catalogue("<a>" * 200)), "nested too deeply"),
    "100,000 tags deep": (lambda: with_catalogue(b"<catalogue>" * 100_000), "nested too deeply"),
    "a bomb of attributes": (lambda: with_catalogue(b"<catalogue " + b" ".join(b'a%d=""' % n for n in range(150_000))
                                                    + b"/>"), "a single tag of more than"),
    "doubling groups": (lambda: with_catalogue(doubling_groups()), "too entangled"),
    "models by groups": (lambda: with_catalogue(models_by_groups()), "too entangled"),
    "cut": (lambda: with_catalogue(files()[1][1][:700]), "x.cat: not well-formed XML at line"),
    "a cut archive": (lambda: [("all.zip", zipped(*files())[:-40])], "all.zip: the archive: damaged"),
    "a path upwards": (lambda: [("a.zip", zipped(("../../x.cat", b"")))], "the catalogue's path leads out"),
    "an odd name": (lambda: with_catalogue(b"", "a\x1b[31m\u202e\n.cat"), "a?[31m??.cat: ".replace("[", "?")),
}  # fmt: skip


def refused(uploaded: list[File]) -> str:
    with pytest.raises(UnreadableEdition) as refusal:
        pytest.fail(str(read(uploaded)))
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
    others = [("README.md", b"# Game"), *files(), ("index.xml", b"<dataIndex/>")]
    everything = zipped(*[(f"game-master/{name}", data) for name, data in others], ("__MACOSX/._x.cat", b"\0"))
    imported = read([("game-master.zip", everything)])
    assert imported.document == read(files()).document
    assert [f"{note.name}: {note.says}" for note in imported.report.left_out] == [
        "README.md: neither a game system nor a catalogue",
        "index.xml: neither a game system nor a catalogue",
    ]


PRICED = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="5.0"))


def models_with(number: int, *inner: str) -> str:
    return tag("selectionEntries", *(
        tag("selectionEntry", tag("entryLinks", *inner), PRICED, id_=f"m{n}", name=f"M{n}", type_="model")
        for n in range(number)
    ))  # fmt: skip


def group(name: str, *entries: str, id_: str, hidden: str = "false") -> str:
    inner = tag("selectionEntryGroup", tag("selectionEntries", *entries), id_=id_, name=name, hidden=hidden)
    return tag("sharedSelectionEntryGroups", inner)


def entries(number: int, **more: str) -> list[str]:
    return [tag("selectionEntry", PRICED, id_=f"e{n}", name=f"E{n}", **more) for n in range(number)]


def linked(target: str) -> str:
    """A link to an entry or a group, without a name of its own."""
    return tag("entryLink", id_=f"to-{target}", targetId=target)


def entry_with(*inner: str) -> str:
    return tag("sharedSelectionEntries", tag("selectionEntry", PRICED, *inner, id_="e", name="E"))


def built_in(number: int) -> list[str]:
    """Links to so many entries, each of which must be taken."""
    least = tag("constraints", tag("constraint", field="selections", scope="parent", type_="min", value="1"))
    return [tag("entryLink", least, id_=f"l{n}", targetId=f"e{n}") for n in range(number)]


ENTANGLED: dict[str, Callable[[], bytes]] = {
    "many models, many perks, one each": lambda: catalogue(
        models_with(1_500, linked("p")), group("Perks", *entries(5_000), id_="g"),
        group("Perks", tag("selectionEntry", PRICED, id_="one", name="One"), id_="p"),
    ),
    "a hidden group of many, linked by many": lambda: catalogue(
        models_with(1_500, linked("g")), group("G", *entries(5_000), id_="g", hidden="true")
    ),
    "an entry with many limits, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")), entry_with(tag("constraints", '<constraint type="max"/>' * 15_000))
    ),
    "an entry with many parts, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")), entry_with(tag("selectionEntries", '<selectionEntry name="P"/>' * 15_000))
    ),
    "many items that nobody carries": lambda: catalogue(
        models_with(1), group("Equipment", *entries(5_000, hidden="true"), id_="g"),
        tag("forceEntries", "<forceEntry id='f'/>" * 5_000),
    ),
    "many parts built in, spelt alike": lambda: catalogue(
        models_with(400, *built_in(9)), group("Equipment", *entries(5_000), id_="g")
    ),
    "a cost with many modifiers, linked by many": lambda: catalogue(
        models_with(1_500, linked("e")),
        entry_with(tag("modifiers", f'<modifier type="increment" field="{CAPS}" value="1"/>' * 15_000)),
    ),
    "links that are called otherwise": lambda: catalogue(
        models_with(1), tag("entryLinks", *(tag("entryLink", targetId="m0", name=f"Thing {n}") for n in range(5_000)))
    ),
}  # fmt: skip


def test_work_on_entangled_catalogues_grows_with_their_size_alone() -> None:
    for name, make in ENTANGLED.items():
        uploaded = with_catalogue(make())
        started = time.process_time()
        with suppress(UnreadableEdition):
            read(uploaded)
        assert time.process_time() - started < RUN_AWAY, name
