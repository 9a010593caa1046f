"""A club that has used everything: an event of each kind, and at least one row in each table."""

from collections.abc import Iterator
from datetime import date, timedelta

from sqlalchemy import Connection, inspect, text

from events.accounts import own_pages, staff
from events.accounts.limits import Client
from events.accounts.tokens import make_token
from events.api.webhook_actions import add_webhook, try_webhook
from events.lists import sideboard_views as sideboards
from events.lists.locks import lock_now
from events.lists.own import add_edition, add_scenario
from events.messages import addresses, announcements
from events.public import clock as round_clock
from events.registration import actions as registration_actions
from events.registration import join_codes, leaving, payments, team_actions
from events.registration.erasure import erase
from events.registration.forms import Follows, Given
from events.registration.ruling_views import give_ruling, take_back_ruling
from events.registration.sign_ups import SignUp
from events.results import calls
from events.rounds import actions as rounds_actions
from events.rounds import byes, draft
from events.seasons import league_actions as leagues
from events.setup import actions as setup_actions
from events.setup import pairing_actions
from events.setup.circuit_forms import set_circuit
from events.setup.pairing_forms import set_season
from events.setup.restrictions import set_restrictions
from events.standings import awards, soft_scores
from events.store.verdicts import terms_of
from events.tournament.circuit import Circuit
from events.tournament.endings import ConcededVp, Ending
from events.tournament.pairing.seats import Rules
from events.tournament.points_table import typed_table
from events.tournament.scores import Ended
from events.tournament.season import Season
from events.tournament.soft_rules import Counts, Painting, SoftRules, Sports
from models.award import AwardKind, Card
from models.dispatch import Device, DispatchKind, NoticeOff, Occasion, WebhookKind, queued
from models.event import Event, KeptWhen
from models.kept_answer import KeptAnswer
from models.people import Account, AccountMail, EndedSignIn, Passkey, SignInAttempt, StaffSignIn
from models.play import Absent, Player, ReportSide
from models.settings import AskedBye, AvoidClubs, BoardsMatched, EventFormat, ReportDetail, SignUpBy
from models.staff import Role
from service.commands import demo
from service.commands.demo import Run
from tests.kit.forces import SCENARIO_FILES, read_force
from tests.kit.formats import NAMES, cut, cut_event, decide_all, formed, publish
from tests.kit.lists import PIPER, ROSTER
from tests.kit.own_editions import FILES, ID, SYSTEM, club_document, data_of
from tests.kit.raffles import hold_raffle
from tests.kit.stage import Stage
from tests.kit.team_events import choose, enter_teams, matches_in, of_team
from tests.kit.writing import give_mail, write_to
from tests.releases.seasons import play_campaign, play_league
from tests.validators.scenario_documents import EXAMPLE
from validators import SYSTEMS
from validators.editions import EditionTitle
from validators.game_system import understand
from validators.restrictions import Restrictions

WEEK = timedelta(weeks=1)


def fill(stage: Stage) -> None:
    """Play an event of each kind, and leave at least one row in each table."""
    stage.set_up("Olga")
    stage.set_up_link()
    for number, system in enumerate(SYSTEMS):
        _play(stage, demo.play(_run(stage, system, number), 4, 2))
    steps = demo.play(_run(stage, "battle_mode", 6), 4, 1)
    next(steps)
    newest = stage.all(Event)[-1]
    stage.set(newest, series="Wasteland Circuit")
    stage.do(newest, set_circuit, Circuit((10, 7, 5, 4, 3, 2, 1)))
    _play(stage, steps)
    _play(stage, play_league(_run(stage, "battle_mode", 7), 4))
    for number, system in enumerate(("fallout_warfare", "fallout_skirmish")):
        _play(stage, play_campaign(_run(stage, system, 8 + number), 2, 2))
    for build in (_teams, _doubles, _bracket, _top_cut, _ladder, _tabled, _sideboard, _all_kinds, _waiting):
        build(stage)
    _club(stage)


def empty_tables(connection: Connection) -> list[str]:
    """The database's tables without a row, whatever its revision."""
    tables = inspect(connection).get_table_names()
    return [name for name in tables if not connection.execute(text(f"SELECT count(*) FROM {name}")).scalar()]  # noqa: S608


def _run(stage: Stage, system: str, seed: int) -> Run:
    return Run(stage.s, stage.changing, system, seed, stage.clock(), leave_open=False, owner=None)


