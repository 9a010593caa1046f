"""``overseer verify``: rounds drawn again, each difference named, wishes kept private."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from events.tournament.pairing import certificate, redraw
from events.tournament.pairing.certificate import PairingsFile, Published
from events.tournament.pairing.history import Past, faults_in
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.request import Format, Request, drawn_round
from events.tournament.pairing.seats import Levels, Pair, Rules, Seat
from events.tournament.pairing.tables import Room
from service.commands.verify import verify

ROOT = Path(__file__).parents[2]


def written(folder: Path, text: str, name: str = "round.json") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.slow
def test_commands_that_check_files_load_no_web_and_no_database() -> None:
    heavy = {"flask", "sqlalchemy", "sqlmodel", "wtforms", "alembic", "reportlab"}
    code = "import sys"
    for command, unwanted in (("verify", heavy | {"validators"}), ("roster", heavy)):
        code += f"; import service.commands.{command}; print({unwanted} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\nset()\n"


Document = dict[str, Any]


def file_of(request: Request, published: Published | None = None) -> PairingsFile:
    drawn = drawn_round(request)
    return PairingsFile(
        format=certificate.FORMAT,
        event=certificate.AtEvent("iron-open", "Iron Open"),
        round=request.round,
        algorithm=drawn.algorithm,
        seed=request.seed,
        inputs=request,
        output=certificate.Output(drawn.pairs, drawn.bye, drawn.levels, drawn.certificate, drawn.notes, drawn.idle,
                      drawn.placement, drawn.stand_in),
        published=published,
        players=tuple(certificate.Named(seat.id, seat.id.upper()) for seat in request.seats),
    )  # fmt: skip


def five() -> Request:
    points = {"a": 12, "b": 9, "c": 6, "d": 3, "e": 0}
    return Request(3, tuple(Seat(id_, n, tables=(1,)) for id_, n in points.items()), 7, room=Room((1, 2, 3)))


@pytest.fixture
def document() -> Document:
    """The file of these five as JSON."""
    return certificate.certificate_document(file_of(five()))


def verified(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(verify, arguments, input=given)


def checked(document: Document) -> tuple[int, list[str]]:
    """The exit status and the differences that the command reports."""
    done = verified("-", "--json", given=json.dumps(document))
    return done.exit_code, json.loads(done.stdout).get("differences", [])


def test_every_format_is_drawn_again() -> None:
    order = tuple("abcde")
    for form in (Format("round_robin", order, "lot"), Format("knockout", order, "standings")):
        file = file_of(replace(five(), round=1, format=form))
        assert checked(certificate.certificate_document(file)) == (0, [])
        away = replace(file, output=replace(file.output, pairs=file.output.pairs[1:]))
        status, differences = checked(certificate.certificate_document(away))
        assert (status, "only drawn again" in differences[0]) == (1, True)
        said = verified("-", given=json.dumps(certificate.certificate_document(file))).stdout
        assert "; by the format’s fixed plan" in said


def changes(document: Document) -> Iterator[tuple[list[str], Document]]:
    """The document with one fault at a time, after the differences it causes."""

    def output(**changed: object) -> Document:
        return document | {"output": document["output"] | changed}

    one, two = document["output"]["pairs"]
    assert [(p["a"], p["b"], p["table"]) for p in (one, two)] == [("a", "b", 2), ("c", "d", 3)]
    levels, placement, certificate = (document["output"][name] for name in ("levels", "placement", "certificate"))
    yield ["pair A (a) and D (d): only in the file", "pair C (c) and B (b): only in the file",
           "pair A (a) and B (b): only drawn again",
           "pair C (c) and D (d): only drawn again"], output(pairs=[one | {"b": "d"}, two | {"b": "b"}])  # fmt: skip
    yield ["order: pair 1 is C (c) and D (d) in the file, A (a) and B (b) drawn again"], output(pairs=[two, one])
    yield ["table of A (a) and B (b): 9 in the file, 2 drawn again"], output(pairs=[one | {"table": 9}, two])
    yield [], output(pairs=[one | {"table": None}, two])
    yield ["bye: nobody in the file, E (e) drawn again"], output(bye=None)
    yield ["Rematches: 1 in the file, 0 drawn again"], output(levels=levels | {"rematches": 1})
    yield ["Tables again: 3 in the file, 0 drawn again"], output(placement=placement | {"table_repeats": 3})
    yield [], output(placement=None)
    yield (
        ["scenario of C (c) and D (d): raiders in the file, the round's drawn again"],
        output(pairs=[one, two | {"scenario": "raiders"}]),
    )
    unproven = certificate | {"proven": False}
    yield ["certificate: not proven in the file, proven drawn again"], output(certificate=unproven)
    yield ["pairs: a pair is listed more than once"], output(pairs=[one, two, one])


def test_every_difference_is_named(document: Document) -> None:
    for differences, changed in changes(document):
        assert checked(changed) == (int(bool(differences)), differences)


def test_changes_by_hand_are_reported_with_their_cost() -> None:
    asked = replace(five(), seats=tuple(replace(s, opponents=("d",) if s.id == "a" else ()) for s in five().seats))
    levels = Levels(rematches=1, distance=10, bye_height=0)
    pairs = (Pair("a", "d", table=2), Pair("c", "b", table=3))
    file = certificate.certificate_document(file_of(asked, Published(pairs, ("e",), levels)))
    done = verified("-", "--json", given=json.dumps(file))
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["result"]) == (0, "equal")
    assert [*answer["by_hand"][:2], *answer["by_hand"][4:]] == [
        "pair A (a) and D (d): only as published",
        "pair C (c) and B (b): only as published",
        "Rematches: 1 as published, 0 as drawn",
        "Apart in points: 10 as published, 2 as drawn",
    ]
    wrong = file_of(asked, Published(pairs, ("e",), Levels()))
    assert redraw.redrawn(wrong).differences == (
        "Rematches as published: 0 in the file, 1 counted",
        "Apart in points as published: 0 in the file, 10 counted",
    )
    stranger = file_of(asked, Published((Pair("a", "x"),), ("e",)))
    assert redraw.redrawn(stranger).differences == ("published: 'x' is paired but has no seat in this round",)
    other_bye = file_of(asked, Published((Pair("a", "b", table=2), Pair("e", "d", table=3)), ("c",)))
    by_hand = redraw.redrawn(other_bye).by_hand
    assert {"bye of C (c): only as published", "bye of E (e): only as drawn"} <= {*by_hand}


def test_manual_choices_before_the_draw_are_named() -> None:
    """The leader locked to the last, levels out of their order: no other pairing of the rest was better."""
    rules = Rules(
        method="standing", keep_apart=(("b", "d"),), off=("rematches",), banned=("repeat_floats",),
        locked=(("a", "e"), ("c", None)),
    )  # fmt: skip
    file = json.dumps(certificate.certificate_document(file_of(replace(five(), rules=rules))))
    assert json.loads(verified("-", "--json", given=file).stdout)["chosen"] == [
        "locked: A (a) and E (e)",
        "locked: the bye of C (c)",
        "switched off: Rematches",
        "before all other levels: Pair-downs of players paired down before",
        "pairs of equals: By standing: first against second, third against fourth",
        "kept apart, by a wish or to hide whose: B (b) and D (d)",
    ]
    text = verified("-", given=file).stdout
    assert "proven best for the rest only" in text
    assert "    Chosen by hand before the draw:\n    - locked: A (a) and E (e)\n" in text
    drawn = drawn_round(replace(five(), rules=rules))
    notes = {(pair.a, pair.b): pair.notes for pair in drawn.pairs}
    assert (notes["a", "e"][0], *drawn.notes) == (Note(NoteKind.LOCKED), Note(NoteKind.BYE_LOCKED))
    assert "nearest" not in str(notes)
    plain = verified("-", "--json", given=json.dumps(certificate.certificate_document(file_of(five()))))
    assert json.loads(plain.stdout)["chosen"] == []


def wishes(seed: int) -> Request:
    """A round in which some wishes bind and some do not."""
    dice = Random(seed)
    ids = [f"p{n}" for n in range(dice.randint(3, 14))]
    seats = tuple(Seat(i, dice.choice([0, 1, 3]), dice.choice(["", "Reds"]), byes=dice.choice([0, 1])) for i in ids)
    apart = {tuple(sorted(dice.sample(ids, 2))) for _ in range(dice.randint(1, 12))}
    rules = Rules("first_round", tuple((a, b) for a, b in apart))
    return Request(1, seats, seed, replace(rules, banned=("kept_apart",)) if seed % 2 else rules)


def test_valid_results_are_no_faults() -> None:
    """A ruling, and a game that a judge took from both; the control is a game of other points."""
    game = Past(1, "game", "p1", "p2", 3, 0, table=1)
    both_lost, fined = Past(1, "game", "p3", "p4", 0, 0, table=2), Past(1, "ruling", "p1", points_a=-3)
    assert list(faults_in([game, both_lost, fined], 2, str)) == []
    absent = Past(2, "no-show", "p1", "p2", 3, 0, free=("p1",))
    assert list(faults_in([game, absent], 3, str)) == []
    assert list(faults_in([game, replace(absent, free=("p1", "p2"))], 3, str)) == []
    (fault,) = faults_in([game, replace(absent, free=("p2",))], 3, str)
    assert str(fault) == "results: p1 and p2, round 2: it counts as a bye for p2"
    (fault,) = faults_in([game, replace(game, after=2, points_a=4), replace(game, after=3)], 4, str)
    assert str(fault) == "results: p1 and p2, round 2: 4 : 0, and other games give 3 : 0"


def test_files_hide_wishes_and_are_still_drawn_again() -> None:
    """The pairs kept apart in a file are found by drawing without any wish and naming the pairs that were not made."""
    empty = 0
    for seed in range(30):
        asked = wishes(seed)
        drawn = drawn_round(asked)
        public = certificate.discreet(asked, drawn)
        again = drawn_round(public)
        assert [(p.a, p.b, p.table) for p in again.pairs] == [(p.a, p.b, p.table) for p in drawn.pairs], seed
        assert again.bye == drawn.bye
        made = {frozenset((p.a, p.b)) for p in drawn.pairs}
        assert not made & {frozenset(two) for two in public.rules.keep_apart}, "a wish that was not granted is hidden"
        nonsense = replace(asked, rules=replace(asked.rules, keep_apart=(("no", "body"),) * 99))
        assert certificate.discreet(nonsense, drawn) == public, "the list depends on the drawn pairs alone"
        empty += not public.rules.keep_apart
    assert 3 < empty < 27, "wishes bind in some of these rounds and not in others"
    other_algorithm = replace(drawn_round(wishes(3)), algorithm="overseer-swiss/0")
    assert certificate.discreet(wishes(3), other_algorithm).rules.keep_apart == ()


@pytest.mark.slow
def test_files_hide_wishes_of_a_large_field() -> None:
    for seed in range(2):
        dice = Random(seed)
        seats = tuple(Seat(f"p{n}", dice.choice([0, 1, 3, 4, 9])) for n in range(150 + seed))
        plain = drawn_round(Request(2, seats, seed))
        apart = tuple((p.a, p.b) for p in plain.pairs[::7])
        asked = Request(2, seats, seed, Rules(keep_apart=apart))
        drawn = drawn_round(asked)
        public = certificate.discreet(asked, drawn)
        assert {(p.a, p.b) for p in drawn_round(public).pairs} == {(p.a, p.b) for p in drawn.pairs}, seed
        assert {frozenset(two) for two in public.rules.keep_apart} > {frozenset(two) for two in apart}, seed


UNREADABLE: tuple[tuple[Document, str], ...] = (
    ({"algorithm": "overseer-swiss/0"}, "algorithm: drawn by overseer-swiss/0, and this program draws such"),
    ({"format": "overseer-pairings/9"}, "format: is not 'overseer-pairings/1'"),
    ({"seed": 8}, "seed: 8 here, 7 in the inputs"),
    ({"round": 4}, "round: 4 here, 3 in the inputs"),
    ({"output": None}, "output: is not an object"),
    ({"event": {"slug": "x", "name": "\x1b[2J"}}, "event.name: is not written"),
    ({"inputs": {"round": 3, "seed": 7, "seats": [{"id": "a"}, {"id": "a"}]}}, "inputs: two seats have the id 'a'"),
    ({"inputs": {"round": 3, "seed": 7, "seats": [{}]}}, "inputs.seats[0].id: is missing"),
)  # fmt: skip


def test_unreadable_file_is_reported_with_the_reason(document: Document) -> None:
    for change, words in UNREADABLE:
        done = verified("-", given=json.dumps(document | change))
        assert (done.exit_code, done.stderr) == (2, "")
        first, fault, *_ = done.stdout.splitlines()
        assert first == "UNREADABLE  standard input"
        assert fault.strip().startswith(words)
    for data in (b"", b"{", b"[]", b"[" * 100_000, b"\xff\xfe", b"null", b'{"format": 1}'):
        done = verified("-", given=data)
        assert done.exit_code == 2
        assert done.stdout.startswith("UNREADABLE  standard input\n    ")


def test_each_file_is_reported_and_the_worst_status_returned(document: Document, tmp_path: Path) -> None:
    good = written(tmp_path, json.dumps(document), "good.json")
    document["output"]["pairs"][0]["table"] = 9
    bad = written(tmp_path, "\ufeff" + json.dumps(document), "bad.json")
    assert verified(good).exit_code == 0
    done = verified(good, bad)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0] == f"EQUAL  {good}"
    for words in ("DIFFERENT", "  ! table of ", "Iron Open (iron-open), round 3: 5 players, overseer-swiss/"):
        assert words in done.stdout
    done = verified(good, str(tmp_path / "none.json"), bad, "--json")
    assert done.exit_code == 2
    results = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert results == ["equal", "unreadable", "different"]


def test_published_schema_is_that_of_the_reader(document: Document) -> None:
    """Written by: python -c "import json; from events.tournament.pairing.certificate import reader;
    print(json.dumps(reader().model_json_schema(), indent=2, sort_keys=True))" > docs/pairings.schema.json"""
    schema = json.loads((ROOT / "docs" / "pairings.schema.json").read_text(encoding="utf-8"))
    assert schema == certificate.reader().model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
