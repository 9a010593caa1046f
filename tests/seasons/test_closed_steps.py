"""Closed steps of a campaign: opened again by the desk, redone in order, or settled by a ruling."""

import re
from dataclasses import replace

import pytest

from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import replay
from events.seasons import campaign_actions as campaigns
from events.seasons import changes
from events.seasons.campaign_queries import doubtful, ledger
from events.store.campaign import campaign_results, differing
from events.store.errors import Stale
from events.store.tournaments import tournament_of
from models.campaign import CampaignStep
from tests.kit.archives import archived, taken_in
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.seasons.earning import EARNING, Table, earning, history, playing, seeds
from validators.campaign import Dice, World
from validators.campaign_history import History

__all__ = ["earning"]
pytestmark = pytest.mark.usefixtures("earning")
AT = "/e/iron-open"


def closed(table: Table, name: str, *, places: int = 1) -> None:
    """All steps of a group after its oldest game: it rolls at some places, and buys a knife."""
    table.begin(name)
    table.take(name, "earn", {"places": places}, Dice(5))
    table.leave(name)
    table.take(name, "buy")
    table.leave(name)


@pytest.fixture
def table(stage: Stage) -> Table:
    """Ada, Bo and Cy have played all their games, and every group has closed its steps after each."""
    found = Table(stage, "Ada", "Bo", "Cy")
    for game in found.games:
        stage.decide(found.event, game, 3, 1)
        for id_ in (game.a_id, game.b_id):
            closed(found, stage.name(id_))
    return found


def number_of(table: Table, name: str, kind: str, nth: int = 0) -> int:
    """The number of a group's ``nth`` step of this kind."""
    steps = [entry.step for entry in table.history().entries_of(table.players[name].id) if entry.step.kind == kind]
    return steps[nth].number


def open_(table: Table, name: str, number: int) -> None:
    table.do(changes.open_step, name, number, "A wound was forgotten", table.newest(name))


def without_marks(history: History) -> History:
    """The history as if nothing had been taken again."""
    entries = tuple(replace(entry, step=replace(entry.step, again=False)) for entry in history.entries)
    return replace(history, entries=entries)


def redo(table: Table, name: str) -> int:
    done = table.do(changes.redo_steps, name)
    return sum(not one.why_not for one in done)


def follow(person: Person, text: str) -> Page:
    """Follow the first link with this text."""
    link = next(tag for tag in person.page.soup.select("a") if tag.get_text().strip() == text)
    return person.open(str(link["href"]))


def is_sound(stage: Stage, table: Table) -> bool:
    return replay(stage.s, stage.now(table.event)).difference is None and in_lines(check_invariants(stage.s)) == []


@pytest.mark.both_at_length
def test_opened_steps_are_redone_in_order_to_the_same_history(stage: Stage, table: Table) -> None:
    before = table.history()
    for name in ("Ada", "Bo", "Cy"):
        for kind in ("play", "earn", "next", "buy"):
            open_(table, name, number_of(table, name, kind))
            assert table.history() != before
            assert is_sound(stage, table)
            redo(table, name)
            assert without_marks(table.history()) == before
            assert table.history().taken_again(table.players[name].id) >= {number_of(table, name, "earn", 1)}
    assert is_sound(stage, table)


@pytest.mark.proves("attack 87")
def test_step_opened_in_the_middle_is_taken_anew_and_counts_at_its_place(stage: Stage, table: Table) -> None:
    had, others = table.balances("Ada"), (table.balances("Bo"), table.balances("Cy"))
    first = number_of(table, "Ada", "earn")
    rolled = stage.one(CampaignStep, number=first).rolls[0]["results"][0]
    open_(table, "Ada", first)
    assert (table.balances("Bo"), table.balances("Cy")) == others, "later steps of other groups are kept"
    stage.refuse_to("Redo or leave out", table.do, changes.refound, "Ada", "why", seeds(), table.newest("Ada"))
    stage.refuse_to("Redo first", table.take, "Ada", "earn", {"places": 2}, Dice(given=[6, 6]))
    stage.refuse_to("only the desk", table.do, changes.leave_out, "Ada", first)
    assert table.do(changes.leave_out, "Ada", first, "Read from the wrong die") == 1
    table.take("Ada", "earn", {"places": 2}, Dice(given=[6, 6]))
    assert redo(table, "Ada") == 8
    assert table.balances("Ada") == had | {"caps": had["caps"] - rolled + 12}
    entries = table.history().entries_of(table.players["Ada"].id)
    kinds = [entry.step.kind for entry in entries]
    assert kinds == ["found", "play", "undone", "earn", *["next", "buy", "next", "play", "earn", "next", "buy", "next"]]
    assert entries[2].said[-1].endswith("The desk’s reason: Read from the wrong die.")
    assert "Found, taken again after a seen roll" in str(ledger(table.history(), table.players["Ada"].id).rows)
    assert is_sound(stage, table)