def _play(stage: Stage, steps: Iterator[str]) -> None:
    for _ in steps:
        stage.clock.advance(minutes=1)


def _teams(stage: Stage) -> None:
    """Captains choose the boards of round 1; a penalty for a team; round 2 is a draft."""
    event = stage.event("Teams of three", rounds=2)
    stage.do(event, pairing_actions.set_teams, 3, BoardsMatched.CHOICE, False)
    teams = {team.id: team for team in enter_teams(stage, event, "Reds", "Blues", "Greens")}
    stage.publish(event, 1)
    for match in matches_in(stage, event, 1):
        for id_ in (match.a_id, match.b_id):
            if match.b_id is not None and id_ is not None:
                choose(stage, event, match, id_, [player.id for player in of_team(stage, event, teams[id_])])
    decide_all(stage, event, stage.games(event, 1))
    stage.do(event, give_ruling, next(iter(teams.values())), Given("Late to the tables", points=-1, round_number=1))
    stage.draw(event, 2)


def _doubles(stage: Stage) -> None:
    event = stage.event("Doubles", rounds=2)
    stage.do(event, pairing_actions.set_teams, 1, BoardsMatched.ORDER, True)
    for name, other in (("Ann", "Ben"), ("Cat", "Dan"), ("Eve", "Fay")):
        stage.do(event, team_actions.enter_team, name, {}, "", here=True, partner=other)
    stage.play(event, 1)


def _bracket(stage: Stage) -> None:
    event = formed(stage, *NAMES[:5], of=stage.event("Bracket", rounds=1), format=EventFormat.KNOCKOUT)
    stage.play(event, 1)
    stage.draw(event, 2)
    decide_all(stage, event, publish(stage, event, 2))


def _top_cut(stage: Stage) -> None:
    """Two rounds, then semi-finals, the final and the match for third place."""
    event = cut_event(stage, 4, entered=6, swiss=2, third_place=True)
    stage.set(event, name="Top cut", slug="top-cut")
    cut(stage, event)
    decide_all(stage, event, publish(stage, event, 3))
    stage.draw(event, 4)
    decide_all(stage, event, publish(stage, event, 4))
    stage.do(event, setup_actions.finish)


def _ladder(stage: Stage) -> None:
    """Challenges: one played, one declined, one open."""
    event = stage.event("Ladder", ends_on=date(2027, 3, 1), players=NAMES[:5])
    stage.do(event, set_season, Season(kind="ladder"))
    stage.do(event, leagues.start_season)
    ada, bo, cy, di, ed = stage.all(Player, event_id=event.id)
    played, declined = (
        stage.do(event, leagues.challenge, own, other, date(2026, 12, 6)) for own, other in ((bo, ada), (ed, cy))
    )
    stage.decide(event, played, 3, 1)
    stage.do(event, leagues.answer_challenge, declined, cy, accept=False)
    stage.do(event, leagues.challenge, di, cy, date(2026, 12, 7))


def _tabled(stage: Stage) -> None:
    """Tournament points by VP difference, totals only; a concession, a no-show, a bye."""
    table = typed_table("2: 11 9\n5: 13 7\n9: 16 4\nmore: 20 0", 10, 14)
    event = stage.event("Points table", rounds=2, report_detail=ReportDetail.TOTALS, points_table=table)
    stage.set(event, bye_vp=7, conceded_vp=ConcededVp.SCORED, vp_cap=10)
    stage.enter(event, *NAMES[:5])
    for number in (1, 2):
        game, other, _ = stage.publish(event, number)
        answers = {"a.total": 12, "b.total": 4}
        stage.report(event, game, ReportSide.ORGANISER, answers, how=Ended(Ending.CONCEDED_A if number == 2 else None))
        if number == 1:
            stage.report(event, other, ReportSide.ORGANISER, {"a.total": 6, "b.total": 6})
    stage.no_show(event, other, Absent.B)
    stage.do(event, setup_actions.finish)


def _sideboard(stage: Stage) -> None:
    """Added rules of every kind, and both players of a game choose their forces."""
    event = stage.event("Sideboard", rounds=1)
    rules = Restrictions(
        banned=("Piper",), most_copies=(("Sneak", 2),), factions=("Survivors",), faction_locked=True, roster_size=1000,
        on_time_points=1, error_free_points=1, late_points=1,
    )  # fmt: skip
    stage.do(event, set_restrictions, rules)
    players = stage.enter(event, "Ann", "Ben")
    for player in players:
        stage.force(event, player, read_force(ROSTER))
    (game,) = stage.publish(event, 1)
    for player in players:
        stage.do(event, sideboards.choose, game, player, [0, 1, 21])


