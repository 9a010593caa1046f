"""The files of an event's rounds, checked together: real ones are consistent, each falsified one is found."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from events.rounds import byes
from events.rounds.pairings_file import pairings_of
from events.setup.pairing_actions import set_room
from events.store.rounds import rounds_of
from events.tournament.pairing.certificate import Published, certificate_document, read_pairings
from events.tournament.pairing.history import seats_after
from events.tournament.pairing.redraw import FIELDS
from events.tournament.pairing.request import drawn_round
from events.tournament.pairing.seats import Pair
from service.commands.pair import verify
from tests.kit.formats import cut, cut_event, decide_all, drop, knockout_of, league, publish
from tests.kit.stage import Absent, Event, RoundState, Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event
from tests.kit.team_events import decide_all as decide_boards

pytestmark = pytest.mark.slow

Document = dict[str, Any]
Files = dict[int, Document]


def files_of(stage: Stage, event: Event) -> Files:
    """The files of the event's published rounds, as downloaded."""
    stage.s.rollback()
    published = [round_ for round_ in rounds_of(stage.s, event) if round_.state == RoundState.PUBLISHED]
    files = {one.number: pairings_of(stage.s, event, one) for one in published}
    return {
        number: json.loads(json.dumps(certificate_document(file))) for number, file in files.items() if file is not None
    }


def checked(folder: Path, *documents: Document) -> tuple[int, list[Document], list[Document]]:
    """The command's exit status, its answers for the files, and those for events."""
    paths = [str(folder / f"{place}.json") for place in range(len(documents))]
    for path, document in zip(paths, documents, strict=True):
        Path(path).write_text(json.dumps(document), encoding="utf-8")
    done = CliRunner().invoke(verify, [*paths, "--json"])
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return (
        done.exit_code,
        [answer for answer in answers if "file" in answer],
        [answer for answer in answers if "rounds" in answer],
    )


def agree(folder: Path, files: Files) -> None:
    """Check that all files equal a new draw and are consistent."""
    status, answers, (event,) = checked(folder, *files.values())
    found = [part for answer in answers for part in (*answer["differences"], *answer["by_hand"])]
    assert (status, found, event["differences"]) == (0, [], [])
    assert (event["result"], event["rounds"]) == ("consistent", [*files])


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


def test_files_of_every_format_are_consistent(stage: Stage, tmp_path: Path) -> None:
    robin = league(stage, 5)
    stage.play(robin, 1)
    stage.publish(robin, 2)
    stage.publish(robin, 3)
    files = files_of(stage, robin)
    agree(tmp_path, files)
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
    agree(tmp_path, files)
    assert files[2]["output"]["idle"] and files[3]["output"]["idle"], "a bye and a walk-over"
    files[3]["output"]["idle"] = []
    _, (answer,), _ = checked(tmp_path, files[3])
    assert any("without a game: " in one for one in answer["differences"])

    teams = team_event(stage)
    enter_teams(stage, teams, *COLOURS)
    stage.publish(teams, 1, seed=9)
    decide_boards(stage, teams, 1)
    stage.publish(teams, 2, seed=9)
    agree(tmp_path, files_of(stage, teams))


def forged(document: Document, *, published: Published | None = None) -> Document:
    """The document as a careful forger would leave it: redrawn from its inputs."""
    file = read_pairings(json.dumps(document).encode())
    drawn = drawn_round(file.inputs)
    output = replace(
        file.output, pairs=drawn.pairs, bye=drawn.bye, levels=drawn.levels, certificate=drawn.certificate,
        notes=drawn.notes, placement=drawn.placement, stand_in=drawn.stand_in,
    )  # fmt: skip
    file = replace(file, output=output, published=published)
    answer: Document = json.loads(json.dumps(certificate_document(file)))
    return answer


def first_game(document: Document, after: int) -> Document:
    """A game in a round of the file's results, between players with seats in the file."""
    seated = {entry["id"] for entry in document["inputs"]["seats"]}
    games: list[Document] = [
        entry for entry in document["before"] if (entry["after"], entry["kind"]) == (after, "game")
    ]
    return next(game for game in games if {game["a"], game["b"]} <= seated)


def forget_meeting(document: Document) -> None:
    """Remove a game of round 1 from the seats of its two players."""
    line = first_game(document, 1)
    seats = {entry["id"]: entry for entry in document["inputs"]["seats"]}
    seats[line["a"]]["opponents"].remove(line["b"])
    seats[line["b"]]["opponents"].remove(line["a"])


def forget_result(document: Document) -> None:
    document["before"].remove(first_game(document, 1))


def forget_results(document: Document) -> None:
    forget_meeting(document)
    document["before"] = None


def turn_result(document: Document) -> None:
    line = first_game(document, 1)
    line["points_a"], line["points_b"] = line["points_b"], line["points_a"]


