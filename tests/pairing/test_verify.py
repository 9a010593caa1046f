"""Rounds drawn again from their files: equal, or the place where they are not; wishes that stay nobody's business."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from events.pairing.certificate import (
    FORMAT,
    AtEvent,
    Named,
    Output,
    PairingsFile,
    Published,
    discreet,
    reader,
    redrawn,
    to_document,
)
from events.pairing.request import Format, Request, drawn_round
from events.pairing.seats import Levels, Pair, Rules, Seat
from events.pairing.tables import Room
from service.commands.pair import verify
from tests.pairing.conftest import random_field

ROOT = Path(__file__).parents[2]
Document = dict[str, Any]


def file_of(request: Request, published: Published | None = None) -> PairingsFile:
    """The file of a round that was just drawn."""
    drawn = drawn_round(request)
    return PairingsFile(
        format=FORMAT,
        event=AtEvent("iron-open", "Iron Open"),
        round=request.round,
        algorithm=drawn.algorithm,
        seed=request.seed,
        inputs=request,
        output=Output(
            drawn.pairs,
            drawn.bye,
            drawn.levels,
            drawn.certificate,
            drawn.notes,
            drawn.idle,
            drawn.placement,
            drawn.stand_in,
        ),
        published=published,
        players=tuple(Named(seat.id, seat.id.upper()) for seat in request.seats),
    )


def five() -> Request:
    """Five players before round 3."""
    points = {"a": 12, "b": 9, "c": 6, "d": 3, "e": 0}
    return Request(3, tuple(Seat(id_, n, tables=(1,)) for id_, n in points.items()), 7, room=Room((1, 2, 3)))


@pytest.fixture
def document() -> Document:
    """The file of these five as JSON."""
    return to_document(file_of(five()))


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(verify, arguments, input=given)


def checked(document: Document) -> tuple[int, list[str]]:
    """The exit status, and the differences that the command tells."""
    done = run("-", "--json", given=json.dumps(document))
    return done.exit_code, json.loads(done.stdout).get("differences", [])


@pytest.mark.parametrize("seed", range(40))
def test_a_round_drawn_again_is_equal(seed: int) -> None:
    field = random_field(seed, 1, 12)
    assert checked(to_document(file_of(Request(field.round_number, field.seats, seed, field.rules)))) == (0, [])


@pytest.mark.parametrize(
    "form",
    [Format("meeting"), Format("round_robin", tuple("abcde"), "lot"), Format("knockout", tuple("abcde"), "standings")],
    ids=lambda form: form.kind,
)  # fmt: skip
def test_every_format_is_drawn_again(form: Format) -> None:
    file = file_of(replace(five(), round=1, format=form))
    assert checked(to_document(file)) == (0, [])
    away = replace(file, output=replace(file.output, pairs=file.output.pairs[1:]))
    status, told = checked(to_document(away))
    assert (status, "only drawn again" in told[0]) == (1, True)


def test_a_plan_is_not_called_proven_best(tmp_path: Path) -> None:
    path = tmp_path / "circle.json"
    path.write_text(
        json.dumps(to_document(file_of(replace(five(), round=1, format=Format("round_robin", tuple("abcde"))))))
    )
    assert "; circle method, round 1 of 5" in run(str(path)).stdout


def swap(document: Document) -> None:
    pairs = document["output"]["pairs"]
    pairs[0]["b"], pairs[1]["b"] = pairs[1]["b"], pairs[0]["b"]


def turn(document: Document) -> None:
    pairs = document["output"]["pairs"]
    pairs[0], pairs[1] = pairs[1], pairs[0]


def move(document: Document) -> None:
    document["output"]["pairs"][0]["table"] = 9


def no_table(document: Document) -> None:
    document["output"]["pairs"][0]["table"] = None


def other_bye(document: Document) -> None:
    document["output"]["bye"] = None


def better_levels(document: Document) -> None:
    document["output"]["levels"]["rematches"] = 1


def better_placing(document: Document) -> None:
    document["output"]["placement"]["table_repeats"] = 3


def no_placing(document: Document) -> None:
    document["output"]["placement"] = None


def scenario(document: Document) -> None:
    document["output"]["pairs"][1]["scenario"] = "raiders"


def unproven(document: Document) -> None:
    document["output"]["certificate"]["proven"] = False


def other_seed(document: Document) -> None:
    document["seed"] = document["inputs"]["seed"] = 8


def more_points(document: Document) -> None:
    next(seat for seat in document["inputs"]["seats"] if seat["id"] == "e")["points"] = 6


def twice(document: Document) -> None:
    document["output"]["pairs"].append(document["output"]["pairs"][0])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (swap, ["pair A (a) and D (d): only in the file", "pair C (c) and B (b): only in the file",
                "pair A (a) and B (b): only drawn again", "pair C (c) and D (d): only drawn again"]),
        (turn, ["order: pair 1 is C (c) and D (d) in the file, A (a) and B (b) drawn again"]),
        (move, ["table of A (a) and B (b): 9 in the file, 2 drawn again"]),
        (no_table, []),
        (other_bye, ["bye: nobody in the file, E (e) drawn again"]),
        (better_levels, ["level rematches: 1 in the file, 0 drawn again"]),
        (better_placing, ["placing table_repeats: 3 in the file, 0 drawn again"]),
        (no_placing, []),
        (scenario, ["scenario of C (c) and D (d): raiders in the file, the round's drawn again"]),
        (unproven, ["certificate: not proven in the file, proven drawn again"]),
        (twice, ["pairs: one stands more than once in the file"]),
    ],
)  # fmt: skip
def test_what_is_not_equal_is_named(document: Document, spoil: Callable[[Document], None], told: list[str]) -> None:
    assert [(p["a"], p["b"], p["table"]) for p in document["output"]["pairs"]] == [("a", "b", 2), ("c", "d", 3)]
    spoil(document)
    assert checked(document) == (int(bool(told)), told)


@pytest.mark.parametrize("spoil", [other_seed, more_points])
def test_other_inputs_give_another_round(document: Document, spoil: Callable[[Document], None]) -> None:
    wide = Request(2, tuple(Seat(f"p{n}", n // 20) for n in range(40)), 7)
    document = to_document(file_of(wide)) if spoil is other_seed else document
    spoil(document)
    status, told = checked(document)
    assert status == 1
    assert any(one.startswith("pair ") for one in told)


def test_a_hand_changed_round_is_equal_and_the_change_is_told_with_its_cost(document: Document) -> None:
    asked = replace(five(), seats=tuple(replace(s, opponents=("d",) if s.id == "a" else ()) for s in five().seats))
    drawn = drawn_round(asked)
    levels = Levels(rematches=1, distance=10, bye_height=0)
    pairs = (Pair("a", "d", table=2), Pair("c", "b", table=3))
    done = run("-", "--json", given=json.dumps(to_document(file_of(asked, Published(pairs, ("e",), levels)))))
    told = json.loads(done.stdout)
    assert (done.exit_code, told["result"], drawn.levels.rematches) == (0, "equal", 0)
    assert told["by_hand"][:2] == ["pair A (a) and D (d): only as published", "pair C (c) and B (b): only as published"]
    assert told["by_hand"][4:] == [
        "level rematches: 1 as published, 0 as drawn",
        "level distance: 10 as published, 2 as drawn",
    ]
    wrong = file_of(asked, Published(pairs, ("e",), Levels()))
    assert redrawn(wrong).differences == (
        "published level rematches: 0 in the file, 1 counted",
        "published level distance: 0 in the file, 10 counted",
    )
    stranger = file_of(asked, Published((Pair("a", "x"),), ("e",)))
    assert redrawn(stranger).differences == ("published: 'x' is paired but has no seat in this round",)
    other_bye = file_of(asked, Published((Pair("a", "b", table=2), Pair("e", "d", table=3)), ("c",)))
    assert "bye of C (c): only as published" in redrawn(other_bye).by_hand
    assert "bye of E (e): only as drawn" in redrawn(other_bye).by_hand


def wishes(seed: int) -> Request:
    """A round in which some wishes bind and some do not."""
    dice = Random(seed)
    ids = [f"p{n}" for n in range(dice.randint(3, 14))]
    seats = tuple(
        Seat(i, dice.choice([0, 1, 3]), dice.choice(["", "Reds"]), byes=dice.choice([0, 1])) for i in ids
    )  # fmt: skip
    pairs = {tuple(sorted(dice.sample(ids, 2))) for _ in range(dice.randint(1, 12))}
    apart = tuple((a, b) for a, b in pairs)
    rules = Rules("first_round", apart, banned=("kept_apart",)) if seed % 2 else Rules("first_round", apart)
    return Request(1, seats, seed, rules)


@pytest.mark.parametrize("seed", range(60))
def test_no_wish_is_told_and_the_round_is_still_drawn_again(seed: int) -> None:
    """What stands in the file is found without knowing any wish: by drawing, and naming what was not made of it."""
    asked = wishes(seed)
    drawn = drawn_round(asked)
    told = discreet(asked, drawn)
    again = drawn_round(told)
    assert [(p.a, p.b, p.table) for p in again.pairs] == [(p.a, p.b, p.table) for p in drawn.pairs]
    assert again.bye == drawn.bye
    made = {frozenset((p.a, p.b)) for p in drawn.pairs}
    assert not made & {frozenset(two) for two in told.rules.keep_apart}, "a wish that was not granted is not told"
    found, blind = discreet(replace(asked, rules=replace(asked.rules, keep_apart=(("no", "body"),) * 99)), drawn), told
    assert found == blind, "the list is the same for whoever knows the pairs alone"


@pytest.mark.parametrize("seed", range(4))
def test_no_wish_is_told_of_a_large_field(seed: int) -> None:
    dice = Random(seed)
    ids = [f"p{n}" for n in range(150 + seed)]
    seats = tuple(Seat(i, dice.choice([0, 1, 3, 4, 9])) for i in ids)
    plain = drawn_round(Request(2, seats, seed))
    apart = tuple((p.a, p.b) for p in plain.pairs[::7])
    asked = Request(2, seats, seed, Rules(keep_apart=apart))
    drawn = drawn_round(asked)
    told = discreet(asked, drawn)
    assert {(p.a, p.b) for p in drawn_round(told).pairs} == {(p.a, p.b) for p in drawn.pairs}
    assert {frozenset(two) for two in told.rules.keep_apart} > {frozenset(two) for two in apart}


def test_wishes_bind_in_some_of_these_rounds_and_not_in_others() -> None:
    told = [discreet(wishes(seed), drawn_round(wishes(seed))).rules.keep_apart for seed in range(60)]
    assert sum(not one for one in told) > 5
    assert sum(bool(one) for one in told) > 5


def test_a_wish_is_withheld_where_the_draw_is_of_another_algorithm() -> None:
    asked = wishes(3)
    old = replace(drawn_round(asked), algorithm="overseer-swiss/0")
    assert discreet(asked, old).rules.keep_apart == ()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"algorithm": "overseer-swiss/0"}, "algorithm: drawn by overseer-swiss/0, and this program draws such"),
        ({"format": "overseer-pairings/9"}, "format: Input should be 'overseer-pairings/1'"),
        ({"seed": 8}, "seed: 8 here, 7 in the inputs"),
        ({"round": 4}, "round: 4 here, 3 in the inputs"),
        ({"output": None}, "output: Input should be"),
        ({"more": 1}, "more: Extra inputs are not permitted"),
        ({"event": {"slug": "x", "name": "\x1b[2J"}}, "event.name: String should match pattern"),
        ({"event": {"slug": "x", "name": "\u202eevil"}}, "event.name: String should match pattern"),
        ({"inputs": {"round": 3, "seed": 7, "seats": [{"id": "a"}, {"id": "a"}]}}, "inputs: two seats have the id 'a'"),
        ({"inputs": {"round": 3, "seed": 7, "seats": [{}]}}, "inputs.seats[0].id: Field required"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_checked_says_why(document: Document, change: Document, told: str) -> None:
    done = run("-", given=json.dumps(document | change))
    assert (done.exit_code, done.stderr) == (2, "")
    first, fault, *_ = done.stdout.splitlines()
    assert first == "UNREADABLE  standard input"
    assert fault.strip().startswith(told)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"[" * 100_000, b"\xff\xfe", b"null", b'{"format": 1}'])
def test_bytes_that_are_no_file_are_told_in_words(data: bytes) -> None:
    done = run("-", given=data)
    assert done.exit_code == 2
    assert done.stdout.startswith("UNREADABLE  standard input\n    ")


def test_several_files_give_a_line_each_and_the_worst_status(document: Document, tmp_path: Path) -> None:
    good, bad, none = (tmp_path / name for name in ("good.json", "bad.json", "none.json"))
    good.write_text(json.dumps(document), encoding="utf-8")
    move(document)
    bad.write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    assert run(str(good)).exit_code == 0
    done = run(str(good), str(bad))
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0] == f"EQUAL  {good}"
    assert "DIFFERENT" in done.stdout
    assert "  ! table of " in done.stdout
    assert "Iron Open, round 3: 5 players, overseer-swiss/" in done.stdout
    done = run(str(good), str(none), str(bad), "--json")
    assert done.exit_code == 2
    assert [json.loads(line)["result"] for line in done.stdout.splitlines()] == ["equal", "unreadable", "different"]


def test_the_published_schema_is_that_of_the_reader(document: Document) -> None:
    """Written by: python -c "import json; from events.pairing.certificate import reader;
    print(json.dumps(reader().model_json_schema(), indent=2, sort_keys=True))" > docs/pairings.schema.json"""
    schema = json.loads((ROOT / "docs" / "pairings.schema.json").read_text(encoding="utf-8"))
    assert schema == reader().model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document | {"seeds": 4}, schema)


def test_a_fresh_machine_needs_no_web_and_no_database_to_check() -> None:
    code = (
        "import sys, service.commands.pair; "
        "print([m for m in ('flask', 'sqlalchemy', 'sqlmodel', 'wtforms', 'validators') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