def _all_kinds(stage: Stage) -> None:
    """Everything that a Swiss event can have: soft scores, rulings, awards, messages, staff, calls, notices."""
    event = stage.event(
        "All kinds", rounds=3, fee="12 Euro", contact="olga@example.org", bring="Dice.\nA pencil.", starts_at="10:00",
        series="Wasteland Circuit", description="Two lines\nof text.", painting_points=1,
        tie_breaks=("vp", "conduct", "lots"),
    )  # fmt: skip
    questions = [
        {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False},
        {"id": "q2", "label": "Lunch", "kind": "choice", "choices": ["Soup", "Bread"], "required": True},
    ]
    soft = SoftRules(painting=Painting.VOTE, sports=Sports.SCALE, rulings_count=Counts.POINTS)
    stage.set(event, questions=questions, asked_bye=AskedBye.LOSS, late_points=1)
    stage.do(event, pairing_actions.set_soft_rules, soft)
    stage.do(event, pairing_actions.set_draw_rules, Rules(method="fold", off=("repeat_floats",)), AvoidClubs.ALWAYS)
    stage.do(event, pairing_actions.set_room, tables=6, tables_out=[2], scenario_per_table=True)
    ada, bo, cy, di, ed, flo, gus = people = stage.enter(event, *NAMES[:7], club="Dustbowl Gamers")
    stage.do(event, registration_actions.store_answers, ada, {"q1": "Nuts", "q2": "Soup"})
    stage.do(event, payments.mark_paid, [ada, bo])
    stage.do(event, byes.keep_apart, cy.id, di.id, KeptWhen.ALWAYS, cy.id)
    stage.do(event, byes.set_ringer, gus)
    stage.force(event, ada, read_force(PIPER))
    stage.do(event, lock_now)
    _staff(stage, event)
    _mail(stage, event, people)
    stage.draw(event, 1)
    first = next(game for game in stage.games(event, 1) if game.b_id)
    stage.do(
        event,
        draft.swap,
        1,
        first.a_id,
        next(person.id for person in people if person.id not in (first.a_id, first.b_id)),
    )
    stage.do(event, rounds_actions.publish_round, 1, sure=True)
    stage.do(event, round_clock.start_round_clock, 1)
    decide_all(stage, event, stage.games(event, 1))
    stage.do(event, byes.ask_bye, flo, 2)
    stage.enter(event, "Hal")
    games = [game for game in stage.publish(event, 2) if game.b_id]
    _reports(stage, event)
    _soft(stage, event, people)
    stage.do(event, calls.call_judge, games[-1], stage.one(Player, id=games[-1].a_id))
    stage.do(event, leaving.drop, ed, at_once=False)
    with stage.changing(event) as s:
        s.add(KeptAnswer(event_id=event.id, who=f"player {bo.id}", key="k" * 20, sha256="0" * 64, said="Saved",
                         at=stage.clock(), player_id=bo.id))  # fmt: skip


def _staff(stage: Stage, event: Event) -> None:
    for name, role in (("Jo", Role.JUDGE), ("Sam", Role.SCOREKEEPER)):
        stage.hire(event, name, role)
    olga = stage.one(Account, name="Olga")
    stage.do(event, staff.invite, Role.JUDGE, olga)
    stage.do(event, make_token, "Ranking", Role.SCOREKEEPER, 30, olga)
    address = "https://discord.com/api/webhooks/1/word"
    hook = stage.do(event, add_webhook, "Channel", WebhookKind.DISCORD, address, {"discord.com"})
    stage.do(event, try_webhook, hook)


def _mail(stage: Stage, event: Event, people: list[Player]) -> None:
    give_mail(stage, event, *people[:2])
    write_to(stage, event, "Hello {name}, lunch is at 13:00.", key="release")
    stage.do(event, addresses.ask_for, people[0], "new@mail.example", has_server=True)
    stage.do(event, announcements.announce, "Food is ready at the bar.")
    now = stage.clock()
    with stage.changing(event) as s:
        s.add_all([
            queued(DispatchKind.PUSH, now, event_id=event.id, player_id=people[0].id, occasion=Occasion.ROUND,
                   about="round 9"),
            NoticeOff(player_id=people[1].id, occasion=Occasion.DAY),
            Device(player_id=people[0].id, endpoint="https://push.example/1", p256dh="p", auth="a", added_at=now),
            queued(DispatchKind.LINKS, now, event_id=event.id, mail="ada@mail.example"),
            AccountMail(account_id=stage.one(Account, name="Olga").id, mail="olga@mail.example", key="k", given_at=now,
                        confirmed_at=now),
            queued(DispatchKind.ACCOUNT, now, account_id=stage.one(Account, name="Olga").id, about="Firefox on Linux"),
            Passkey(player_id=people[0].id, credential="p", public_key="p", handle="p", sign_count=0, name="Phone",
                    added_at=now),
        ])  # fmt: skip


