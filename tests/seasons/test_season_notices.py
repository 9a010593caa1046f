"""Mailed notices of a season: proposed days, challenges, overdue games and reported results."""

from datetime import date
from typing import Any

from events.messages import devices
from events.results import challenges
from events.seasons import league_actions as leagues
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.dispatch import Occasion
from models.event import Event
from models.play import Player, ReportSide
from models.settings import EventFormat
from service.commands.maintain import remind
from tests.kit.mail_server import Mailbox
from tests.kit.stage import Stage
from tests.kit.writing import ALL_MAILS, deliver, give_mail, notices
from tests.seasons.test_ladder import answer_of

SECRET = "a secret for tests, of enough characters"


def mailed(stage: Stage, box: Mailbox) -> list[tuple[str, str]]:
    """The mails that one pass of the worker sends: the recipient and the first sentence of each."""
    box.arrived.clear()
    box.to.clear()
    stage.s.rollback()
    deliver(stage, box, SECRET, ALL_MAILS)
    return [
        (to.split("@")[0], mail.get_content().replace("\r\n", "\n").split("\n\n")[1])
        for mail, to in sorted(zip(box.arrived, box.to, strict=True), key=lambda row: row[1])
    ]


def season(stage: Stage, *names: str, **rules: Any) -> tuple[Event, list[Player]]:
    """A season of these players, all with mail addresses, that has not begun."""
    event = stage.event(ends_on=date(2027, 3, 1))
    players = list(stage.enter(event, *names))
    give_mail(stage, event, *players)
    stage.do(event, set_format, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(**rules))
    return event, players


def test_days_and_the_reported_result_of_a_game_are_mailed_to_the_opponent(stage: Stage, box: Mailbox) -> None:
    event, _ = season(stage, "Ada", "Bo", days=7)
    stage.do(event, leagues.draw_season, 7)
    assert [text for text, _ in mailed(stage, box)] == ["ada", "bo"], "the round"
    (game,) = stage.games(event, 1)
    a, b = (stage.name(id_) for id_ in (game.a_id, game.b_id))
    day, today = date(2026, 12, 9), stage.clock().date()
    stage.do(event, leagues.propose, game, "a", day, today)
    proposed = f"{a} proposes Wednesday 9 December for your game. Agree, or propose another day, on your page."
    assert mailed(stage, box) == [(b.lower(), proposed)]
    stage.do(event, leagues.propose, game, "a", date(2026, 12, 8), today)
    stage.clock.advance(minutes=1)
    stage.do(event, leagues.propose, game, "a", day, today)
    assert mailed(stage, box) == [(b.lower(), proposed)], "the day proposed in between is not mailed"
    stage.do(event, leagues.agree_to_day, game, "b", day, today)
    assert mailed(stage, box) == [(a.lower(), f"Your game against {b} is on Wednesday 9 December.")]
    stage.do(event, leagues.set_dates, game, date(2026, 12, 10), date(2026, 12, 11), "The hall is closed")
    assert len(mailed(stage, box)) == 4
    before = len(notices(stage))
    for n in range(30):
        stage.clock.advance(minutes=1)
        stage.do(event, leagues.propose, game, "a", date(2026, 12, 8 + n % 2), today)
    assert len(notices(stage)) - before < leagues.MOST_DAY_NOTICES, "nobody fills the opponent's mailbox"
    stage.clock.advance(minutes=1)
    stage.do(event, leagues.set_dates, game, date(2026, 12, 10), date(2026, 12, 11), "The hall is closed now")
    assert mailed(stage, box) == []
    stage.report(event, game, ReportSide.A, {"a.objectives": 1, "b.objectives": 3})
    reported = "The result of your game in round 1 is reported. Please check it on your page."
    assert mailed(stage, box) == [(b.lower(), reported)]


def test_challenges_and_their_answers_are_mailed(stage: Stage, box: Mailbox) -> None:
    event, (ada, bo, cy) = season(stage, "Ada", "Bo", "Cy", kind="ladder", answer_days=5)
    stage.do(event, leagues.start_season)
    game = stage.do(event, leagues.challenge, bo, ada, date(2026, 12, 6))
    assert mailed(stage, box) == [("ada", "Bo challenged you. Answer by Friday 11 December on your page.")]
    stage.do(event, answer_of, game, ada, accept=True)
    assert mailed(stage, box) == [("bo", "Ada accepted your challenge. Agree on a day now.")]
    stage.decide(event, game, 1, 3)
    again = stage.do(event, leagues.challenge, cy, ada, date(2026, 12, 6))
    stage.do(event, answer_of, again, ada, accept=False)
    assert mailed(stage, box) == [("cy", "Ada declined your challenge: you win the game.")], "no challenge to answer"
    third = stage.do(event, leagues.challenge, bo, cy, date(2026, 12, 6))
    assert [to for to, _ in mailed(stage, box)] == ["cy"]
    stage.do(event, challenges.withdraw_challenge, third, bo)
    assert mailed(stage, box) == [("cy", "The challenge between you and Bo is cancelled. Your page says why.")]


def test_overdue_game_is_mailed_once_for_each_last_day(stage: Stage, box: Mailbox) -> None:
    event, _ = season(stage, "Ada", "Bo", days=7)
    stage.do(event, leagues.draw_season, 7)
    mailed(stage, box)
    (game,) = stage.games(event, 1)
    remind(stage.engine, stage.clock())
    assert mailed(stage, box) == []
    stage.clock.advance(days=22)
    for _ in range(2):
        remind(stage.engine, stage.clock())
    sentence = "was due by Friday 11 December. Play it soon, or write to the organiser."
    assert [(to, text.split(" ", 4)[4]) for to, text in mailed(stage, box)] == [("ada", sentence), ("bo", sentence)]
    stage.do(event, leagues.set_dates, game, None, date(2027, 1, 5), "Ada is ill")
    mailed(stage, box)
    stage.clock.advance(days=40)
    remind(stage.engine, stage.clock())
    assert len(mailed(stage, box)) == 2


def test_unanswered_challenge_is_mailed_to_players_who_want_the_notice(stage: Stage, box: Mailbox) -> None:
    event, (ada, bo) = season(stage, "Ada", "Bo", kind="challenge", answer_days=5)
    stage.do(event, leagues.start_season)
    with stage.changing() as s:
        devices.choose_occasions(s, bo, {*Occasion} - {Occasion.OVERDUE})
    stage.do(event, leagues.challenge, bo, ada, stage.clock().date())
    stage.clock.advance(days=7)
    remind(stage.engine, stage.clock())
    assert [row.occasion for row in notices(stage)] == [Occasion.CHALLENGE, Occasion.OVERDUE]
    ((to, sentence),) = mailed(stage, box)
    assert to == "ada"
    assert sentence.startswith("The challenge between you and Bo needed an answer by ")
