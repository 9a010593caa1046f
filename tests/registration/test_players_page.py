"""The player's own page, and the pages of no-shows, requested byes, stand-ins, drops and players kept apart."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from events.public.player_page import snapshot_of
from events.registration.check_in import check_in
from events.registration.leaving import drop, reinstate
from events.results import actions as results_actions
from events.results.actions import Origin
from events.standings.awards import add_usual
from events.standings.published_awards import publish_awards
from events.store.act import Act
from events.tournament.season import Season
from models.event import Event, KeptApart
from models.settings import AskedBye
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.papers import texts
from tests.kit.person import CLOSE_EVENT, DROP_PLAYER, Enter, Page, Person
from tests.kit.stage import BY, Absent, GameState, Player, PlayerState, ReportSide, Stage
from tests.kit.statements import sent
from tests.kit.writing import write_to

ME = "/e/iron-open/me"
NAMES = ("Ada", "Bo", "Cy", "Di")
MOST_STATEMENTS = 5
"""Of one player's own page: the sign-in with the event, own games, why one was decided, the own list and its seals."""


@pytest.fixture
def people(enter: Enter, event: Event) -> dict[str, Person]:
    return dict(zip(NAMES, enter(event, *NAMES), strict=True))


def record(page: Page) -> list[list[str]]:
    """Each card of the day: round and letter, result, opponent, points and rank."""
    return [
        [" ".join(part.get_text(" ").split()) for part in card.select("p")] for card in page.soup.select(".path > li")
    ]


def cards(page: Page) -> list[str]:
    """The words of each card of the rounds."""
    return [" ".join(card.get_text(" ").split()) for card in page.soup.select(".path > li")]


def test_record_grows_by_round_with_points_and_rank(people: dict[str, Person], stage: Stage, event: Event) -> None:
    assert record(people["Ada"].open(ME)) == []
    first = stage.play(event, 1)
    stage.play(event, 2)
    games = stage.publish(event, 3)
    at_table = {stage.name(id_): game.table_number for game in games for id_ in (game.a_id, game.b_id)}
    for own in first:
        pair = sorted((stage.name(own.a_id), stage.name(own.b_id)))  # the player entered first wins
        for name, other, result in ((*pair, "Win 3 : 1"), (*pair[::-1], "Loss 1 : 3")):
            lines = record(people[name].open(ME))
            after = [{row.name: row for row in stage.standings(event, number)}[name] for number in (1, 2)]
            for line, row in zip(lines, after, strict=False):
                assert re.fullmatch(rf"{row.points} points? in all, {row.rank}(st|nd|rd|th) of 4", line[3]), line
            assert lines[0][:3] == [f"Round 1 {result[0]}", result, other]
            assert lines[2][:2] == ["Round 3", f"Table {at_table[name]}"] and len(lines[2]) == 3
    for game, number in ((first[0], 1), (games[0], 3)):
        stage.decide(event, game, 2, 2)
        assert record(people[stage.name(game.a_id)].open(ME))[number - 1][1] == "Draw 2 : 2"
    assert record(people[stage.name(games[0].a_id)].open(ME))[2][3:] == [], "it counts when the round is complete"
    stage.decide(event, games[1], 2, 1)
    lede = people["Ada"].open(ME).part(".lede")
    (row,) = (row for row in stage.standings(event, 3) if row.name == "Ada")
    assert lede.startswith(f"You are {row.rank}")
    assert f"of 4, with {row.points} tournament points." in lede


def test_own_page_takes_few_statements(app: Flask, people: dict[str, Person], stage: Stage, event: Event) -> None:
    """The control: the first page after the round's last result reads the shared data."""
    engine = app.extensions["overseer_engine"]
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.play(event, 1)
    games = stage.publish(event, 2)
    for person in people.values():
        assert person.open(ME).status == 200
    counts = {}
    with sent(engine) as counts["warm"]:
        people["Ada"].open(ME)
    stage.decide(event, stage.now(games[0]), 2, 1)
    for name in people:
        with sent(engine) as counts[f"{name}, one result in"]:
            assert people[name].open(ME).status == 200
    for when, statements in counts.items():
        assert len([statement for statement in statements if statement != "BEGIN"]) <= MOST_STATEMENTS, (
            when,
            statements,
        )
        assert not [statement for statement in statements if "FROM round" in statement], when
    stage.decide(event, stage.now(games[1]), 2, 1)
    with sent(engine) as first:
        assert people["Bo"].open(ME).part("h1") == "Round 2 is complete"
    assert len(first) > MOST_STATEMENTS
    news = "/e/iron-open/version"
    mark = people["Ada"].http.get(news).headers["ETag"]
    with sent(engine) as asked:
        assert people["Ada"].http.get(news, headers={"If-None-Match": mark}).status_code == 304
    assert len(asked) <= 3, asked


