"""``overseer pair`` and ``overseer verify``: rounds drawn, drawn again, each difference named, wishes kept private."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from events.tournament.pairing import certificate, redraw
from events.tournament.pairing.certificate import PairingsFile, Published
from events.tournament.pairing.files import DrawRequest, read_request
from events.tournament.pairing.history import Past, faults_in
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.request import Format, Request, drawn_round
from events.tournament.pairing.request import to_document as request_document
from events.tournament.pairing.seats import Levels, Pair, Rules, Seat
from events.tournament.pairing.tables import Room
from service.commands.pair import pair, verify
from tests.kit.fields import random_field

ROOT = Path(__file__).parents[2]
ISSUE: dict[str, Any] = {
    "round": 4,
    "seats": [
        {"id": "p1", "points": 6, "club": "Reds", "byes": 0, "floats": 0, "opponents": ["p2", "p9"], "tables": [3, 1]},
        {"id": "p2", "points": 6, "opponents": ["p1"]},
        {"id": "p3", "points": 6},
        {"id": "p7", "points": 6},
        {"id": "p9", "byes": 1},
    ],
    "keep_apart": [["p3", "p7"]],
    "avoid_clubs": "first_round",
}


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(pair, arguments, input=given)


def written(folder: Path, text: str, name: str = "round.json") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_round_is_printed_as_json(tmp_path: Path) -> None:
    result = run(written(tmp_path, json.dumps(ISSUE, indent=1)), "--seed", "9", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    for text in ("\n" + json.dumps(ISSUE, indent=2), "\ufeff" + json.dumps(ISSUE)):
        assert run("-", "--json", "--seed", "9", given=text.encode()).stdout == result.stdout
    document = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    bye = document["bye"]
    assert bye in {"p1", "p2", "p3", "p7"}
    assert sorted([*document["pairs"][0], *document["pairs"][1], bye]) == ["p1", "p2", "p3", "p7", "p9"]
    assert document["levels"] == asdict(Levels(bye_height=1, distance=1))
    assert document["certificate"]["proven"] is True
    down = document["pairs"][1]
    assert document["notes"] == [
        f"{down[0]} - {down[1]}: 6 against 0 points: an odd number (3) on 6 points or more",
        f"{bye}: bye: lowest group without an earlier bye (6 points)",
    ]
    assert (document["seed"], document["algorithm"]) == (9, "overseer-swiss/2")


def test_round_is_printed_as_text() -> None:
    result = run("-", given=json.dumps({"round": 1, "seats": [{"id": "Ann"}, {"id": "Bo"}, {"id": "Cy"}]}))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Round 1: 3 players, draw number 0"
    assert lines[2].split() == ["player", "points", "player", "points", "notes"]
    assert lines[4].endswith("(bye)           bye: lowest group without an earlier bye (0 points)")
    assert lines[6].startswith("rematches 0, second byes 0, bye height 0, distance 0, ")
    assert lines[7] == "proven best: minimum-weight perfect matching on the complete graph"


def test_json_lines_are_drawn_line_by_line(tmp_path: Path) -> None:
    text = "\n\n".join(json.dumps({"round": 1, "seats": [{"id": f"p{i}"} for i in range(n)]}) for n in (2, 0, 5))
    from_file = run(written(tmp_path, text + "\n", "all.jsonl"), "--json")
    assert [len(json.loads(line)["pairs"]) for line in from_file.stdout.splitlines()] == [1, 0, 2]
    assert run("-", "--json", given=text).stdout == from_file.stdout
    assert run("-", given=text).stdout.count("Round 1: ") == 3


def test_seed_comes_from_the_option_or_the_file_or_is_0() -> None:
    def drawn(document: dict[str, Any], *more: str) -> Any:
        return json.loads(run("-", "--json", *more, given=json.dumps(document)).stdout)

    field = {"round": 1, "seats": [{"id": f"p{i}"} for i in range(9)]}
    assert drawn(field | {"seed": 5}) == drawn(field, "--seed", "5") != drawn(field, "--seed", "6")
    assert drawn(field | {"seed": 5}, "--seed", "6") == drawn(field, "--seed", "6")
    assert drawn(field) == drawn(field, "--seed", "0")


@given(seed=st.integers(0, 10**6), method=st.sampled_from(["random", "standing", "fold"]))
def test_written_request_is_read_back_unchanged(seed: int, method: Any) -> None:
    field = random_field(seed, 1, 12)
    rules = replace(
        field.rules, method=method, off=("repeat_floats",), banned=("rematches",), locked=(("x", None), ("y", "z"))
    )
    seats = tuple(replace(s, rank=7, scenarios=("raiders",), fixed_table=4, tables=(1, 1)) for s in field.seats)
    room = Room((4, 2), top_first=False, scenarios=("raiders", "outpost"))
    asked = Request(field.round_number, seats, seed, rules, room, Format("round_robin", ("x", "y"), "lot", (("x",),)))
    assert read_request(json.dumps(request_document(asked)).encode()) == asked


def seat(**more: object) -> str:
    return json.dumps({"round": 1, "seats": [{"id": "a"}, {"id": "b", **more}]})


REFUSED = (
    ("{", "", "is not JSON"),
    ("[" * 100_000, "", "is not JSON"),
    ('{"seats":[]}', "round: ", "is missing"),
    ('{"round":1,"seats":[],"rounds":4}', "rounds: ", "is not a field of this file"),
    ('{"round":1,"seats":[],"keep_apart":[["a"]]}', "keep_apart[0][1]: ", "is missing"),
    ('{"round":1,"seats":[],"rules":{},"avoid_clubs":"never"}', "", "inside of rules or outside, not in both places"),
    ('{"round":1,"seats":[],"rules":{"off":["lots"]}}', "rules.off[0]: ", "'rematches', "),
    ('{"round":1,"seats":[{"id":"a"},{"id":"b"}],"room":{"tables":[1,1]}}', "", "a table is listed twice"),
    (seat(points=float("nan")), "seats[1].points: ", ""),
    (seat(points=10**400), "seats[1].points: ", ""),
    (seat(id="\x1b[2J"), "seats[1].id: ", "is not written in the form that it needs"),
    (seat(opponents=["b"]), "", "seat 'b' stands among its own opponents"),
    ('{"round":1,"seats":[{"id":"\\ud800"}]}', "", "is not JSON"),
)


def test_bad_input_is_refused_with_its_place() -> None:
    for text, place, words in REFUSED:
        result = run("-", "--json", given=text)
        assert (result.exit_code, result.stdout) == (2, ""), text[:80]
        assert result.stderr.startswith(f"standard input: {place}"), text[:80]
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


def test_bad_lines_empty_and_missing_files_are_refused(tmp_path: Path) -> None:
    good = json.dumps({"round": 1, "seats": []})
    file = written(tmp_path, f'{good}\n\n{{"round":1}}\n{good}\n[]\n', "all.jsonl")
    result = run(file, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{file}:3: seats: is missing\n{file}:5: is not an object\n"
    many = run("-", given=json.dumps({"round": 1, "seats": [{}] * 2000})).stderr
    assert (many.count("\n"), many.endswith("... and 1980 more\n")) == (21, True)
    empty = written(tmp_path, "\n", "none.jsonl")
    for bad, words in (
        (empty, f"{empty}: contains no draw\n"),
        (str(tmp_path / "missing.json"), f"{tmp_path}/missing.json: No such file or directory\n"),
        (str(tmp_path), f"{tmp_path}: Is a directory\n"),
    ):
        refused = run(bad)
        assert (refused.exit_code, refused.stderr) == (2, words)


@pytest.mark.slow
def test_commands_that_check_files_load_no_web_and_no_database() -> None:
    heavy = {"flask", "sqlalchemy", "sqlmodel", "wtforms", "alembic", "reportlab"}
    code = "import sys"
    for command, unwanted in (("pair", heavy | {"validators"}), ("roster", heavy)):
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
    assert results == ["equal", "unreadable", "different", "contradictory"]


def test_published_schemas_are_those_of_the_readers(document: Document) -> None:
    """Written by: python -c "import json; from events.tournament.pairing.certificate import reader;
    print(json.dumps(reader().model_json_schema(), indent=2, sort_keys=True))" > docs/pairings.schema.json
    and with DrawRequest of events.tournament.pairing.files in place of reader() for docs/draw.schema.json."""
    for name, shape, example in (("draw", DrawRequest, ISSUE), ("pairings", certificate.reader(), document)):
        schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text(encoding="utf-8"))
        assert schema == shape.model_json_schema(), name
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(example, schema)
