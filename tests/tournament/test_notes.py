"""Notes on pairs and byes: every kind in its sentence, stored, and read from the sentences of release 0.1.0."""

from importlib import import_module
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, text

import migrations
from events.journal.invariants import check_invariants
from events.rounds.draft_lines import reasons_of
from events.store.rounds import knockout_title
from events.tournament.pairing.notes import Note, NoteKind, note_rows, notes_in
from events.tournament.pairing.words import bye_reason, sentence, sentences
from languages.words import speaking
from models.event import Round
from models.play import Game
from tests.conftest import Clock
from tests.kit.stage import Stage

migration = import_module("migrations.versions.20261215_notes")

WORDED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("locked", {}, "locked by hand"),
    ("rematch", {}, "rematch: these two were paired before"),
    ("rematch_needed", {"players": 6, "fewest": 2}, "rematch: no pairing of these 6 players has fewer than 2"),
    ("pair_down", {"high": 3.5, "low": 1}, "3.5 against 1 point"),
    ("pair_down_odd", {"high": 6, "low": -0.5, "above": 3, "line": 6},
     "6 against -0.5 points: an odd number (3) on 6 points or more"),
    ("pair_down_nearest", {"high": 6, "low": 0},
     "6 against 0 points: on the whole no draw without a rematch is nearer"),
    ("pair_down_nearest_bye", {"high": 6, "low": 3},
     "6 against 3 points: on the whole no draw without a rematch or a worse bye is nearer"),
    ("repeat_pair_down", {"times": 1}, "repeat pair-down: the higher player was paired down once before"),
    ("repeat_pair_down", {"times": 2}, "repeat pair-down: the higher player was paired down twice before"),
    ("kept_apart", {}, "kept apart: these two were to be kept apart"),
    ("same_club", {"club": "Reds {2}; no placing has fewer repeats"},
     "same club: Reds {2}; no placing has fewer repeats"),
    ("bye_locked", {}, "bye: locked by hand"),
    ("bye_only_player", {}, "bye: the only player in the field"),
    ("bye_lowest", {"points": 1}, "bye: lowest group without an earlier bye (1 point)"),
    ("bye_higher", {"points": 3, "players": 1}, "bye: on 3 points, while 1 player on fewer points had none"),
    ("bye_higher", {"points": 3, "players": 2, "best": "rematches"},
     "bye: on 3 points, while 2 players on fewer points had none; any other choice forces more rematches"),
    ("bye_in_turn", {}, "bye: an odd field, everybody has one in turn"),
    ("bye_asked", {}, "bye asked for"),
    ("bye_empty_place", {"places": 8, "seed": 1},
     "bye, quarter-final: seed 1 is through, for the bracket has an empty place"),
    ("second_bye", {"times": 3, "players": 1, "best": "rematches"},
     "second bye: had one 3 times before, while 1 player had none; any other choice forces more rematches"),
    ("second_bye_lowest", {"points": 0}, "second bye: every player has had one; lowest group (0 points)"),
    ("second_bye_higher", {"points": 6, "players": 2},
     "second bye: on 6 points, while 2 players on fewer points had one too"),
    ("stand_in", {}, "a stand-in in place of the bye"),
    ("fixed_table_out", {"table": 2}, "fixed table 2 not kept: it is not among the tables in order"),
    ("fixed_table_opponent", {"table": 2, "other_table": 3}, "fixed table 2 not kept: the opponent's table 3 is"),
    ("fixed_table_taken", {"table": 12}, "fixed table 12 not kept: another pair sits there"),
    ("table_again", {"who": 2, "table": 2, "often": 1}, "table again: both sat at table 2 before"),
    ("table_again", {"who": 1, "table": 9, "often": 3, "best": "repeats"},
     "table again: one of the two sat at table 9 3 times before; no placing has fewer repeats"),
    ("table_again", {"who": 2, "table": 9, "often": 2, "best": "repeats_fixed"},
     "table again: both sat at table 9 twice before; no placing has fewer repeats and keeps the fixed tables"),
    ("scenario_again", {"who": 2, "often": 1, "best": "scenarios"},
     "scenario again: both played it before; no scenario of the pool was played less by these two"),
    ("bracket_match", {"places": 4, "seed": 2, "other": 3}, "semi-final: seed 2 against seed 3"),
    ("bracket_match", {"places": 2, "third": True, "seed": 3, "other": 4}, "third place: seed 3 against seed 4"),
    ("bracket_match", {"places": 32, "seed": 1, "other": 32}, "round of 32: seed 1 against seed 32"),
    ("met_before_bracket", {}, "these two were paired before the knockout"),
    ("walk_over_absent", {"places": 2, "seed": 1, "other": 2},
     "walk-over, final: seed 1 wins it, for seed 2 is not here"),
    ("walk_over_nobody", {"places": 16, "seed": 5},
     "walk-over, round of 16: seed 5 is through, for nobody came through to meet them"),
    ("circle_match", {"place": 2, "other": 7}, "circle: place 2 against place 7"),
    ("circle_absent", {"other": 4}, "bye: place 4 of the circle is not here"),
    ("challenge", {}, "challenge"),
    ("empty_board", {"board": 2}, "board 2: nobody opposite, a walk-over"),
    ("other", {"text": "a reason of an older {version}"}, "a reason of an older {version}"),
)  # fmt: skip
"""Kinds with their figures, and the sentences as release 0.1.0 stored them."""

