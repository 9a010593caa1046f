"""Files of published rounds: real ones are equal to a new draw, and a falsified one contradicts its own results."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from events.rounds import byes
from events.rounds.pairings_file import pairings_of
from events.setup.pairing_actions import set_room
from events.tournament.pairing.certificate import certificate_document, read_pairings
from events.tournament.pairing.history import seats_after
from events.tournament.pairing.redraw import FIELDS
from events.tournament.pairing.request import drawn_round
from service.commands.verify import verify
from tests.kit.formats import cut, cut_event, decide_all, drop, league, publish
from tests.kit.stage import Absent, Event, RoundState, Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event
from tests.kit.team_events import decide_all as decide_boards

pytestmark = pytest.mark.slow

Document = dict[str, Any]
Files = dict[int, Document]


def files_of(stage: Stage, event: Event) -> Files:
    """The files of the event's published rounds, as downloaded."""
    stage.s.rollback()
    published = [round_ for round_ in event.schedule if round_.state == RoundState.PUBLISHED]
    files = {one.number: pairings_of(event, one) for one in published}
    return {
        number: json.loads(json.dumps(certificate_document(file))) for number, file in files.items() if file is not None
    }


def checked(*documents: Document) -> tuple[int, list[Document]]:
    """The command's worst exit status, and its answers."""
    done = [CliRunner().invoke(verify, ["-", "--json"], input=json.dumps(document)) for document in documents]
    return max(one.exit_code for one in done), [json.loads(one.stdout) for one in done]


def agree(files: Files) -> None:
    """Check that all files equal a new draw."""
    status, answers = checked(*files.values())
    assert (status, [part for answer in answers for part in (*answer["differences"], *answer["by_hand"])]) == (0, [])


KEPT: list[Files] = []
"""The files of the fixture ``files``, whose event is played once."""


@pytest.fixture
def files(request: pytest.FixtureRequest) -> Files:
    """Four rounds with byes, a requested bye, a no-show, a late entry, a drop, and a scenario for each table."""
    if KEPT:
        return copy.deepcopy(KEPT[0])
    stage: Stage = request.getfixturevalue("stage")
    event = stage.event(rounds=4)
    players = stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")
    stage.do(event, set_room, scenario_per_table=True)
    stage.play(event, 1, seed=3)
    stage.do(event, byes.ask_bye, players[6], 2)
    for game in stage.publish(event, 2, seed=5):
        if game.b_id is not None and game.table_number == 1:
            stage.no_show(event, game, Absent.B)
        elif game.b_id is not None:
            stage.decide(event, game, 3, 1)
    stage.enter(event, "Hal")
    stage.play(event, 3, seed=7)
    drop(stage, event, "Cy")
    stage.publish(event, 4, seed=9)
    KEPT.append(files_of(stage, event))
    return copy.deepcopy(KEPT[0])


def test_files_of_every_format_are_equal(stage: Stage) -> None:
    robin = league(stage, 5)
    stage.play(robin, 1)
    stage.publish(robin, 2)
    stage.publish(robin, 3)
    files = files_of(stage, robin)
    agree(files)
    kinds = {(file["after"], file["kind"]) for file in files[3]["before"]}
    assert kinds == {(1, "bye"), (1, "game"), (2, "bye"), (2, "open")}

    bracket = cut_event(stage, 5)
    cut(stage, bracket)
    games = publish(stage, bracket, 2)
    decide_all(stage, bracket, games)
    drop(stage, bracket, stage.name(min(min(game.a_id, game.b_id) for game in games if game.b_id)))
    decide_all(stage, bracket, stage.publish(bracket, 3))
    stage.publish(bracket, 4)
    files = files_of(stage, bracket)
    agree(files)
    assert files[2]["output"]["idle"] and files[3]["output"]["idle"], "a bye and a walk-over"
    files[3]["output"]["idle"] = []
    _, (answer,) = checked(files[3])
    assert any("without a game: " in one for one in answer["differences"])

    teams = team_event(stage)
    enter_teams(stage, teams, *COLOURS)
    stage.publish(teams, 1, seed=9)
    decide_boards(stage, teams, 1)
    stage.publish(teams, 2, seed=9)
    agree(files_of(stage, teams))