def test_redoing_stops_at_the_first_step_that_is_not_possible_any_more(stage: Stage, table: Table) -> None:
    first = number_of(table, "Ada", "earn")
    open_(table, "Ada", first)
    caps = table.history().seen_by(table.players["Ada"].id).world.groups[table.players["Ada"].id]["caps"]
    table.do(changes.leave_out, "Ada", first, "why")
    table.take("Ada", "give", {"to": str(table.players["Bo"].id), "caps": caps})
    done = table.do(changes.redo_steps, "Ada")
    assert [one.why_not for one in done] == ["", "The group has too few Caps."]
    assert len(table.history().aside_of(table.players["Ada"].id)) == 7
    with pytest.raises(Stale):
        table.do(changes.leave_out, "Ada", first)
    assert table.do(changes.leave_out, "Ada", done[1].step.number, "why", rest=True) == 7
    stage.refuse_to("No game of yours waits", table.begin, "Cy")
    assert table.history().aside == ()
    assert is_sound(stage, table)


def test_step_of_another_group_that_cannot_follow_is_set_aside_with_its_later_ones(stage: Stage) -> None:
    table = Table(stage)
    giver, taker = table.decide_first_game()
    for name in (giver, taker):
        table.begin(name)
    table.take(giver, "give", {"to": str(table.players[taker].id), "caps": 10})
    for _ in range(2):
        table.leave(giver)
    table.leave(taker)
    for _ in range(4):
        table.take(taker, "buy")
    table.leave(taker)
    gift = number_of(table, giver, "give")
    opening = changes.opening(table.history(), table.players[giver], gift)
    assert [entry.step.kind for entry in opening.aside] == ["give", "next", "next", "buy", "next"]
    assert [old.step.kind for old, _ in opening.changed] == ["next"], "it receives no gift now"
    open_(table, giver, gift)
    assert table.history().world.phase(table.players[taker].id) == EARNING.phases[1]
    before = table.history()
    stage.do(table.event, changes.redo_steps)
    assert (len(before.aside), table.history().aside) == (5, ())
    assert table.balances(taker) == {"caps": 8, "Knife": 4}


def test_corrected_result_counts_when_the_steps_after_the_game_are_redone(stage: Stage, table: Table) -> None:
    game = table.games[0]
    winner, loser = stage.name(game.a_id), stage.name(game.b_id)
    had = {name: table.balances(name)["caps"] for name in (winner, loser)}
    stage.decide(table.event, stage.now(game), 1, 3)
    for name in (winner, loser):
        open_(table, name, number_of(table, name, "play"))
        redo(table, name)
    assert [table.balances(name)["caps"] - had[name] for name in (winner, loser)] == [-5, 5]
    results = campaign_results(tournament_of(stage.now(table.event), drafts=True))
    assert differing(table.history(), results) == []
    assert is_sound(stage, table)


def test_steps_begun_anew_replace_those_of_the_game_that_were_set_aside(stage: Stage, table: Table) -> None:
    had = table.balances("Ada")
    open_(table, "Ada", number_of(table, "Ada", "play"))
    table.begin("Ada")
    assert redo(table, "Ada") == 9
    assert table.balances("Ada") == had


