"""The draft of a round, by its actions and at the desk: swaps, tables, locks, undo, the draw of another seed."""

import pytest

from events.journal.going_back import go_back, points_of
from events.public import clock
from events.rounds import actions as rounds_actions
from events.rounds import draft
from events.rounds.outcome import best_costs, costs_now, locked_in, steps_by_hand
from events.rounds.seatings import Seating, seatings
from models.journal import JournalEntry
from tests.kit.formats import drop
from tests.kit.person import PUBLISH, Page, Person, words
from tests.kit.stage import Absent, Event, Game, Round, Stage

SEVEN = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Seven players, two from one club; round 1 played, round 2 drawn: three pairs and a bye."""
    event = stage.event(rounds=4, players=SEVEN[:5])
    stage.enter(event, *SEVEN[5:], club="Reds")
    stage.play(event, 1)
    stage.draw(event, 2, seed=5)
    return event


def seated(stage: Stage, event: Event) -> list[tuple[int | None, int, int | None, str]]:
    """Every game of round 2: table, players, sheet code."""
    return [(g.table_number, g.a_id, g.b_id, g.code) for g in stage.games(event, 2)]


def the_round(stage: Stage) -> Round:
    return stage.one(Round, number=2)


def swap(stage: Stage, event: Event, number: int, other: int | None) -> list[str]:
    return [*stage.do(event, draft.swap, 2, number, other or 0).values()]


def lock(stage: Stage, event: Event, game: Game, *, locked: bool = True) -> None:
    stage.do(event, draft.lock, 2, game.a_id, game.b_id, locked=locked)


def test_second_rematch_by_hand_is_warned_of_like_the_first(stage: Stage) -> None:
    event = stage.event(rounds=3, players=SEVEN[:6])
    met = [(game.a_id, game.b_id or 0) for game in stage.play(event, 1)]
    stage.draw(event, 2, seed=5)
    warned = []
    for number, other in met[:2]:
        partner = {p: q for g in stage.games(event, 2) for p, q in ((g.a_id, g.b_id or 0), (g.b_id or 0, g.a_id))}
        warned.append(swap(stage, event, partner[number], other) if partner[number] != other else [])
    assert all(any("these two were paired before" in line for line in lines) for lines in warned), warned


@pytest.mark.both_at_length
def test_undo_restores_one_change_at_a_time_with_its_sheet(stage: Stage, event: Event) -> None:
    first, second, third, bye = stage.games(event, 2)
    drawn = seated(stage, event)
    swap(stage, event, first.a_id, second.a_id)
    after_one = seated(stage, event)
    assert len({*after_one} & {*drawn}) == 2, "the two unchanged games keep their sheets"
    stage.do(event, draft.set_table, 2, third.a_id, 1)
    warned = swap(stage, event, first.a_id, bye.a_id)
    assert any(line.startswith(f"{stage.name(first.a_id)}: bye: on 3 points") for line in warned), warned
    assert [note["kind"] for note in stage.games(event, 2)[-1].notes] == ["bye_higher"]
    stage.do(event, draft.undo_draft_change, 2)
    undone = stage.do(event, draft.undo_draft_change, 2)
    assert undone == f"Set {stage.name(third.a_id)} and {stage.name(third.b_id)} to table 1 in round 2"
    assert seated(stage, event) == after_one
    stage.do(event, draft.undo_draft_change, 2)
    assert seated(stage, event) == drawn
    stored = the_round(stage)
    assert "hand_changed" not in (stored.outcome or {})
    assert costs_now(stored) == best_costs(stored)
    stage.refuse("no changes by hand to undo", event, draft.undo_draft_change, 2)


@pytest.mark.both_at_length
def test_moving_a_game_swaps_tables_and_updates_costs(stage: Stage, event: Event) -> None:
    first, *_, bye = stage.games(event, 2)
    sat = next(g for g in stage.games(event, 1) if first.a_id in (g.a_id, g.b_id) and g.table_number != 1)
    stage.set(event, bye, notes=[{"kind": "bye_only_player"}])
    warnings = stage.do(event, draft.set_table, 2, first.a_id, sat.table_number or 0)
    assert any("table again" in warning for warning in warnings.values())
    assert bye.a_id not in warnings, "the same bye, though its reason has changed"
    assert costs_now(the_round(stage))["table_repeats"] >= 1
    now = {frozenset((g.a_id, g.b_id)): g.table_number for g in stage.games(event, 2)}
    assert now[frozenset((first.a_id, first.b_id))] == sat.table_number
    assert sorted(t for t in now.values() if t) == [1, 2, 3]
    stage.refuse("Choose a game", event, draft.set_table, 2, bye.a_id, 1)


@pytest.mark.both_at_length
def test_locked_pairs_are_neither_swapped_nor_drawn_again(stage: Stage, event: Event) -> None:
    stage.enter(event, "Hal", "Ida")
    first, second, *_, bye = stage.draw(event, 2, seed=5)
    for game in (first, first, bye):
        lock(stage, event, game)
    for number, other, why in (
        (first.a_id, second.a_id, f"{stage.name(first.a_id)} and .* are locked: unlock first"),
        (second.a_id, first.b_id, f"{stage.name(first.a_id)} and .* are locked: unlock first"),
        (second.a_id, bye.a_id, f"{stage.name(bye.a_id)} is locked"),
    ):
        stage.refuse_to(why, swap, stage, event, number, other)
    rest = set()
    for seed in range(4):
        games = stage.draw(event, 2, seed)
        assert {first.a_id, first.b_id} in [{g.a_id, g.b_id} for g in games]
        assert next(g.a_id for g in games if g.b_id is None) == bye.a_id
        rest.add(frozenset(frozenset((g.a_id, g.b_id)) for g in games))
    assert len(rest) > 1, "the others are drawn again"
    stored = the_round(stage)
    assert locked_in(stored) == ((str(first.a_id), str(first.b_id)), (str(bye.a_id), None))
    free, now = best_costs(stored), costs_now(stored)
    assert list(free.values())[:6] <= list(now.values())[:6], "locks never make a round better than the best draw"
    line = stage.all(JournalEntry, verb="draw-round")[-1]
    assert line.text.endswith("4 games, 2 locked")
    assert (len(line.details["before"]["locked"]), line.details["outcome"]["free"]) == (2, free)
    lock(stage, event, first, locked=False)
    swap(stage, event, first.a_id, next(g.a_id for g in games if g.b_id and first.a_id not in (g.a_id, g.b_id)))
    stage.refuse_to("is no longer in the draft", lock, stage, event, first)
    assert stage.journal(event, "lock")[:2] == [
        f"Locked {stage.name(first.a_id)} and {stage.name(first.b_id)} in round 2",
        f"Locked the bye of {stage.name(bye.a_id)} in round 2",
    ]


def test_change_by_hand_is_undone_after_a_restore_but_not_once_its_games_changed(stage: Stage, event: Event) -> None:
    first, second, third, _ = stage.games(event, 2)
    drawn = seated(stage, event)
    swap(stage, event, first.a_id, second.a_id)
    drop(stage, event, stage.name(third.a_id))
    swap(stage, event, first.a_id, third.a_id)
    stage.s.rollback()
    stage.do(event, go_back, next(point.id for point in points_of(stage.s, event) if "ropped" in point.text))
    assert len(steps_by_hand(stage.s, the_round(stage))) == 1
    stage.do(event, draft.undo_draft_change, 2)
    assert seated(stage, event) == drawn
    swap(stage, event, first.a_id, second.a_id)
    moved = stage.games(event, 2)[0]
    stage.set(event, moved, notes=[{"kind": "bye_only_player"}])
    stage.refuse("changed again since", event, draft.undo_draft_change, 2)
    stage.do(event, rounds_actions.discard_draw, 2)
    stage.draw(event, 2, seed=5)
    stage.refuse("no changes by hand to undo", event, draft.undo_draft_change, 2)


def test_undo_discard_or_drop_releases_locks(stage: Stage, event: Event) -> None:
    first, *_ = stage.games(event, 2)
    lock(stage, event, first)
    assert stage.do(event, draft.undo_draft_change, 2).startswith("Locked")
    assert locked_in(the_round(stage)) == ()
    lock(stage, event, first)
    stage.do(event, rounds_actions.discard_draw, 2)
    first, *_, bye = stage.draw(event, 2)
    assert locked_in(the_round(stage)) == ()
    for game in (first, bye):
        lock(stage, event, game)
    drop(stage, event, stage.name(first.a_id))
    stage.draw(event, 2)
    assert locked_in(the_round(stage)) == (), "one is gone, and the field is even"


ROUND = "/e/iron-open/desk/rounds/2"


@pytest.fixture
def drafted(olga: Person, stage: Stage, event: Event) -> tuple[Seating, ...]:
    """The games of round 2, which the organiser has opened."""
    olga.open(ROUND)
    return seatings(stage.games(event, 2))


def costs(page: Page) -> dict[str, tuple[str, str, str]]:
    """Each level's figure for the draft and for the best draw, and the difference with its sign and word."""
    return {row[0].split(" (")[0]: (row[1], row[2], row[3]) for row in page.rows(".costs-table")}