OF_TEAMS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("rematch_needed", {"players": 6, "fewest": 2}, "rematch: no pairing of these 6 teams has fewer than 2"),
    ("repeat_pair_down", {"times": 1}, "repeat pair-down: the higher team was paired down once before"),
    ("bye_only_player", {}, "bye: the only team in the field"),
    ("bye_higher", {"points": 3, "players": 1}, "bye: on 3 points, while 1 team on fewer points had none"),
    ("second_bye", {"times": 1, "players": 2}, "second bye: had one once before, while 2 teams had none"),
    ("second_bye_lowest", {"points": 2}, "second bye: every team has had one; lowest group (2 points)"),
    ("second_bye_higher", {"points": 6, "players": 2},
     "second bye: on 6 points, while 2 teams on fewer points had one too"),
    ("fixed_table_opponent", {"table": 2, "other_table": 1},
     "fixed tables 4 to 6 not kept: the opponent's tables 1 to 3 is"),
    ("table_again", {"who": 2, "table": 4, "often": 1}, "table again: both sat at tables 10 to 12 before"),
)  # fmt: skip
"""The same for teams of three."""


def test_every_kind_has_its_sentence_and_its_stored_form() -> None:
    assert {kind for kind, _, _ in WORDED} == set(NoteKind)
    for size, table in ((1, WORDED), (3, OF_TEAMS)):
        for kind, figures, said in table:
            note = Note(NoteKind(kind), figures)
            assert sentence(note, size) == said
            assert note_rows([note]) == [{"kind": kind} | figures]
            assert notes_in(note_rows([note])) == (note,)


def test_page_of_a_bye_shows_its_reason() -> None:
    lowest, second = Note(NoteKind.BYE_LOWEST, {"points": 0}), Note(NoteKind.SECOND_BYE, {"times": 1, "players": 2})
    assert bye_reason(lowest) == "lowest group without an earlier bye (0 points)"
    assert bye_reason(second) == "second bye: had one once before, while 2 players had none"
    higher = Note(NoteKind.BYE_HIGHER, {"points": 3, "players": 2})
    with speaking("de"):
        assert sentence(higher) == f"Freilos: {bye_reason(higher)}"
        assert bye_reason(higher) == "3 Punkte; mit weniger Punkten, aber ohne Freilos: 2 Spieler"


def test_weight_of_a_reason_follows_its_kind_whatever_its_words() -> None:
    weights = {"bye_lowest": "usual", "second_bye_lowest": "usual", "second_bye_higher": "bad", "rematch": "bad",
               "pair_down": "odd", "other": "odd"}  # fmt: skip
    for kind, figures, _ in WORDED:
        for size in (1, 3):
            (reason,) = reasons_of([Note(NoteKind(kind), figures)], size)
            assert weights.get(kind, reason.weight) == reason.weight


