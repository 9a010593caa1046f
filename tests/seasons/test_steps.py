"""Steps of a campaign: founding, the sequence after a game, dice, undo, and the invariants of stored steps."""

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from events.journal.going_back import go_back, points_of
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import replay
from events.lists.locks import lock_again
from events.registration import leaving
from events.registration.forms import Given
from events.registration.ruling_views import give_ruling
from events.seasons import campaign_actions as campaigns
from events.seasons import changes
from events.seasons import league_actions as leagues
from events.seasons.campaign_queries import ledger, passed, rows_of_groups, statistics
from events.setup.campaign_choice import set_campaign
from events.store.campaign import campaign_results, differing
from events.store.errors import Stale
from events.store.outcomes import missing
from events.store.players import players_by_id
from events.store.tournaments import tournament_of
from models.campaign import CampaignStep
from models.play import Player
from tests.kit.archives import archived, taken_in
from tests.kit.people import Links
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent
from tests.seasons.earning import CAPS, EARNING, KNIFE, Table, earning, history, list_of, playing, seeds
from validators.campaign import UNDONE, Dice, Offer, Phase, RollNeeded, World

__all__ = ["earning"]
pytestmark = pytest.mark.usefixtures("earning")


@pytest.fixture
def table(stage: Stage) -> Table:
    return Table(stage)


def test_only_a_draw_is_recorded_with_its_points(stage: Stage, table: Table) -> None:
    (game,) = table.games
    name = stage.name(game.a_id)
    for vp, kept in (((2, 2), ("draw", 2, 2)), ((3, 1), ("win", 0, 0))):
        stage.decide(table.event, stage.now(game), *vp)
        table.begin(name)
        played = table.history().world.played[game.a_id]
        assert (played.result, played.points, played.opponent_points) == kept
        table.undo(name)


def test_statistics_count_the_caps_of_a_group_that_spent_all(stage: Stage, table: Table) -> None:
    winner, loser = table.decide_first_game()
    table.begin(loser)
    table.take(loser, "give", {"to": str(table.players[winner].id), "caps": 10})
    groups = rows_of_groups(table.event, table.history(), {}, players_by_id(table.event), [table.players[loser].id], {})
    (row,) = statistics(table.history(), groups).rows
    assert row[:3] == (loser, "0", "10 Caps")


@pytest.mark.both_at_length
def test_sequence_runs_from_the_game_to_its_close(stage: Stage, table: Table) -> None:
    assert table.balances("Ada") == table.balances("Bo") == {"caps": 10}
    stage.refuse_to("No game of yours waits", table.begin, "Ada")
    winner, loser = table.decide_first_game()
    table.begin(winner)
    table.begin(winner)  # submitted twice
    table.begin(loser)
    assert table.balances(winner) == {"caps": 15}
    played = [entry.step.data for entry in table.history().entries if entry.step.kind == "play"]
    assert [entry["won_against_rating"] for entry in played] == [10, 10], "ratings of before the game"
    with pytest.raises(RollNeeded) as needed:
        table.take(winner, "earn", {"places": 2}, Dice(given=[4]))
    assert (needed.value.count, needed.value.rolled[0].results) == (1, (4,))
    stage.refuse_to("more dice", table.take, winner, "earn", {"places": 1}, Dice(given=[4, 5]))
    table.take(winner, "earn", {"places": 2}, Dice(given=[4, 6]))
    table.take(loser, "earn", {"places": 1}, Dice(77))
    typed, rolled = stage.all(CampaignStep, kind="earn")
    assert (typed.typed, typed.seed, [roll["results"] for roll in typed.rolls]) == (True, None, [[4], [6]])
    assert (rolled.typed, rolled.seed, len(rolled.rolls)) == (False, "77", 1)
    assert table.leave(winner) is False
    table.take(winner, "buy")
    assert table.leave(winner) is True
    assert table.balances(winner) == {"caps": 22, "Knife": 1}
    stage.refuse_to("are closed", table.undo, winner)
    assert table.history().sums(table.players[winner].id) == {CAPS: 22, KNIFE: 1}
    assert replay(stage.s, stage.now(table.event)).difference is None
    assert in_lines(check_invariants(stage.s)) == []