def _reports(stage: Stage, event: Event) -> None:
    """A report, and a dispute with the organiser's decision."""
    a_game, other, *_ = [game for game in stage.games(event, 2) if game.b_id]
    stage.report(event, a_game, ReportSide.A, {"a.objectives": 3, "b.objectives": 1}, by="player")
    for side, a, b in ((ReportSide.A, 3, 1), (ReportSide.B, 1, 3), (ReportSide.ORGANISER, 2, 2)):
        stage.report(event, other, side, {"a.objectives": a, "b.objectives": b})


def _soft(stage: Stage, event: Event, people: list[Player]) -> None:
    ada, bo, *_ = people
    stage.do(event, soft_scores.set_figures, ada, 5, None)
    stage.do(event, soft_scores.open_vote)
    for voter, chosen in ((ada, bo), (bo, ada), (people[2], ada)):
        stage.do(event, soft_scores.vote, voter, chosen.id)
    stage.do(event, soft_scores.close_vote)
    stage.do(event, soft_scores.mark_opponent, ada, 1, 4)
    stage.do(event, soft_scores.close_marks)
    stage.do(event, give_ruling, ada, Given("Late", points=-1, vp=-2, card=Card.YELLOW, round_number=1))
    wrong = stage.do(event, give_ruling, bo, Given("Helped at the desk", points=1))
    stage.do(event, take_back_ruling, wrong)
    lost = Given("Threw a die", card=Card.RED, round_number=1, follows=Follows.GAME_LOST)
    stage.do(event, give_ruling, people[2], lost)
    stage.do(event, awards.add_usual)
    beard = stage.do(event, awards.add_award, AwardKind.OWN, "Best beard", None)
    stage.do(event, awards.name_winner, beard, "", bo.id, "It is long")
    hold_raffle(stage, event, "Paint set", "Dice")


def _waiting(stage: Stage) -> None:
    """Registration is open: a waiting list, a list in two steps, the club's own edition and scenario."""
    with stage.changing() as s:
        club = understand(FILES, data_of(club_document()), EditionTitle())
        add_edition(s, SYSTEM, club, "organiser Olga", stage.clock())
        slug = add_scenario(s, SYSTEM, SCENARIO_FILES.read(EXAMPLE), "organiser Olga", stage.clock()).slug
    event = stage.event("Own edition", edition=ID, scenarios=(slug, "", ""), places=2, players=("Ada", "Bo", "Cy"))
    edition, ada = terms_of(event).edition, stage.all(Player, event_id=event.id)[0]
    for models in (PIPER["models"], [*PIPER["models"], {"name": "Settler"}]):
        document = SYSTEM.forces.read(PIPER | {"edition": ID, "models": models}, edition)
        stage.force(event, ada, document, submit=False)
    stage.do(event, erase, stage.all(Player, event_id=event.id)[2])
    members = stage.event("Members first", sign_up_by=SignUpBy.MEMBERS_FIRST, everybody_from=stage.clock() + WEEK)
    (code,) = stage.do(members, join_codes.make_typed, "Members", 20, has_server=False)[0]
    stage.do(members, join_codes.make_typed, "Ada Archer ada@mail.example", 1, has_server=True)
    sign_up = SignUp(Client("here"), code=stage.now(code).code)
    stage.do(members, registration_actions.register, "Ada", {}, "", sign_up=sign_up)


def _club(stage: Stage) -> None:
    """Rows of no event: a person's page, an open, a failed and an ended sign-in."""
    now, olga = stage.clock(), stage.one(Account, name="Olga")
    with stage.changing() as s:
        own_pages.make_page(s, stage.all(Player)[0], now)
        s.add(StaffSignIn(account_id=olga.id, sign_in="2" * 32, browser="Firefox on Linux", at=now))
        s.add(EndedSignIn(sign_in="1" * 32, until=now + timedelta(days=1)))
        s.add(SignInAttempt(name_key="olga", at=now))