def forged(document: Document) -> Document:
    """The document as a careful forger would leave it: redrawn from its inputs."""
    file = read_pairings(json.dumps(document).encode())
    drawn = drawn_round(file.inputs)
    output = replace(
        file.output, pairs=drawn.pairs, bye=drawn.bye, levels=drawn.levels, certificate=drawn.certificate,
        notes=drawn.notes, placement=drawn.placement, stand_in=drawn.stand_in,
    )  # fmt: skip
    file = replace(file, output=output)
    answer: Document = json.loads(json.dumps(certificate_document(file)))
    return answer


def first_game(document: Document, after: int) -> Document:
    """A game in a round of the file's results, between players with seats in the file."""
    seated = {entry["id"] for entry in document["inputs"]["seats"]}
    games: list[Document] = [
        entry for entry in document["before"] if (entry["after"], entry["kind"]) == (after, "game")
    ]
    return next(game for game in games if {game["a"], game["b"]} <= seated)


def rewrite(document: Document) -> Document:
    """Recalculate the seats from the document's results."""
    file = read_pairings(json.dumps(document).encode())
    ids = [entry["id"] for entry in document["inputs"]["seats"]]
    for one, meant in zip(document["inputs"]["seats"], seats_after(file.before or (), file.round, ids), strict=True):
        for name in ("points", "byes", "floats", "opponents", "tables", "scenarios"):
            value = getattr(meant, name)
            one[name] = list(value) if isinstance(value, tuple) else value
    return document


def test_forgotten_meeting_is_reported(files: Files) -> None:
    changed = copy.deepcopy(files[3])
    line = first_game(changed, 1)
    seats = {entry["id"]: entry for entry in changed["inputs"]["seats"]}
    seats[line["a"]]["opponents"].remove(line["b"])
    seats[line["b"]]["opponents"].remove(line["a"])
    status, (answer,) = checked(forged(changed))
    assert (status, any(one.startswith("Opponents of ") for one in answer["differences"])) == (1, True)


def test_seat_values_that_contradict_the_results_are_reported(files: Files) -> None:
    changes: dict[str, Any] = {
        "points": 99, "byes": 7, "floats": 7, "opponents": [], "tables": [9], "scenarios": ["elsewhere"]
    }  # fmt: skip
    for name, value in changes.items():
        changed = copy.deepcopy(files[4])
        changed["inputs"]["seats"][0][name] = value
        status, (answer,) = checked(forged(changed))
        (said,) = answer["differences"]
        shown = (value[0] if value else "–") if isinstance(value, list) else value
        assert (status, said.startswith(f"{FIELDS[name]} of "), f": {shown} in the inputs, " in said) == (
            1,
            True,
            True,
        ), said
    cases: tuple[tuple[Callable[[list[Document]], None], str], ...] = (
        (lambda lines: lines.append(lines[0]), "have another result in round 1"),
        (lambda lines: lines.append(lines[0] | {"after": 4}), "results: one of round 4 stands before round 4"),
        (lambda lines: lines.clear(), "results: none of round 1"),
    )
    for change, words in cases:
        changed = copy.deepcopy(files[4])
        change(changed["before"])
        _, (answer,) = checked(forged(changed))
        assert any(words in one for one in answer["differences"]), (words, answer["differences"])


def test_impossible_results_are_reported(files: Files) -> None:
    """In round 3, which only the last file lists: two winners, too many points, a bye that does not count."""
    line = next(file for file in files[4]["before"] if file["kind"] == "game" and file["after"] == 3)
    bye = next(file for file in files[4]["before"] if file["kind"] == "bye")
    cases: tuple[tuple[Document, Document, str], ...] = (
        (line, {"points_a": 1000, "points_b": 0}, "1000 : 0, and other games give 3 : 0"),
        (line, {"points_a": 3, "points_b": -6}, "3 : -6, and other games give 3 : 0"),
        (line, {"points_a": 4, "points_b": 4}, ": 4, and a win gives 3"),
        (bye, {"points_a": 9}, ": 9, and a win gives 3"),
        (bye, {"free": []}, "it counts as a bye for nobody"),
        (line, {"free": [line["a"]]}, "it counts as a bye for "),
        (line, {"points_a": 3, "points_b": 3}, "3 : 3, a win's points for both"),
    )
    for of, change, words in cases:
        changed = copy.deepcopy(files[4])
        changed["before"][files[4]["before"].index(of)] |= change
        status, (answer,) = checked(forged(rewrite(changed)))
        named = answer["unbound"] if "for both" in words else answer["differences"]
        assert status == ("for both" not in words), "an event may score a draw as a win"
        assert any(words in one for one in named), (words, named)