def test_desks_decision_is_shown_with_its_reason_at_its_round(
    app: Flask, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    first, second = stage.play(event, 1)
    history = f"/e/iron-open/games/{first.id}"
    stage.publish(event, 2)
    others = people[stage.name(second.a_id)]
    a_won = (first.answers or {})["a.objectives"] == 3
    turned = {"a.objectives": 2, "b.objectives": 5} if a_won else {"a.objectives": 5, "b.objectives": 2}
    stage.report(event, first, ReportSide.ORGANISER, turned, origin=Origin("Wrong column"))
    assert "Wrong column" not in others.open(ME).text
    for name in (stage.name(first.a_id), stage.name(first.b_id)):
        page = people[name].open(ME)
        assert "Corrected at the desk: Wrong column" in page.part("#line-1")
        assert page.soup.select_one(f"#line-1 a[href='{history}']")
        assert "at the desk" not in page.part("#line-2")
    with sent(app.extensions["overseer_engine"]) as statements:
        people[name].open(ME)
    assert len([statement for statement in statements if statement != "BEGIN"]) <= MOST_STATEMENTS, statements
    stage.no_show(event, second, Absent.A)
    assert others.open(ME).soup.select_one(f"#line-1 a[href='/e/iron-open/games/{second.id}']"), "it has the reason"


def test_any_further_change_renews_all_own_pages(people: dict[str, Person], stage: Stage, event: Event) -> None:
    """A round's last result, one in a complete round, a table with extra time, and more than the result."""
    game, other = stage.publish(event, 1)

    def is_renewed(act: Callable[[], object]) -> bool:
        before = stage.now(event).players_stamp
        act()
        return stage.now(event).players_stamp != before

    def with_another_change() -> None:
        with stage.changing(event) as s:
            claim = results_actions.Claim(ReportSide.ORGANISER, {"a.objectives": 2}, game.version, sure=True)
            results_actions.report(Act(s, event, BY, stage.clock()), stage.now(game), claim)
            s.get_one(Player, game.a_id).club = "Other"

    assert not is_renewed(lambda: stage.decide(event, stage.now(game), 3, 1)), "the control"
    assert not is_renewed(lambda: stage.decide(event, stage.now(game), 3, 1)), "the same report again"
    assert is_renewed(with_another_change)
    assert is_renewed(lambda: stage.decide(event, stage.now(other), 3, 1))
    assert is_renewed(lambda: stage.decide(event, stage.now(game), 1, 3))
    first, _ = stage.publish(event, 2)
    stage.set(event, first, extra_seconds=300)
    assert is_renewed(lambda: stage.decide(event, stage.now(first), 3, 1))
    stage.set(event, first, extra_seconds=0)
    assert not is_renewed(lambda: stage.decide(event, stage.now(first), 2, 1))
    stage.set(event, season=Season(days=7))
    assert is_renewed(lambda: stage.decide(event, stage.now(first), 1, 2)), "a season's standings count it"


def test_snapshot_holds_nothing_private_or_unpublished(people: dict[str, Person], stage: Stage, event: Event) -> None:
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    stage.play(event, 1)
    write_to(stage, event)
    drawn = stage.draw(event, 2)
    shared = repr(snapshot_of(stage.s, stage.now(event)))
    assert str(stage.games(event, 1)[0].code) in shared, "the control"
    for canary in ("Piper", *(game.code for game in drawn)):
        assert canary not in shared


def test_page_of_a_dropped_player_a_late_entry_and_after_the_last_round(
    people: dict[str, Person], enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    stage.play(event, 1)
    people["Di"].open(ME)
    page = people["Di"].press("Drop from the event")
    assert "You dropped after round 1. You are" in " ".join(page.part(".lede").split())
    stage.publish(event, 2)
    (late,) = enter(event, "Late")
    assert "You joined after it was drawn: you play from round 3." in " ".join(late.open(ME).text.split())
    player = stage.one(Player, name="Late")
    stage.set(event, player, entered_round=4)
    assert "from round" not in late.open(ME).text, "it would tell of the draft of round 3"
    stage.set(event, player, entered_round=3)
    for game in stage.games(event, 2):
        if game.b_id is not None:
            stage.decide(event, game, 3, 1)
    *games, last = [game for game in stage.publish(event, 3) if game.b_id is not None]
    for game in games:
        stage.decide(event, game, 3, 1)
        done = people[stage.name(game.a_id)].open(ME).part("[data-poll-part=game]")
        assert "This is the last round." in done and "next round" not in done
    stage.decide(event, last, 3, 1)
    page = people["Ada"].open(ME)
    assert "That was the last round." in page.part(".lede")
    stage.do(event, add_usual)
    stage.do(event, publish_awards)
    olga.press(CLOSE_EVENT, at="/e/iron-open/desk")
    champion = stage.standings(event)[0].name
    assert "You won: Champion" in people[champion].open(ME).text
    for row in stage.standings(event)[:3]:
        page = people[row.name].open(ME)
        assert page.part("h1").startswith(f"You came {row.rank}{('st', 'nd', 'rd')[row.rank - 1]} of ")
        assert "The event is over." in page.part(".lede") and page.soup.select("a.button[href$='/standings']")
    words = " ".join(people["Di"].open(ME).text.split())
    assert "You came" in words
    assert "You dropped after round 1." in words


EVENT = "/e/iron-open"
DESK = "/e/iron-open/desk"
FIVE = ("Ada", "Bo", "Cy", "Di", "Ed")


def page_of(stage: Stage, name: str) -> str:
    return f"{DESK}/players/{stage.one(Player, name=name).id}"


def test_missed_round_is_shown_with_its_reason(enter: Enter, visitor: Person, stage: Stage, event: Event) -> None:
    people = dict(zip(FIVE, enter(event, *FIVE), strict=True))
    stage.play(event, 1)
    (late,) = enter(event, "Late", here=False)
    assert "You are not checked in. Go to the desk, or you are not drawn into round 2." in late.open(ME).part(".lede")
    assert all("of 5, with" in person.open(ME).part(".lede") for person in people.values()), "who played are counted"
    stage.do(event, check_in, stage.one(Player, name="Late"))
    shown = cards(visitor.open(f"{EVENT}/players/{stage.one(Player, name='Late').id}"))
    assert "Round 1 missed Joined in round 2" in shown, "before the first game too"
    stage.do(event, drop, stage.one(Player, name="Ed"))
    stage.play(event, 2)
    stage.do(event, reinstate, stage.one(Player, name="Ed"))
    stage.play(event, 3)
    for person, number, why in ((late, 1, "Joined in round 2"), (people["Ed"], 2, "Had dropped out")):
        assert record(person.open(f"{EVENT}/me"))[number - 1][1:3] == ["Missed", why]
    ed = cards(visitor.open(f"{EVENT}/players/{stage.one(Player, name='Ed').id}"))
    assert "Round 2 missed Had dropped out" in ed
    standings = visitor.open(f"{EVENT}/standings").text
    assert "missed round 1 (joined in round 2)" in standings and "missed round 2 (had dropped out)" in standings


def test_no_show_is_shown_and_reverted(enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    people = dict(zip(FIVE[:4], enter(event, *FIVE[:4]), strict=True))
    game, other = stage.publish(event, 1)
    here, gone = stage.name(game.a_id), stage.name(game.b_id)
    page = olga.press(f"{gone} did not come", at=f"{DESK}/games/{game.id}")
    assert "Undo it here" in page.flashes
    assert f"{gone} did not come: no points, and a win with the VP of a bye for {here} ." in page.part("#absent")
    assert stage.now(game).state == GameState.CONFIRMED
    own = people[here].open(f"{EVENT}/me").text
    assert own.count(f"Win: {gone} did not come") == 2, "by the game and in the record"
    assert f"Win: {gone} did not come . You have the VP of a bye." in own
    assert "You did not come . Come to the desk if you are here." in people[gone].open(f"{EVENT}/me").text
    assert f"{gone} did not come: {here} wins" in visitor.open(f"{EVENT}/rounds/1").part(".pairings")
    stage.decide(event, other, 3, 1)
    assert f"{here} win by no-show" in [row[1] for row in visitor.open(f"{EVENT}/standings").rows(".standings")]
    assert "1 win by no-show × 3 = 3" in visitor.page.text
    assert f"Win: {gone} did not come" in visitor.open(f"{EVENT}/players/{game.a_id}").text
    assert f"{gone} did not come" in cards(visitor.open(f"{EVENT}/players/{game.b_id}"))[0]
    assert "Report a no-show" in olga.press("Undo the no-show", at=f"{DESK}/games/{game.id}").part("#absent")
    assert stage.now(game).state == GameState.OPEN
    (nobody,) = olga.page.soup.select("button[value=both]")
    assert nobody["data-confirm"] == "Neither player gets points for this game."
    page = olga.press("Nobody came")
    assert ("Enter the result" in page.text, "Correct the result" in page.text) == (True, False)
    olga.press("Save", **{"a.objectives": "3", "b.objectives": "1"})
    assert (stage.now(game).absent, game.state) == (None, GameState.CONFIRMED)


def test_no_show_replaces_a_result_only_from_its_page_with_a_reason(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    mine = olga.open(f"{DESK}/games/{game.id}")
    stage.decide(event, game, 3, 1)
    assert "Another person has changed this game." in olga.press("Nobody came").flashes
    assert stage.now(game).absent is None
    for wrong in ("x", "9" * 30, "²", ""):
        olga.page = mine
        assert olga.forge("Nobody came", version=wrong).status == 404
    assert olga.post(f"{DESK}/games/{game.id}/absent", version="1", who="c").status_code == 404
    asked = olga.open(f"{DESK}/games/{game.id}").soup.select_one("#absent [data-confirm]")
    assert asked and "3 : 1" in str(asked["data-confirm"])
    assert "Give the reason" in olga.press("Nobody came", inside="#absent").flashes
    assert (stage.now(game).absent, game.state) == (None, GameState.CONFIRMED)
    olga.press("Nobody came", inside="#absent", reason="They entered another table")
    assert stage.now(game).absent == Absent.BOTH
    assert "They entered another table" in olga.open(f"{EVENT}/games/{game.id}").text


def test_absent_players_can_be_dropped_at_once(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    first, second = stage.publish(event, 1)
    olga.press("Nobody came", at=f"{DESK}/games/{first.id}", drops=True)
    olga.press(f"{stage.name(second.a_id)} did not come", at=f"{DESK}/games/{second.id}", drops=True)
    dropped = {player.id for player in stage.all(Player) if player.state == PlayerState.DROPPED}
    assert dropped == {first.a_id, first.b_id, second.a_id}


def test_requested_bye_is_on_all_pages(enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    people = dict(zip(FIVE, enter(event, *FIVE), strict=True))
    ed = stage.one(Player, name="Ed")
    olga.open(page_of(stage, "Ed"))
    for wrong in ("9", "one"):
        assert "Choose one of the event's rounds." in olga.forge("Sit out round 1", number=wrong).flashes
    assert olga.press("Sit out round 1").flashes == "Ed has a bye in round 1."
    assert olga.press("Play round 1").flashes == "Ed plays round 1."
    olga.press("Sit out round 1")
    stage.play(event, 1)
    assert "Sit out round 1" not in olga.open(page_of(stage, "Ed")).text, "that round is published"
    byes = [row for row in visitor.open(f"{EVENT}/rounds/1").rows(".pairings") if row[0] == "bye"]
    assert [row[-1] for row in byes] == ["asked for"]
    for worth in (AskedBye.WIN, AskedBye.DRAW, AskedBye.LOSS):
        stage.set(event, asked_bye=worth)
        assert f"it counts as a {worth.value}" in olga.open(page_of(stage, "Ed")).part("#byes")
        assert f"{worth.value} (bye asked for)" in visitor.open(f"{EVENT}/players/{ed.id}").text
        assert f"a bye that you asked for as a {worth.value}" in visitor.open(EVENT).text
    for sheet in ("rounds/1/pairings.pdf", "rounds/1/pairings.pdf?order=name", "standings.pdf"):
        assert "bye asked for" in " ".join(texts(olga.open(f"{EVENT}/{sheet}"))).lower(), sheet
    stage.enter(event, "Flo", "Gus")
    olga.press("Sit out round 2", at=page_of(stage, "Ed"))
    stage.publish(event, 2)
    assert "You asked for a bye in this round: it counts as a loss." in people["Ed"].open(f"{EVENT}/me").text


def test_player_drops_now_or_later(enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    people = dict(zip((*FIVE, "Flo"), enter(event, *FIVE, "Flo"), strict=True))
    first, second, third = stage.publish(event, 1)
    gone, here = stage.name(first.a_id), stage.name(first.b_id)
    buttons = olga.open(page_of(stage, gone)).soup("button")
    (question,) = {str(button["data-confirm"]) for button in buttons if button.get_text(strip=True) == "Drop now"}
    assert f"reads that {gone} dropped out" in question and "enter the result as conceded first" in question
    olga.press("Drop now", at=page_of(stage, gone))
    assert stage.now(first).absent == Absent.A
    assert f"{gone} dropped out: {here} wins" in visitor.open(f"{EVENT}/rounds/1").part(".pairings")
    assert f"Win: {gone} dropped out" in people[here].open(f"{EVENT}/me").text
    taken_back = f"The no-show at table {first.table_number} is then open again."
    assert taken_back in olga.open(f"{DESK}/rounds/1").part("#not-right")
    olga.press("Drop after this game", at=page_of(stage, stage.name(second.a_id)))
    leaver = people[stage.name(second.b_id)]
    leaver.press("Drop from the event", at=f"{EVENT}/me")
    assert stage.now(second).absent is None, "players who leave still play the current game"
    stage.decide(event, third, 3, 1)
    stage.decide(event, second, 3, 1)
    ranked = visitor.open(f"{EVENT}/standings").part(".standings")
    assert f"{gone} dropped, game lost by leaving" in ranked and f"{gone} no-show" not in ranked
    olga.press(DROP_PLAYER, at=page_of(stage, stage.name(third.a_id)))
    assert stage.now(third).absent is None, "the game was reported"
    drops = [line for line in stage.journal(event, "drop") if "lost" in line]
    assert drops == [f"Dropped {gone} after round 1; lost: round 1"]


def test_page_of_a_player_who_never_played_offers_to_remove_the_sign_up(
    olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Twice")
    olga.press("Drop", at=page_of(stage, "Twice"))
    remove = "Remove this sign-up …"
    asked = olga.press(remove, at=page_of(stage, "Twice"))
    assert "Twice" in asked.text and len(stage.all(Player)) == 3
    stage.publish(event, 1)
    assert remove not in olga.open(page_of(stage, "Ada")).text


def test_worth_of_rounds_without_a_game_is_set_in_the_settings(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(f"{DESK}/settings/counting")
    chosen = {"bye_vp": "7", "asked_bye": "win", "late_points": "1", "vp_cap": "12"}
    page = olga.press("Save", **{f"counting-{name}": typed for name, typed in chosen.items()})
    assert page.flashes == "Saved."
    stage.now(event)
    assert (event.bye_vp, event.asked_bye, event.late_points, event.vp_cap) == (7, AskedBye.WIN, 1, 12)
    olga.press("Save", **{"counting-vp_cap": "", "counting-bye_vp": ""})
    assert (stage.now(event).bye_vp, event.vp_cap) == (None, None)
    assert stage.journal(event, "change-pairing")[0] == (
        "Changed what rounds without a game count for: “Victory points of a bye”, “Bye asked for”, "
        "“Late entry” from 0 to 1, “Limit of the VP difference”"
    )


@pytest.mark.proves("attack 6")
def test_pair_is_kept_apart_and_may_meet_again(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    ada, *_ = stage.enter(event, *FIVE[:4])
    page = olga.press("Keep apart", at=f"{DESK}/kept-apart", one="Ada")
    assert (page.status, "Choose a player." in page.error_at("other")) == (422, True)
    page = olga.press("Keep apart", other="Ada", asked="one")
    assert "Choose two different players" in page.error_at("other")
    assert (page.value("one"), page.value("asked")) == (str(ada.id), "one")
    page = olga.press("Keep apart", one="Ada", other="Bo", when="always", asked="other")
    assert page.flashes == "They are kept apart from the next draw on."
    assert page.rows("table.cards") == [["Ada and Bo", "in every round", "Bo", "Allow to meet"]]
    assert "1 pair" in olga.open(f"{DESK}/settings/draw").part("main")
    stage.draw(event, 1)
    assert not {frozenset(pair) for pair in stage.pairs(event, 1)} & {frozenset(("Ada", "Bo"))}
    assert visitor.ask("GET", f"{DESK}/kept-apart").status_code == 403
    assert "asked" not in " ".join(stage.journal(event, "keep-apart"))
    olga.open(f"{DESK}/kept-apart")
    assert olga.post(f"{DESK}/kept-apart/{2**40}/remove").status_code == 404
    assert olga.press("Allow to meet").flashes == "They may meet again."
    assert stage.all(KeptApart) == []