def press_swap(olga: Person, stage: Stage, number: int, other: int) -> Page:
    return olga.press("Swap", one=f"{stage.name(number)} (", other=f"{stage.name(other)} (")


def test_costs_are_compared_and_changes_undone(
    olga: Person, drafted: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    page = olga.page
    assert not page.soup.select(".draft-verdict"), "nothing is changed yet"
    assert {difference for _, _, difference in costs(page).values()} == {"= same"}
    assert "This is proven: no other pairing of these players is better." in page.part("#costs")
    partner = {one: other for g in drafted if g.b is not None for one, other in ((g.a, g.b), (g.b, g.a))}
    met = next(g for g in stage.games(event, 1) if g.b_id is not None and {g.a_id, g.b_id} <= partner.keys())
    number, other = partner[met.a_id], met.b_id or 0
    page = press_swap(olga, stage, number, other)
    assert page.part(".draft-verdict") == "Worse than the best draw"
    assert "proven" not in page.part("#costs"), "only the draw was proven, not the changes by hand"
    rematches, best, difference = costs(page)["Rematches"]
    assert (best, difference) == ("0", f"+{rematches} worse")
    assert page.part(".draft-said").startswith(f"{rematches} more rematch")
    assert page.flashes == "Swapped. See the warning in the marked row."
    assert "rematch: these two were paired before" in page.part(".touched .row-warning")
    assert len(page.soup.select(".touched")) == 2
    undo = f"Undo: Swapped {stage.name(number)} and {stage.name(other)} in round 2"
    after = olga.press(undo)
    assert after.flashes == f"Undone: Swapped {stage.name(number)} and {stage.name(other)} in round 2."
    assert not after.soup.select(".draft-undo")
    olga.page = page
    assert olga.press(undo).flashes == "There are no changes by hand to undo."
    press_swap(olga, stage, number, other)
    rematch = next(g for g in stage.games(event, 2) if {g.a_id, g.b_id} == {met.a_id, met.b_id})
    page = olga.press("Set", inside="#game", player=str(rematch.a_id), table="9")
    assert (page.flashes, page.soup.select(".row-warning")) == ("The game is changed.", []), "the rematch is not new"


def test_table_can_be_changed(olga: Person, drafted: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    first, *_ = drafted
    assert (first.table, "Not there now" in olga.page.text) == (1, False)
    page = olga.press("Set", inside="#game", player=str(first.a), table="9")
    assert page.part(".draft-verdict") == "As good as the best draw except for tables and scenarios"
    assert "Not there now: seated by hand." in page.text
    stage.set(event, tables=12)
    with stage.unchanged():
        for typed, why in (("0", "1 to 1000"), ("x", "a whole number"), ("9", "at table 9 already"),
                             ("13", "The event has tables 1 to 12.")):  # fmt: skip
            page = olga.press("Set", inside="#game", player=str(first.a), table=typed)
            assert (page.status, page.value("table")) == (422, typed)
            assert why.casefold() in page.error_at("table").casefold()
        page = olga.forge("Set", inside="#game", player="987654", table="1")
        assert (page.status, page.error_at("player") != "") == (422, True)


def test_locked_pairs_stay_in_the_next_draw(
    olga: Person, drafted: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    first, *_, bye = drafted
    pair = f"{stage.name(first.a)} and {stage.name(first.b)}"
    page = olga.press("Lock", inside="#lock", a=pair)
    assert [seat.text.split()[0] for seat in page.soup.select("[data-locked]")] == pair.split(" and ")
    page = olga.press("Lock", inside="#lock", a=f"{stage.name(bye.a)}, the bye", at=ROUND)
    assert "2 locked pairs stay." in page.text
    page = press_swap(olga, stage, first.a, bye.a)
    assert (page.status, "unlock first" in page.errors) == (422, True)
    page = olga.press("Draw the rest again")
    assert "The best draw is the one without locks." in page.part("#costs")
    again = next(game.a_id for game in stage.games(event, 2) if first.a in (game.a_id, game.b_id))
    olga.press("Unlock", inside="#lock", a=str(again))
    assert len(olga.page.soup.select("[data-locked]")) == 1
    with stage.unchanged():
        for fields in ({}, {"a": "9" * 5000}, {"a": "0", "locked": "1"}):
            olga.post(f"{ROUND}/lock", **fields)
            assert "is no longer in the draft" in olga.open(ROUND).flashes
        assert olga.post("/e/iron-open/desk/rounds/9/lock", a=str(first.a)).status_code == 404


def test_leaders_go_to_the_first_tables_with_one_button(olga: Person, stage: Stage, event: Event) -> None:
    first, second, third, _ = (game.a_id for game in stage.games(event, 2))
    assert "Leaders to table" not in olga.open(ROUND).text
    for player, table in ((first, 3), (second, 9)):
        olga.press("Set", inside="#game", player=str(player), table=str(table))
    assert olga.page.text.count("seated by hand") == 1, "one reason for both games"
    page = olga.press("Leaders to tables 1, 2")
    assert page.flashes == "The leaders are at the first tables."
    at = {game.a_id: game.table_number for game in stage.games(event, 2)}
    assert {at[first], at[second]} == {1, 2} and at[third] not in (1, 2)
    assert "Leaders to table" not in page.text
    assert stage.journal(event, "set-table")[-1] == "Put the leaders of round 2 at tables 1, 2"
    stage.refuse("at the first tables already", event, draft.leaders_first, 2)
    assert olga.press("Undo: Put the leaders of round 2 at tables 1, 2").status == 200


def test_publishing_a_round_stops_the_clock_of_the_round_before(olga: Person, stage: Stage, event: Event) -> None:
    assert "clock" not in olga.open(ROUND).part(".next-text")
    stage.do(event, clock.start_round_clock, 1)
    assert "Only the desk sees it. Publishing stops round 1’s clock." in olga.open(ROUND).part(".next-text")
    stage.clock.advance(minutes=5)
    olga.press(f"{PUBLISH} 2")
    assert stage.one(Round, number=1).stopped_at == stage.clock()
    assert stage.journal(event, "stop-clock") == ["Stopped the clock of round 1"]


def test_harmless_swap_has_no_warning(stage: Stage) -> None:
    event = stage.event(rounds=3, players=[f"Player {letter}" for letter in "ABCDEFGHIJKLMN"])
    stage.play(event, 1)
    stage.draw(event, 2, seed=5)
    down = next(game for game in stage.games(event, 2) if game.notes and game.notes[0]["kind"].startswith("pair_down"))
    higher = down.a_id  # every exchange leaves a pair-down, of this player or of the other one
    others = [number for game in stage.games(event, 2) if not game.notes for number in (game.a_id, game.b_id)]
    best, seen = costs_now(the_round(stage)), set()
    for other in others:
        warned = swap(stage, event, higher, other)
        worse = any(figure > best[name] for name, figure in costs_now(the_round(stage)).items())
        seen.add((worse, bool(warned)))
        stage.do(event, draft.undo_draft_change, 2)
    assert seen == {(False, False), (True, True)}


def test_rows_changed_by_hand_say_so_once_and_nothing_of_the_draw(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=[f"Player {letter}" for letter in "ABCDEF"])
    stage.play(event, 1)
    stage.draw(event, 2, seed=5)
    down = next(game for game in stage.games(event, 2) if game.notes and game.notes[0]["kind"] == "pair_down_odd")
    other = next(game for game in stage.games(event, 2) if not game.notes)
    olga.open("/e/iron-open/desk/rounds/2")
    undo = f"Undo: Swapped {stage.name(down.a_id)} and {stage.name(other.a_id)} in round 2"
    page = press_swap(olga, stage, down.a_id, other.a_id)
    rows = [words(row) for row in page.soup.select(".touched")]
    assert [row.count("paired by hand") for row in rows] == [1, 1]
    assert "an odd number" not in "".join(rows)
    warning = page.part(".touched .row-warning")
    reasons = [words(reason) for row in page.soup.select(".touched") for reason in row.select(".reasons li")]
    assert reasons == ["paired by hand"] * 2 or not any(reason in warning for reason in reasons), "each is said once"
    assert "an odd number" in olga.press(undo).text


def test_record_in_a_draft_counts_free_wins_as_the_standings_do(olga: Person, stage: Stage) -> None:
    event = stage.event("Rust Cup", players=SEVEN[:5])
    first, second, bye = stage.publish(event, 1)
    stage.no_show(event, first, Absent.B)
    stage.decide(event, second, 3, 1)
    stage.draw(event, 2)
    olga.open("/e/rust-cup/desk/rounds/2")
    seats = olga.page.soup.select(".seat:has(.record)")
    shown = {words(seat.select("bdi")[0]): words(seat.select(".record")[0]) for seat in seats}
    records = {row.name: row.record for row in stage.standings(event)}
    assert shown[stage.name(first.a_id)] == "3 points, 0-0-0, 1 win by no-show"
    assert shown[stage.name(bye.a_id)] == "3 points, 0-0-0, 1 bye"
    assert all(records[name].split(" +")[0] in line for name, line in shown.items())