def rewrite(document: Document) -> Document:
    """Recalculate the seats from the document's results."""
    file = read_pairings(json.dumps(document).encode())
    ids = [entry["id"] for entry in document["inputs"]["seats"]]
    for one, meant in zip(document["inputs"]["seats"], seats_after(file.before or (), file.round, ids), strict=True):
        for name in ("points", "byes", "floats", "opponents", "tables", "scenarios"):
            value = getattr(meant, name)
            one[name] = list(value) if isinstance(value, tuple) else value
    return document


def move_bye(document: Document) -> None:
    line = next(entry for entry in document["before"] if entry["kind"] == "bye" and entry["after"] == 1)
    game = first_game(document, 1)
    line["a"], game["a"] = game["a"], line["a"]
    line["free"] = [line["a"]]


def move_game(document: Document) -> None:
    first_game(document, 1)["scenario"] = "elsewhere"


def swap_names(document: Document) -> None:
    entry, other = document["players"][:2]
    entry["name"], other["name"] = other["name"], entry["name"]


def give_points(document: Document) -> None:
    document["before"].append({"after": 1, "kind": "ruling", "a": document["inputs"]["seats"][0]["id"], "points_a": 2})


FORGERIES: tuple[tuple[Callable[[Document], None], bool, str, str], ...] = (
    (forget_meeting, False, "Opponents of ", ""),
    (forget_result, True, "met by its file, and the file of round 3 lists no", "drawn, no result when round 3"),
    (forget_results, False, "and are no opponents of each other in that of round 3", ""),
    (turn_result, True, "corrected in between, or falsified", ""),
    (swap_names, False, "Bo in the file of round 1, Ada in that of round 3", ""),
    (give_points, True, ": no result when round 2 was drawn, ruling 2 when round 3 was drawn", ""),
    (move_bye, True, "had the bye by the file of round 3 alone", "had the bye by its file alone"),
    (move_game, True, "elsewhere by that of round 3", ""),
    (lambda document: document["event"].update(name="Steel Open"), False, "it is called Iron Open and Steel Open", ""),
)
"""Changes to the file of round 3, whether its seats follow them, and the reported differences."""


def test_every_falsified_file_is_reported(files: Files, tmp_path: Path) -> None:
    for forge, seats_follow, words, also in FORGERIES:
        changed = copy.deepcopy(files)
        forge(changed[3])
        if seats_follow:
            rewrite(changed[3])
        changed[3] = forged(changed[3])
        status, answers, (event,) = checked(tmp_path, *changed.values())
        said = [*event["differences"], *(one for answer in answers for one in answer["differences"])]
        assert status == 1, forge.__name__
        for expected in (words, also):
            assert any(expected in one for one in said), (forge.__name__, said)


def test_seat_values_that_contradict_the_results_are_reported(files: Files, tmp_path: Path) -> None:
    changes: dict[str, Any] = {
        "points": 99, "byes": 7, "floats": 7, "opponents": [], "tables": [9], "scenarios": ["elsewhere"]
    }  # fmt: skip
    for name, value in changes.items():
        changed = copy.deepcopy(files[4])
        changed["inputs"]["seats"][0][name] = value
        status, (answer,), _ = checked(tmp_path, forged(changed))
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
        _, (answer,), _ = checked(tmp_path, forged(changed))
        assert any(words in one for one in answer["differences"]), (words, answer["differences"])


def test_impossible_results_are_reported(files: Files, tmp_path: Path) -> None:
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
        status, (answer,), _ = checked(tmp_path, forged(rewrite(changed)))
        named = answer["unbound"] if "for both" in words else answer["differences"]
        assert status == ("for both" not in words), "an event may score a draw as a win"
        assert any(words in one for one in named), (words, named)


def test_event_with_one_falsified_file_is_contradictory(files: Files, tmp_path: Path) -> None:
    """Round 1 published unlike it was played; round 4 with another seat, and as an older version writes it."""
    file = read_pairings(json.dumps(files[1]).encode())
    one, other, *rest = file.output.pairs
    bye = file.output.bye or ""

    def published(*pairs: Pair, bye: str = bye) -> Document:
        return forged(files[1], published=Published((*pairs, *rest), (bye,), file.output.levels))

    seats = copy.deepcopy(files[4])
    seats["inputs"]["seats"][0]["floats"] += 1
    bare = files[4] | {"before": None}
    for changed, words in (
        (published(replace(one, b=other.b), replace(other, b=one.b)), "lists a result of "),
        (published(replace(one, a=bye), other, bye=one.a), "had the bye by its file alone"),
        (published(replace(one, table=9), other), " played at table 9 by its file, "),
        (published(replace(one, scenario="elsewhere"), other), " played elsewhere by its file, "),
        (forged(seats), "round 4: its own file is different"),
        (bare, "round 4: its results are missing, and round 3 has them"),
    ):
        _, _, (event,) = checked(tmp_path, *(files | {changed["round"]: changed}).values())
        assert event["result"] == "contradictory"
        assert any(words in said for said in event["differences"]), (words, event["differences"])


