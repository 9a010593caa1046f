"""The draft of a round at the desk: reasons, costs, locks, undo, and the draw of another seed."""

from collections.abc import Callable

import pytest

from events.rounds.draft import Seating, costs_now, seatings
from models.event import Event, Round, RoundState
from models.journal import JournalEntry
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

ROUND = "/e/iron-open/desk/rounds/2"
COMPARE = f"{ROUND}/compare"
Enter = Callable[..., list[Person]]


@pytest.fixture
def draft(olga: Person, stage: Stage, event: Event) -> tuple[Seating, ...]:
    """Seven players, two from one club; round 1 played, round 2 drawn and opened by the organiser."""
    strength = {player.id: -player.id for player in stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")}
    strength |= {player.id: -player.id for player in stage.enter(event, "Fay", "Gus", club="Reds")}
    stage.play(event, 1, strength)
    games = seatings(stage.draw(event, 2, seed=5))
    olga.open(ROUND)
    return games


def costs(page: Page) -> dict[str, tuple[str, str, str]]:
    """Each level's figure for the draft and for the best draw, and the difference with its sign and word."""
    return {row[0].split(" (")[0]: (row[1], row[2], row[3]) for row in page.rows(".costs-table")}


def swap(olga: Person, stage: Stage, one: int, other: int) -> Page:
    return olga.press("Swap", one=f"{stage.name(one)} (", other=f"{stage.name(other)} (")


def test_draft_shows_reasons_and_records(olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    rows = olga.page.rows(".drafted")
    assert [row[0] for row in rows] == ["1", "2", "3", "bye"]
    assert "Player A points, wins-draws-losses" in olga.page.part(".drafted thead")
    by_name = {cell.split(" 3 points")[0].split(" 0 points")[0]: cell for row in rows for cell in row[1:3] if cell}
    for line in stage.standings(event):
        record = f"{line.points} points, {line.wins}-{line.draws}-{line.losses}" + (", 1 bye" if line.byes else "")
        assert record in by_name[line.name]
    assert "Reds" in by_name["Fay"]
    for game, row in zip(stage.games(event, 2), rows, strict=True):
        if game.notes:
            assert [note for note in game.notes if note not in row[3]] == []
        else:
            assert row[3] in ("both on 3 points, by lot", "both on 0 points, by lot")


def test_costs_are_compared_with_the_best_draw_and_changes_undone(
    olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    page = olga.page
    assert page.part(".draft-verdict") == "As good as the best draw"
    assert {difference for _, _, difference in costs(page).values()} == {"= same"}
    assert "This is proven: no other pairing of these players is better." in page.part("#costs")
    partner = {one: other for g in draft if g.b is not None for one, other in ((g.a, g.b), (g.b, g.a))}
    met = next(g for g in stage.games(event, 1) if g.b_id is not None and {g.a_id, g.b_id} <= partner.keys())
    one, other = partner[met.a_id], met.b_id or 0
    page = swap(olga, stage, one, other)
    assert page.part(".draft-verdict") == "Worse than the best draw"
    assert "proven" not in page.part("#costs"), "only the draw was, not what was made of it"
    rematches, best, difference = costs(page)["Rematches"]
    assert (best, difference) == ("0", f"+{rematches} worse")
    assert page.part(".draft-said").startswith(f"{rematches} more rematch")
    assert page.flashes == "Swapped. See the warning in the marked row."
    assert "rematch: these two have met before" in page.part("tr.touched .row-warning")
    assert "rematch: these two have met before" in page.part(".reason-bad")
    assert len(page.soup.select("tr.touched")) == 2
    undo = f"Undo: Swapped {stage.name(one)} and {stage.name(other)} in round 2"
    after = olga.press(undo)
    assert after.flashes == f"Taken back: Swapped {stage.name(one)} and {stage.name(other)} in round 2."
    assert after.part(".draft-verdict") == "As good as the best draw"
    assert not after.soup.select(".draft-undo")
    olga.page = page
    assert olga.press(undo).flashes == "There are no changes by hand to take back."


def test_table_can_be_changed(olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    first, *_ = draft
    assert (first.table, "leaders:" in olga.page.text) == (1, False)
    page = olga.press("Set the table", inside="#table", player=str(first.a), table="9")
    assert (page.flashes, page.soup.select(".row-warning")) == ("Seated.", [])
    assert "leaders: seated by hand" in page.part("tr.touched")
    before = stage.digest()
    for typed, words in (("0", "1 to 1000"), ("x", "a whole number"), ("9", "at table 9 already")):
        page = olga.press("Set the table", inside="#table", player=str(first.a), table=typed)
        assert page.status == 422, typed
        assert words.casefold() in page.error_at("table").casefold()
        assert page.value("table") == typed
    page = olga.forge("Set the table", inside="#table", player="987654", table="1")
    assert (page.status, page.error_at("player") != "") == (422, True)
    assert stage.digest() == before


def test_redraw_keeps_locked_pairs(olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    first, *_, bye = draft
    page = olga.press(f"Lock {stage.name(first.a)} and {stage.name(first.b)}")
    assert page.part("button.lock[aria-pressed=true]") == "Locked"
    olga.press(f"Lock {stage.name(bye.a)}, the bye")
    assert "2 pairs are locked: they stay while the rest is drawn." in olga.page.text
    page = swap(olga, stage, first.a, bye.a)
    assert (page.status, "unlock first" in page.errors) == (422, True)
    page = olga.press("Draw the rest again")
    assert "The best draw is the one without locks." in page.part("#costs")
    unlock = next(one for one in page.soup.select("button.lock[aria-pressed=true]") if "bye" not in one["aria-label"])
    olga.press(str(unlock["aria-label"]))
    assert len(olga.page.soup.select("button.lock[aria-pressed=true]")) == 1
    token, before = str(olga.page.value("csrf_token")), stage.digest()
    for fields in ({}, {"a": "x", "b": "1"}, {"a": "9" * 5000}, {"a": "1", "b": "1", "locked": "1"}):
        answer = olga.http.post(f"{ROUND}/lock", data=fields | {"csrf_token": token}, follow_redirects=True)
        assert "is no longer in the draft" in answer.text
    assert stage.digest() == before


def test_compared_draw_is_adopted_unless_the_draft_changed(
    olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    first, second, *_ = draft
    pairs = stage.pairs(event, 2)
    before = stage.digest()
    compared = olga.open(f"{COMPARE}?seed=12")
    assert (compared.part(".lede").startswith("The draft is "), stage.digest()) == (True, before)
    olga.open(ROUND)
    swap(olga, stage, first.a, second.a)
    before = stage.digest()
    olga.page = compared
    assert "The draft was changed meanwhile." in olga.press("Adopt seed 12").flashes
    assert stage.digest() == before
    seed = next(n for n in range(12, 60) if olga.open(f"{COMPARE}?seed={n}").soup.select(".two-draws"))
    page = olga.page
    assert [cell.text for cell in page.soup.select(".costs-table thead th")][1:3] == ["Draft", "Other"]
    ours, theirs = ([li.text for li in div.select(".pair-list > li")] for div in page.soup.select(".two-draws > div"))
    assert len(ours) == len(theirs) > 0
    assert f"{4 - len(ours)} of 4 games" in page.text
    assert "changed by hand" in page.part(".two-draws h3")
    assert page.part(".two-draws > div:last-child h3") == f"Seed {seed}"
    olga.open(ROUND)
    olga.press("Draw again with the same lots")
    assert stage.pairs(event, 2) == pairs
    expected = costs(olga.open(f"{COMPARE}?seed=12"))
    page = olga.press("Adopt seed 12")
    assert (page.path, page.flashes) == (ROUND, "The draw of seed 12 is the draft now.")
    the_round = stage.one(Round, number=2)
    assert the_round.seed == 12
    assert [str(figure) for figure in costs_now(the_round).values()] == [there for _, there, _ in expected.values()]
    line = stage.one(JournalEntry, verb="adopt-draw")
    assert line.text == "Adopted seed 12 for round 2 in place of seed 5"
    assert line.details["compared"] == [5, 12]
    assert line.details["costs"][1] == costs_now(the_round)
    with stage.changing(event):
        the_round.state = RoundState.PUBLISHED
    before = stage.digest()
    olga.page = compared
    assert "not a draw that waits" in olga.press("Adopt seed 12").flashes
    assert stage.digest() == before
    page = olga.open(f"{COMPARE}?seed=12")
    assert (page.path, page.flashes) == (ROUND, "Round 2 is not a draft: there is nothing to compare.")


def test_missing_or_invalid_seed_is_replaced_by_a_random_one(olga: Person, draft: tuple[Seating, ...]) -> None:
    answers = [olga.ask("GET", COMPARE) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert len({answer.headers["Location"] for answer in answers}) == 2
    for typed in ("x", "-1", "1.5", "9" * 5000, str(2**63), "١٢"):
        page = olga.open(f"{COMPARE}?seed={typed}")
        assert (page.status, "Enter a seed from 0" in page.flashes) == (200, True), typed


def test_other_draw_keeps_locks_and_uses_the_current_field(
    olga: Person, draft: tuple[Seating, ...], stage: Stage, event: Event, enter: Enter
) -> None:
    first, *_ = draft
    olga.press(f"Lock {stage.name(first.a)} and {stage.name(first.b)}")
    page = olga.open(f"{COMPARE}?seed=99")
    assert "1 pair is locked: it is the same in both." in page.text
    assert stage.name(first.a) not in page.part(".two-draws")
    enter(event, "Late")
    page = olga.open(f"{COMPARE}?seed=99")
    assert "The standings or the field changed after the draft" in page.text
    assert "Late" in page.part(".two-draws > div:last-child")


def test_draft_explains_swaps_the_bye_and_why_leaders_sit_elsewhere(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *(f"Player {letter}" for letter in "ABCDEFG"))
    first, second, *_ = stage.draw(event, 1)
    olga.open(ROUND.replace("2", "1"))
    assert [row[3] for row in swap(olga, stage, first.a_id, second.a_id).rows(".drafted")[:3]] == [
        "paired by hand", "paired by hand", "by lot",
    ]  # fmt: skip
    stage.play(event, 1)
    stage.draw(event, 2, seed=4)
    page = olga.open(ROUND).text
    assert "of these 3 players, the one whose bye leaves the best pairs; else by lot" in page
    assert "leaders: not at table 1, where Player A played before" in page