def test_founding_and_rulings_are_not_opened_and_a_form_from_before_is_stale(stage: Stage, table: Table) -> None:
    stage.refuse_to("cannot be opened", open_, table, "Ada", 1)
    stage.refuse_to("cannot be opened", open_, table, "Ada", number_of(table, "Bo", "earn"))
    with pytest.raises(Stale):
        table.do(changes.open_step, "Ada", number_of(table, "Ada", "earn"), "why", 1)


@pytest.mark.proves("attack 87")
def test_ruling_changes_a_group_with_its_reason_in_the_ledger(stage: Stage, table: Table) -> None:
    had = table.balances("Ada")

    def rule(answers: dict[str, int | str], reason: str = "A knife was lent") -> None:
        table.do(changes.rule, "Ada", answers, reason, 0, table.newest("Ada"))

    stage.refuse_to("Give the reason", rule, {"caps": 5}, " ")
    stage.refuse_to("Nothing is changed", rule, {"caps": 0})
    stage.refuse_to("too few Caps", rule, {"caps": -99})
    rule({"caps": 5, "knives": -1})
    assert table.balances("Ada") == had | {"caps": had["caps"] + 5, "Knife": had["Knife"] - 1}
    rows = ledger(table.history(), table.players["Ada"].id).rows[-2:]
    assert [row[2:4] for row in rows] == [("Ruling: A knife was lent", "+5"), ("Ruling: A knife was lent", "−1")]
    stage.refuse_to("are closed", table.undo, "Ada")
    open_(table, "Ada", number_of(table, "Ada", "earn", 1))
    assert number_of(table, "Ada", "ruling"), "a ruling is kept when earlier steps are opened"
    redo(table, "Ada")
    table.do(changes.revoke_group_ruling, "Ada", number_of(table, "Ada", "ruling"))
    assert table.balances("Ada") == had
    assert is_sound(stage, table)


def test_difference_of_a_corrected_result_is_filled_in_and_settles_it(stage: Stage, table: Table) -> None:
    game = table.games[0]
    name = stage.name(game.a_id)

    def open_ones() -> list[tuple[str, str]]:
        event = stage.now(table.event)
        found = differing(table.history(), campaign_results(tournament_of(event, drafts=True)))
        return [(kept.result, now.result if now else "") for step, kept, now in found if step.group == game.a_id]

    had, play = table.balances(name), number_of(table, name, "play")
    stage.decide(table.event, stage.now(game), 1, 3)
    assert open_ones() == [("win", "loss")]
    event = stage.now(table.event)
    ((step, _, now),) = (
        row
        for row in differing(table.history(), campaign_results(tournament_of(event, drafts=True)))
        if row[0].group == game.a_id
    )
    wanted = changes.difference(table.history(), step, now)
    assert wanted == {"caps": -5}
    table.do(changes.rule, name, wanted, "Misread", play, table.newest(name))
    assert (table.balances(name)["caps"], open_ones()) == (had["caps"] - 5, [])
    stage.decide(table.event, stage.now(game), 2, 2)
    assert open_ones() == [("loss", "draw")], "another correction is to be checked again"
    table.do(changes.rule, name, {}, "Settled", play, None)
    assert open_ones() == []


def test_group_is_founded_again_by_the_desk(stage: Stage, table: Table) -> None:
    table.do(changes.refound, "Ada", "Wiped out", seeds(), table.newest("Ada"))
    assert table.balances("Ada") == {"caps": 10}
    assert "Ruling: Wiped out" in str(ledger(table.history(), table.players["Ada"].id).rows)
    assert is_sound(stage, table)


def test_opened_campaign_is_restored_from_its_archive(stage: Stage, table: Table, other: Stage) -> None:
    open_(table, "Ada", number_of(table, "Ada", "earn"))
    table.do(changes.redo_steps, "Ada")
    open_(table, "Ada", number_of(table, "Ada", "buy"))
    table.do(changes.rule, "Bo", {"caps": 1}, "A find", 0, None)
    event = taken_in(other.s, archived(stage.engine, table.event, stage.clock()), stage.clock())
    assert history(other, event) == table.history()
    assert in_lines(check_invariants(other.s)) == []