def test_phase_without_offers_may_pass_and_is_undone_with_the_one_before(stage: Stage, table: Table) -> None:
    first, last = EARNING.phases
    ada = table.players["Ada"].id
    table.decide_first_game()
    table.begin("Ada")
    for passes in (True, False):
        quiet = Phase("quiet", "Quiet", "", "", passes, idle="nobody was down")

        def offers(world: World, group: int, quiet: Phase = quiet) -> tuple[Offer, ...]:
            return () if world.phase(group) == quiet else EARNING.offers(world, group)

        phases = []
        with playing(replace(EARNING, phases=(first, quiet, last), first_phase=3, offers=offers)):
            for act in (table.leave, table.undo):
                act("Ada")
                now = table.history()
                phases.append((now.world.phase(ada), passed(now, ada)))
        assert phases == [(last, ["Quiet (nobody was down)"]) if passes else (quiet, []), (first, [])]


def test_undo_takes_back_the_newest_step_until_none_is_left(stage: Stage, table: Table) -> None:
    name, _ = table.decide_first_game()
    table.begin(name)
    table.take(name, "earn", {"places": 1}, Dice(given=[6]))
    seen = table.newest(name)
    table.undo(name)
    with pytest.raises(Stale, match="meanwhile"):
        table.do(campaigns.undo_step, name, seen)
    assert table.balances(name) == {"caps": 15}
    table.leave(name)
    table.undo(name)
    table.undo(name)
    assert table.balances(name) == {"caps": 10}, "the step of the game is undone too"
    stage.refuse_to("are closed", table.undo, name)
    assert replay(stage.s, stage.now(table.event)).difference is None


def test_typed_dice_are_marked_when_they_are_taken_back_and_typed_again(stage: Stage, table: Table) -> None:
    name, _ = table.decide_first_game()
    player = table.players[name]
    table.begin(name)
    table.take(name, "earn", {"places": 1}, Dice(given=[2]))
    table.undo(name)
    assert table.history().entries_of(player.id)[-1].said == (
        "Took back dice rolled at the table: Caps found at place 1: D6 2.",
    )
    for again in (Dice(given=[6]), Dice(3)):
        table.take(name, "earn", {"places": 1}, again)
        assert ledger(table.history(), player.id).rows[-1][2] == "Found, taken again after a seen roll"
        if again.seed is None:
            table.undo(name)
    table.undo(name)
    table.do(changes.leave_out, name, table.history().aside[0].number, "A test of the dice")
    table.undo(name)
    assert table.balances(name) == {"caps": 10}, "the mark itself cannot be undone"
    table.begin(name)
    table.take(name, "earn", {"places": 1}, Dice(given=[6]))
    assert ledger(table.history(), player.id).rows[-1][2] == "Found", "a new sequence has no mark"
    assert replay(stage.s, stage.now(table.event)).difference is None
    assert in_lines(check_invariants(stage.s)) == []


def test_step_cannot_be_undone_while_another_group_builds_on_it(stage: Stage, table: Table) -> None:
    for name in table.decide_first_game():
        table.begin(name)
    table.take("Ada", "give", {"to": str(table.players["Bo"].id), "caps": 4})
    table.leave("Bo")
    stage.refuse_to("A later step of Bo follows", table.undo, "Ada")
    table.undo("Bo")
    table.undo("Ada")
    stage.refuse_to("too few", table.take, "Ada", "give", {"to": str(table.players["Bo"].id), "caps": 40})


def test_settings_are_fixed_once_round_1_is_published(stage: Stage) -> None:
    table = Table(stage, settings={"start": "20"})
    assert table.balances("Ada") == {"caps": 20}
    stored = {"settings": {"start": "20"}, "plan": {"places": 4}, "seed": "4", "version": 1}
    assert stage.now(table.event).campaign == stored
    for settings in (None, {"start": "10"}):
        stage.refuse("settings stay", table.event, set_campaign, settings, 4)
    stage.refuse("is a season", stage.event("Rust Cup"), set_campaign, {}, 4)