def with_two_exchanged(files: Files) -> Files:
    """The files with two seeds or places exchanged in rounds 2 and 3, which agree with each other."""
    changed = copy.deepcopy(files)
    one, other, *rest = files[2]["inputs"]["format"]["order"]
    for number in (2, 3):
        changed[number]["inputs"]["format"]["order"] = [other, one, *rest]
        changed[number] = forged(changed[number])
    return changed


def test_falsified_bracket_is_reported(stage: Stage, tmp_path: Path) -> None:
    event = knockout_of(stage, 8)
    for number in (1, 2, 3):
        stage.draw(event, number)
        decide_all(stage, event, publish(stage, event, number))
    files = files_of(stage, event)
    agree(tmp_path, files)
    form = files[3]["inputs"]["format"]
    quarters, semis = form["through"]
    out = next(id_ for id_ in quarters if id_ not in semis)
    ((beaten,),) = ({p["a"], p["b"]} - {out} for p in files[1]["output"]["pairs"] if out in (p["a"], p["b"]))
    for change, words in (
        ({"through": [[*{*quarters} - {out}, beaten], semis]}, "other players went through before"),
        ({"through": [[*quarters, beaten], semis]}, "both went through their one match"),
        ({"order": [form["order"][-1], *form["order"][1:-1], form["order"][0]]}, "other seeds"),
    ):
        changed = copy.deepcopy(files[3])
        changed["inputs"]["format"] |= change
        _, answers, events = checked(tmp_path, files[1], files[2], changed)
        said = [
            difference
            for answer in (*answers, *events)
            for difference in (answer.get("differences") or answer.get("faults", ()))
        ]
        assert any(words in one for one in said), (words, said)
    assert files[1]["inputs"]["format"]["order"] == [], "the seeds of the first round are drawn by lot"
    status, _, (answer,) = checked(tmp_path, *with_two_exchanged(files).values())
    assert (status, "rounds 1 and 3: other seeds" in answer["differences"]) == (1, True)


def test_falsified_circle_is_reported(stage: Stage, tmp_path: Path) -> None:
    event = league(stage, 4)
    for number in (1, 2, 3):
        stage.play(event, number)
    files = files_of(stage, event)
    agree(tmp_path, files)
    status, _, (answer,) = checked(tmp_path, *with_two_exchanged(files).values())
    assert (status, "rounds 1 and 3: other places" in answer["differences"]) == (1, True)


def test_mixed_missing_and_repeated_rounds_are_reported(files: Files, tmp_path: Path) -> None:
    agree(tmp_path, files)
    assert {line["kind"] for line in files[4]["before"]} == {"game", "bye", "asked", "no-show"}
    status, _, (event,) = checked(tmp_path, files[4], files[1], files[3])
    assert (status, event["result"], event["missing"]) == (1, "incomplete", [2])
    status, _, (event,) = checked(tmp_path, files[1], files[2], files[2])
    assert (status, event["result"], event["repeated"]) == (0, "consistent", [2])
    status, _, (event,) = checked(tmp_path, files[1], files[2], forged(files[2] | {"version": "0"}))
    assert (status, event["differences"]) == (1, ["round 2: two different files"])

    other = files[2] | {"event": {"slug": "steel-open", "name": "Steel Open"}}
    status, _, (event, of_other) = checked(tmp_path, files[1], forged(other), files[3])
    assert (status, event["missing"], of_other["missing"]) == (1, [2], [1])

    for number, meant in ((2, 3), (3, 2)):
        files[number]["round"] = files[number]["inputs"]["round"] = meant
    status, answers, (event,) = checked(tmp_path, files[1], *(forged(files[n]) for n in (2, 3)), files[4])
    said = [one for answer in answers for one in answer["differences"]]
    assert (status, event["differences"] != []) == (1, True)
    for words in ("results: none of round 2", "results: one of round 2 stands before round 2"):
        assert any(words in one for one in said), said


def test_command_prints_the_findings_as_text(files: Files, tmp_path: Path) -> None:
    checked(tmp_path, files[1], files[2], files[4])
    paths = [str(tmp_path / f"{place}.json") for place in range(3)]
    said = CliRunner().invoke(verify, paths).stdout
    assert "compare its pairs with the round's page" in said
    assert "check it with the rounds before it" not in said
    assert said.splitlines()[-2:] == ["INCOMPLETE  Iron Open (iron-open), rounds 1, 2, 4", "  ! round 3: no file"]
    said = CliRunner().invoke(verify, paths[:2]).stdout
    assert "CONSISTENT  Iron Open (iron-open), rounds 1, 2\n    Each round follows from" in said


def test_correction_between_two_draws_is_reported(stage: Stage, event: Event, tmp_path: Path) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    games = stage.play(event, 1)
    stage.publish(event, 2)
    stage.decide(event, games[0], 2, 2)
    agree(tmp_path, files_of(stage, event))
    for game in stage.games(event, 2):
        stage.decide(event, game, 3, 1)
    stage.publish(event, 3)
    status, _, (found,) = checked(tmp_path, *files_of(stage, event).values())
    (said,) = found["differences"]
    assert (status, "corrected in between, or falsified" in said) == (1, True)