def test_desk_sees_what_opening_changes_and_players_redo_it(stage: Stage, table: Table, olga: Person) -> None:
    ada = table.players["Ada"]
    page = olga.open(f"{AT}/campaign/groups/{ada.id}")
    page = follow(olga, "Open steps again")
    links = page.soup.select("a[href*='step=']")
    assert len(links) == 10
    number = number_of(table, "Ada", "earn")
    (link,) = [tag for tag in links if str(tag["href"]).endswith(f"step={number}")]
    page = olga.open(str(link["href"]))
    assert "9 steps are set aside" in page.part("#opening")
    assert "Found" in page.part("#opening")
    assert table.history().aside == (), "nothing is changed by looking"
    page = olga.press("Open again", reason="A find was forgotten")
    assert page.path == f"{AT}/desk/campaign/{ada.id}"
    assert page.flashes == "Opened again: 9 steps are set aside, to be redone or left out."
    assert "9 in order" in page.part("#aside")
    assert "9 of its steps wait" in olga.open(f"{AT}/desk/campaign").part("#aside")
    olga.open(f"{AT}/desk/campaign/{ada.id}")
    assert "with a reason" in olga.press("Leave out the first").flashes
    assert olga.press("Leave out the first", reason="Found nothing").flashes == "Left out."
    assert olga.press("Redo them in order").flashes == "8 steps redone."
    assert "All steps are closed" in olga.page.text
    assert re.search("Opened steps of Ada again: 9 set aside.*A find was forgotten", str(stage.journal(table.event)))
    assert "1 step" in olga.open(f"{AT}/desk/campaign").part("#retaken"), "the second roll"


def test_desk_rules_on_a_group_on_its_page(stage: Stage, table: Table, olga: Person, visitor: Person) -> None:
    ada, game = table.players["Ada"], table.games[0]
    had = table.balances("Ada")["caps"]
    olga.open(f"{AT}/campaign/groups/{ada.id}")
    page = follow(olga, "Rule on the group")
    page = olga.press("Record the ruling", reason="", caps="3")
    assert (page.status, page.value("caps")) == (422, "3")
    assert page.error_at("reason")
    page = olga.press("Record the ruling", reason="A find", caps="-99")
    assert (page.status, page.error_at("caps")) == (422, "The group has too few Caps.")
    page = olga.press("Record the ruling", reason="A find", caps="3")
    assert (page.path, page.flashes) == (f"{AT}/campaign/groups/{ada.id}", "The ruling is recorded in the ledger.")
    assert "Ruling: A find" in visitor.open(f"{AT}/campaign/groups/{ada.id}").text
    olga.open(f"{AT}/desk/campaign/{ada.id}/rule")
    assert olga.press("Take back").flashes == "The ruling is taken back."
    assert table.balances("Ada")["caps"] == had

    stage.decide(table.event, stage.now(game), 1, 3)
    olga.open(f"{AT}/desk/campaign")
    page = follow(olga, "Rule on the difference")
    changed = {"-5": "loss", "5": "win"}[str(page.value("caps"))]
    assert f"the result is a {changed} now" in page.part("header .lede")
    olga.press("Record the ruling", reason="Misread")
    page = olga.open(f"{AT}/desk/campaign")
    assert len(page.soup.select("#differ li")) == 1
    assert olga.press("Settled").flashes == "Settled."
    assert olga.page.soup.select("#differ li") == []


def test_mark_to_check_is_settled_with_a_button(stage: Stage, olga: Person) -> None:
    def doubt(world: World, group: int, report: object) -> tuple[str, str]:
        return ("Too many fell.", "") if world.phases.get(group) == 0 else ("", "")

    with playing(replace(EARNING, doubt=doubt)):
        table = Table(stage)
        name, _ = table.decide_first_game()
        closed(table, name)
        assert [said for _, _, said in doubtful(table.history())] == ["Round 1: Too many fell."]
        assert "Too many fell." in olga.open(f"{AT}/desk/campaign").part("#differ")
        olga.press("Settled")
        assert list(doubtful(table.history())) == []
        assert olga.page.part("#differ") == ""
        assert "Ruling: Settled." in olga.open(f"{AT}/campaign/groups/{table.players[name].id}").part("#history")
        assert campaigns.undoable(table.history(), table.players[name]) is None