def test_late_group_is_founded_once_with_its_list_and_enlarges_the_map(stage: Stage, table: Table) -> None:
    def places() -> int:
        campaign = stage.now(table.event).campaign
        assert campaign
        return int(campaign["plan"]["places"])

    (late,) = stage.enter(table.event, "Cy")
    assert stage.do(table.event, campaigns.found_groups, seeds()) == 0, "there is no list yet"
    list_of(stage, table.event, late)
    assert stage.do(table.event, campaigns.found_groups, seeds()) == 0, "the list can still change"
    stage.do(table.event, lock_again, late)
    assert [stage.do(table.event, campaigns.found_groups, seeds()) for _ in range(2)] == [1, 0]
    assert places() == 5
    assert set(table.history().world.groups) == {player.id for player in stage.all(Player)}


def test_each_action_reads_the_stored_steps_once(stage: Stage) -> None:
    table = Table(stage, "Ada", "Bo", "Cy", "Di")
    for player in table.players.values():
        list_of(stage, table.event, player, seed=8)

    def reads(act: Any, *arguments: Any) -> int:
        with sent(stage.engine) as said:
            stage.do(table.event, act, *arguments)
        return sum(text.startswith("SELECT") and "FROM campaign_step" in text for text in said)

    assert reads(campaigns.found_groups, seeds()) == 1
    winner = table.players[table.decide_first_game()[0]]
    assert reads(campaigns.begin_steps, winner) == 1
    (offer, *_) = EARNING.offers(table.history().world, winner.id)
    assert reads(campaigns.take_offer, winner, offer, {"places": 1}, Dice(1), table.newest(winner.name)) == 1


def test_group_is_founded_again_from_a_list_changed_before_its_first_sequence(stage: Stage, table: Table) -> None:
    ada = table.players["Ada"]
    before = stage.one(CampaignStep, player_id=ada.id).data
    list_of(stage, table.event, ada, seed=8)
    assert stage.do(table.event, campaigns.found_groups, seeds()) == 1
    assert stage.one(CampaignStep, player_id=ada.id).data != before
    table.decide_first_game()
    table.begin("Ada")
    list_of(stage, table.event, ada, seed=9)
    assert stage.do(table.event, campaigns.found_groups, seeds()) == 0


def test_only_a_corrected_result_is_reported_as_different_from_the_steps(stage: Stage, table: Table) -> None:
    def found() -> list[tuple[str, str]]:
        event = stage.now(table.event)
        different = differing(table.history(), campaign_results(tournament_of(event, drafts=True)))
        return [(before.result, now.result if now else "") for _, before, now in different]

    table.begin(table.decide_first_game()[1])
    with stage.changing(table.event) as s:
        row = s.merge(stage.one(CampaignStep, kind="play"))
        assert row.data["home"] is False
        row.data = {key: value for key, value in row.data.items() if key != "home"}
    assert found() == [], "steps stored before the order of names was kept do not differ"
    stage.decide(table.event, stage.now(table.games[0]), 1, 3)
    assert found() == [("loss", "win")]


@pytest.mark.proves("I12")
def test_invariants_report_broken_steps(stage: Stage, table: Table, app: Flask) -> None:
    def found() -> list[str]:
        stage.s.rollback()
        return in_lines(check_invariants(stage.s))

    table.decide_first_game()
    table.begin("Ada")
    table.take("Ada", "earn", {"places": 1}, Dice(3))
    (row,) = stage.all(CampaignStep, kind="earn")
    wrong = row.rolls[0]["results"][0] % 6 + 1
    dice = [row.rolls[0] | {"results": [wrong]}]
    assert found() == []
    with playing(replace(EARNING, balances=lambda group: {CAPS: group["caps"] + 1})):
        mismatches = found()
    assert mismatches == [f"I12  iron-open: the ledger of {name} does not match the group" for name in ("Ada", "Bo")]
    for change, message in (
        ("UPDATE campaign_step SET rolls = ? WHERE kind = 'earn'", "has dice that its seed does not give"),
        ("DELETE FROM campaign_step WHERE number = 1", "cannot follow each other"),
        ("UPDATE event SET campaign = NULL", "but the event is not a campaign"),
    ):
        assert message not in str(found())
        with stage.engine.begin() as connection:
            connection.exec_driver_sql(change, (json.dumps(dice),) if "?" in change else ())
        stage.s.expire_all()
        assert message in str(found())