def test_game_for_third_place_is_named_with_and_without_an_opponent() -> None:
    last = Round(event_id=1, number=3, bracket=2)
    seeds = {"places": 2, "seed": 3, "other": 4}
    for kind in (NoteKind.BRACKET_MATCH, NoteKind.WALK_OVER_ABSENT):
        for third, words in ((seeds | {"third": True}, "game for third place"), (seeds, "final")):
            game = Game(round_id=1, a_id=1, b_id=None, code="ABCDEFGH", notes=note_rows([Note(kind, third)]))
            assert knockout_title(last, game) == words


def test_invalid_rows_are_errors() -> None:
    for row in ({}, {"kind": "guessed"}, {"kind": "rematch_needed"}, {"kind": "pair_down", "high": "x", "low": 1},
                {"kind": "bye_higher", "points": 1, "players": 1, "best": "other"}):  # fmt: skip
        with pytest.raises((KeyError, ValueError, TypeError)):
            sentences(notes_in([row]))


OF_0_1_0 = {
    "rematch": "rematch: these two have met before",
    "met_before_bracket": "these two have met before the knockout",
    "circle_absent": "walk-over: place 4 of the circle is not here",
    "pair_down": "pair-down from 3.5 to 1 point",
    "pair_down_odd": "pair-down from 6 to -0.5 points: an odd number (3) on 6 points or more",
    "pair_down_nearest": "pair-down from 6 to 0 points: nothing nearer without a rematch",
    "pair_down_nearest_bye": "pair-down from 6 to 3 points: nothing nearer without a rematch or a worse bye",
}
"""What that release said where today's words differ."""


def test_every_sentence_of_release_0_1_0_is_recognised() -> None:
    for size, table in ((1, WORDED), (3, OF_TEAMS)):
        for kind, figures, said in table:
            row, said = {"kind": kind} | figures, OF_0_1_0.get(kind, said)
            assert migration.note_of(said) == row
            assert migration.sentence_of(row, size) == said
    assert migration.note_of("rematch: these two have met before, twice")["kind"] == "other"


@pytest.mark.both_databases
def test_stored_sentences_become_notes_and_the_journal_begins_anew(engine: Engine, clock: Clock) -> None:
    stage = Stage(engine, clock)
    stage.set_up("Olga")
    event, bare = stage.event(players=["Ada", "Bo", "Cy"]), stage.event("Bare", players=["Di", "Ed"])
    (game, bye), _ = stage.draw(event, 1), stage.draw(bare, 1)
    event_id, bare_id, game_id, bye_id = event.id, bare.id, game.id, bye.id
    stage.s.close()
    with engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), "20261214_contact_and_bring")
        connection.commit()
        said = connection.execute(text("SELECT notes FROM game WHERE b_id IS NULL")).scalar_one()
        assert "bye: lowest group without an earlier bye (0 points)" in str(said)
        connection.execute(
            text('UPDATE game SET notes = \'["same club: Reds", "older"]\' WHERE id = :id'), {"id": game_id}
        )
        connection.execute(text("UPDATE event SET journal_from = 1"))
        connection.commit()
        command.upgrade(migrations.alembic_config(connection), "20261215_notes")
        connection.commit()
        begun = {id_: start for id_, start in connection.execute(text("SELECT id, journal_from FROM event"))}  # noqa: C416
        assert begun == {event_id: None, bare_id: 1}, "the other draw has no notes"
    engine.dispose()
    migrations.upgrade(engine)
    assert {a_game.id: a_game.notes for a_game in stage.games(event, 1)} == {
        game_id: [{"kind": "same_club", "club": "Reds"}, {"kind": "other", "text": "older"}],
        bye_id: [{"kind": "bye_lowest", "points": 0}],
    }
    (drawn,) = stage.all(Round, event_id=event_id, number=1)
    assert (drawn.outcome or {})["notes"] == [{"kind": "bye_lowest", "points": 0}]
    assert check_invariants(stage.s) == []
    stage.s.close()