def test_campaign_is_restored_from_its_archive(stage: Stage, table: Table, other: Stage) -> None:
    table.decide_first_game()
    table.begin("Ada")
    table.take("Ada", "earn", {"places": 2}, Dice(3))
    event = taken_in(other.s, archived(stage.engine, table.event, stage.clock()), stage.clock())
    assert history(other, event).entries == table.history().entries
    assert differing(history(other, event), campaign_results(tournament_of(event, drafts=True))) == []
    assert in_lines(check_invariants(other.s)) == []


def test_going_back_to_an_earlier_point_removes_the_steps(stage: Stage) -> None:
    table = Table(stage, "Ada", "Bo", "Cy")
    name, _ = table.decide_first_game()
    table.begin(name)
    point = next(point for point in points_of(stage.s, stage.now(table.event)) if "round 3" in point.text)
    stage.do(table.event, go_back, point.id)
    assert stage.all(CampaignStep) == []
    assert replay(stage.s, stage.now(table.event)).difference is None
    stage.do(table.event, leagues.draw_season, 9)
    assert stage.do(table.event, campaigns.found_groups, seeds()) == 3


@pytest.mark.proves("attack 101")
def test_dice_that_a_restore_removes_leave_their_mark(stage: Stage) -> None:
    table = Table(stage, "Ada", "Bo", "Cy")
    name, _ = table.decide_first_game()
    table.begin(name)
    stage.do(table.event, give_ruling, table.players[name], Given("late to the tables", points=-1))
    for _ in range(2):
        table.take(name, "earn", {"places": 2}, lambda about: 5)
        rolled = table.history().entries[-1].step
        assert rolled.rolls
        point = [point for point in points_of(stage.s, stage.now(table.event)) if "late to" in point.text][-1]
        stage.do(table.event, go_back, point.id)
        stage.do(table.event, give_ruling, table.players[name], Given("late to the tables", points=-1))
    marks = [entry.step for entry in table.history().entries if entry.step.kind == UNDONE]
    assert [mark.group for mark in marks] == [table.players[name].id] * 2, "also the first mark was not removed"
    table.take(name, "earn", {"places": 2}, lambda about: 5)
    assert table.history().taken_again(table.players[name].id) == {table.history().entries[-1].step.number}
    assert check_invariants(stage.s) == []
    assert replay(stage.s, stage.now(table.event)).difference is None


def test_player_who_leaves_forfeits_every_game_and_no_step_follows_for_them(
    stage: Stage, link_of: Links, app: Flask
) -> None:
    table = Table(stage, "Ada", "Bo", "Cy")
    ada, game = table.players["Ada"], table.games[0]
    winner = next(stage.name(number) for number in (game.a_id, game.b_id) if number != ada.id and number)
    assert ada.id in (game.a_id, game.b_id)
    browser = Person(app)
    browser.open(link_of(ada))
    browser.press("Leave the campaign", at="/e/iron-open/me")
    assert all(
        ada.id in missing(a_game, stage.now(a_game).absent)
        for a_game in table.games
        if ada.id in (a_game.a_id, a_game.b_id)
    )
    assert "open steps" not in browser.page.text
    assert not browser.page.soup.select(".bar a, .bar button")
    for address in ("campaign", f"campaign/groups/{ada.id}"):
        assert "Next: the steps" not in browser.open(f"/e/iron-open/{address}").part("main")
    assert browser.post("/e/iron-open/me/campaign/begin").status_code == 422
    table.begin(winner)
    assert stage.one(CampaignStep, kind="play").data["waited_for"] == []
    stage.do(table.event, leaving.reinstate, ada)
    states = {
        a_game.id: stage.now(a_game).state.value for a_game in table.games if ada.id in (a_game.a_id, a_game.b_id)
    }
    assert states.pop(game.id) == "confirmed", "the winner has begun the steps after it"
    assert set(states.values()) == {"open"}
