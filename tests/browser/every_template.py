"""Events in all states, and the addresses of pages that render every template, by the user who may see them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Thread

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from events.accounts import own_pages, staff
from events.accounts.limits import Client
from events.api.webhook_actions import add_webhook, try_webhook
from events.lists.own import add_scenario
from events.lists.sharing import share_list
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.account_mails import account_mail_token
from events.messages.text import address_mark, change_token
from events.registration.actions import register
from events.registration.join_codes import make_codes
from events.registration.leaving import drop
from events.registration.sign_ups import SignUp
from events.seasons import campaign_actions as campaigns
from events.setup import pairing_actions
from events.setup.actions import finish
from events.setup.pairing_actions import set_format
from events.setup.restrictions import set_restrictions
from events.standings import awards, soft_scores
from events.store.campaign import campaign_history
from events.tournament.circuit import Circuit
from events.tournament.endings import Ending
from events.tournament.soft_rules import Painting, SoftRules, Sports
from events.visitors.queries import link_token
from models.dispatch import WebhookKind
from models.event import Event
from models.journal import ChangeSet
from models.message import Contact, MailChange, Message
from models.people import Account, AccountMail
from models.play import ForceList
from models.settings import BoardsMatched, SignUpBy
from models.staff import Invitation, Role
from models.team import Team
from tests.kit.every_page import NAMES, made
from tests.kit.forces import SCENARIO_FILES, read_force, sample_force
from tests.kit.lists import ROSTER
from tests.kit.person import ADD, SIGN_UP
from tests.kit.raffles import hold_raffle
from tests.kit.stage import BY, Absent, Player, Stage
from tests.kit.team_events import enter_teams, of_team, team_event
from tests.seasons.earning import campaign_of
from tests.validators.scenario_documents import EXAMPLE
from validators import SYSTEMS
from validators.restrictions import Restrictions


@dataclass
class Places:
    """For each user, the pages to open: name, address, and the button to press there, if any."""

    pages: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    """Private links of players, who have no account, by user."""

    def add(self, who: str, name: str, address: str, pressed: str = "") -> None:
        """Add a page; ``pressed`` names the button that leads to it, e.g. to show a form's errors."""
        self.pages.setdefault(who, {})[name] = (address, pressed)

    def add_all(self, who: str, base: str, addresses: Mapping[str, str]) -> None:
        for name, address in addresses.items():
            self.add(who, name, base + address)


class Quiet(WSGIRequestHandler):
    """Logs no requests, only errors."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve the application in this process, so that Flask's signals report its templates; yield its URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def places_of(app: Flask, stage: Stage) -> Places:
    """Create events and return their pages. The users "owner" and "scorekeeper" sign in with a password."""
    events = {event.slug: event for event in made(stage)}
    found = Places()
    running, opened, drawn = (events[name] for name in ("running", "open-for-all", "drawn"))
    enable_soft_scores(stage, running)
    add_player_pages(app, stage, running, found)
    add_own_pages(app, stage, running, found)
    add_running_event(stage, running, found)
    add_registration_pages(app, stage, opened, drawn, found)
    add_formats(app, stage, events, found)
    add_club_pages(stage, events, found)
    with stage.changing() as s:
        owner = stage.one(Account, name="owner")
        address = AccountMail(account_id=owner.id, mail="owner@mail.example", key="k", given_at=stage.clock())
        s.add(address)
        link = f"/account-mail/{account_mail_token(str(app.secret_key), address)}"
    found.add("anybody", "account-mail-confirm", link)
    return found


def enable_soft_scores(stage: Stage, event: Event) -> None:
    """Turn on painting scores and votes, sportsmanship scores, awards and mail."""
    stage.do(event, pairing_actions.set_soft_rules, SoftRules(painting=Painting.VOTE, sports=Sports.SCALE))
    stage.do(event, soft_scores.open_vote)
    stage.do(event, awards.add_usual)
    hold_raffle(stage, event, "A very large terrain kit with ruins, barrels, three wrecked cars and a bridge", "Dice")
    stage.do(event, mail_addresses.allow_mail, True)


def add_player_pages(app: Flask, stage: Stage, event: Event, found: Places) -> None:
    """Add players' pages in round 2: a game without a report, one reported, one disputed."""
    reported_game, disputed, open_game, *_ = stage.games(event, 2)
    base = f"/e/{event.slug}"
    people = {"player": open_game.a_id, "answerer": reported_game.b_id, "disputer": disputed.b_id}
    before = next(game for game in stage.games(event, 1) if game.b_id and game.a_id in people.values())
    stage.set(event, before, ending=Ending.CONCEDED_B)
    rival = stage.one(Player, id=before.b_id)
    stage.set(event, rival, name="Bartholomew-Maximilian Featherstonehaugh-Cholmondeley of York")
    for who, player_id in people.items():
        found.links[who] = link(app, stage.one(Player, id=player_id))
        found.add_all(who, base, {f"{who}-today": "/me", f"{who}-game": "/me/game"})
    found.add_all("player", base, {
        "link": "/me/link", "round-own": "/rounds/2", "player-votes": "/me/votes", "player-mail": "/me/mail",
        "player-notices": "/me/notices", "lost-link": "/lost-link",
        "player-journal": "/me/journal", "player-passkeys": "/me/passkeys", "keep-together": "/me/page",
        "player-data": "/me/data",
    })  # fmt: skip
    found.add("player", "switch-player", link(app, stage.one(Player, id=reported_game.b_id)))
    found.add("owner", "desk-decide", f"{base}/desk/games/{disputed.id}")
    found.add("disputer", "game-versions", f"{base}/games/{disputed.id}")
    own = stage.one(Player, id=open_game.a_id)
    stage.do(event, addresses.give_address, own, "own@mail.example")
    stage.do(event, addresses.ask_for, own, "new@mail.example", has_server=True)
    stage.do(
        event, addresses.give_own_address, stage.one(Player, id=disputed.b_id), "new@mail.example", has_server=False
    )
    given = stage.one(Contact, mail="new@mail.example")
    mark = address_mark(app.secret_key, given)
    found.add("anybody", "confirm-mail", f"{link(app, stage.one(Player, id=given.player_id))}/{mark}")
    asked = change_token(app.secret_key, stage.one(MailChange).key)
    found.add_all("anybody", "/mail/", {"mail-agree": asked, "mail-agreed": "no-such-link"})
    found.add("anybody", "sheet-side", f"/g/{open_game.code}")
    found.add("anybody", "sheet-done", f"/g/{reported_game.code}")


def link(app: Flask, player: Player) -> str:
    return f"/p/{link_token(app.secret_key, player)}"


def add_own_pages(app: Flask, stage: Stage, event: Event, found: Places) -> None:
    """Add the page of a person with entries in three events, shown to everybody, and another one put into it."""
    old = over_event(stage, "Over for long")
    coming = [stage.event(name, players=(NAMES[0],)) for name in ("To come", "To come later")]
    mine = [stage.all(Player, event_id=an_event.id)[0] for an_event in (event, old, *coming)]
    stage.force(coming[0], mine[2], sample_force("Survivors", 750, 4))
    rivals = stage.all(Player, event_id=old.id)[1:3]
    with stage.changing() as s:
        page, other, joined = (own_pages.make_page(s, rival, stage.clock()) for rival in (mine[0], *rivals))
        for player in mine[1:]:
            own_pages.add_entry(s, page, player, stage.clock())
        page.shown = other.shown = True
        other.alias = "W" * 60
    with stage.changing() as s:
        own_pages.put_together(s, page, joined)
    found.links["person"] = f"/m/{link_token(app.secret_key, page)}"
    found.add_all("person", "", {
        "own-page": "/me", "own-page-link": "/me/link", "own-page-settings": "/me/settings",
        "own-page-passkeys": "/me/passkeys", "own-entry": f"/e/{event.slug}/me/page",
        "both-pages": f"/m/{link_token(app.secret_key, other)}", "public-page": f"/people/{other.id}",
    })  # fmt: skip
    found.add_all("anybody", "", {
        "no-own-page": "/me", "own-page-opened": found.links["person"], "own-page-ended": "/m/no-such-link",
    })  # fmt: skip


def add_running_event(stage: Stage, event: Event, found: Places) -> None:
    """Add the desk and the public pages of an event in its second round."""
    base, player = f"/e/{event.slug}", stage.all(Player, event_id=event.id)[0]
    sent = stage.all(Message, event_id=event.id)[0]
    channel = "https://discord.com/api/webhooks/1/word"
    hook = stage.do(event, add_webhook, "W" * 60, WebhookKind.SIGNED, channel, {"discord.com"})
    stage.do(event, try_webhook, hook)
    found.add_all("owner", f"{base}/desk", {
        "desk": "", "desk-players": "/players", "desk-lists": "/lists", "desk-round": "/rounds/2",
        "desk-settings": "/settings", "desk-journal": "/journal", "desk-print": "/print", "desk-clock": "/clock",
        "desk-results": "/rounds/2/results", "desk-entry": "/rounds/2/entry?table=1", "desk-undo": "/undo",
        "desk-exchange": "/rounds/2/exchange",
        "desk-player": f"/players/{player.id}", "desk-builder": f"/players/{player.id}/force",
        "desk-list": f"/lists/{player.id}", "desk-erase": f"/players/{player.id}/erase",
        "desk-mail": f"/players/{player.id}/mail", "desk-missing": "/lists/missing", "desk-messages": "/messages",
        "desk-message": "/messages/new?template=round", "desk-letter": f"/messages/{sent.id}", "desk-door": "/door",
        "desk-cancel": "/cancel", "desk-delete": "/delete",
        "desk-archive": "/archive", "desk-draw": "/settings/draw", "desk-set-lists": "/settings/lists",
        "desk-set-event": "/settings/event", "desk-awards": "/awards", "desk-raffle": "/raffle",
        "desk-soft": "/soft",
        "desk-rulings": "/rulings", "desk-restrictions": "/restrictions",
        "desk-apart": "/kept-apart", "desk-staff": "/staff", "desk-tokens": "/tokens",
        "desk-search": f"/search?q={player.name[:2]}", "desk-ready": "/ready/playing", "desk-ways-back": "/ways-back",
        "desk-write": f"/journal/{stage.all(ChangeSet, event_id=event.id)[-1].id}", "desk-planned": "/rounds/3",
        "desk-webhooks": "/webhooks", "desk-money": "/money", "desk-payment": f"/players/{player.id}/payment",
    })  # fmt: skip
    found.add("owner", "desk-token", f"{base}/desk/tokens", "Make token")
    found.add("owner", "desk-message-wrong", f"{base}/desk/messages/new", "Preview")
    found.add("owner", "desk-rulings-wrong", f"{base}/desk/rulings", "Give")
    found.add("owner", "desk-wrong", f"{base}/desk/players", ADD)
    found.add("owner", "awards", f"{base}/awards")
    found.add_all("anybody", base, {
        "event": "", "round": "/rounds/2", "round-by-name": "/rounds/2?order=name", "standings": "/standings",
        "lists": "/lists", "scenario": "/scenarios/raiders", "closed": "/register", "hall": "/hall",
        "round-text": "/rounds/2/text", "standings-text": "/standings/text",
        "hall-names": "/hall/names", "hall-clock": "/hall/clock", "hall-raffle": "/hall/raffle", "raffle": "/raffle",
        "player-of-all": f"/players/{player.id}",
    })  # fmt: skip
    found.add("owner", "desk-copy", f"/desk/copy/{event.slug}")
    found.add("anybody", "interface", "/api/v1")
    found.add("anybody", "verify-round", f"/verify?round={event.slug}/2")


def add_registration_pages(app: Flask, stage: Stage, opened: Event, drawn: Event, found: Places) -> None:
    """Add pages of open registration, and a drafted round that a scorekeeper may not see."""
    base = f"/e/{opened.slug}"
    illegal, none, *_ = stage.all(Player, event_id=opened.id)
    found.links |= {"builder": link(app, illegal), "beginner": link(app, none)}
    found.add_all("builder", base, {"builder": "/me/force", "builder-today": "/me", "share": "/me/share"})
    stage.do(opened, share_list, illegal)
    found.add("anybody", "shared-list", f"/l/{stage.one(ForceList, player_id=illegal.id).share_token}")
    found.add("beginner", "builder-start", f"{base}/me/force")
    stage.enter(opened, "Hal", "Ida")
    found.add("beginner", "answers", f"{base}/me/answers")
    found.add("anybody", "series", "/series/wasteland-league")
    questions = [
        {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False},
        {"id": "q2", "label": "Lunch", "kind": "choice", "choices": ["Soup", "Bread"], "required": True},
    ]
    stage.set(opened, series="Wasteland League", circuit=Circuit((3, 2)))
    for event in (opened, drawn):
        stage.set(event, convention="North Con", starts_at="10:00")
    found.add("anybody", "convention", "/c/north-con")
    found.add("anybody", "convention-wrong", "/c/north-con", "Sign up for the ticked events")
    found.add("owner", "desk-move-player", f"{base}/desk/players/{none.id}")
    stage.set(opened, contact="olga" * 30 + "@example.org", questions=questions,
              bring="Dice trays.\n" + "W" * 90)  # fmt: skip
    found.add_all("owner", f"{base}/desk", {
        "desk-open": "", "desk-check-in": "/players", "desk-print-first": "/print",
        "desk-lock": "/lists/lock", "desk-self-check-in": "/self-check-in", "desk-scanned": f"/door/{none.id}",
    })  # fmt: skip
    found.add_all("anybody", base, {
        "event-open": "", "register": "/register", "lists-secret": "/lists", "event-privacy": "/privacy",
    })  # fmt: skip
    found.add("anybody", "register-wrong", f"{base}/register", SIGN_UP)
    codes = stage.event("By code", sign_up_by=SignUpBy.CODE)
    code, _ = stage.do(codes, make_codes, ["W" * 60, "Club night"], 1)
    member = stage.do(codes, register, NAMES[0], {}, "", sign_up=SignUp(Client("here"), code=code.code))
    stage.do(codes, drop, member)
    found.links["back"] = link(app, member)
    found.add("back", "come-back", f"/e/{codes.slug}/me/come-back")
    found.add_all("owner", f"/e/{codes.slug}/desk/codes", {"desk-codes": "", "desk-code": f"/{code.id}"})
    found.add("owner", "desk-codes-wrong", f"/e/{codes.slug}/desk/codes", "Make the codes")
    found.add("anybody", "register-by-code", f"/e/{codes.slug}/register")
    found.add_all("owner", f"/e/{drawn.slug}/desk/rounds", {"desk-drawn": "/1"})
    found.add("scorekeeper", "desk-not-yet", f"/e/{drawn.slug}/desk/rounds/1")


def add_formats(app: Flask, stage: Stage, events: Mapping[str, Event], found: Places) -> None:
    """Add pages of teams, captains' boards, a season, a bracket, a cut that is not made yet, and a sideboard."""
    teams = events["iron-open"]
    base, team = f"/e/{teams.slug}", stage.all(Team, event_id=teams.id)[0]
    found.add_all("anybody", base, {
        "team-round": "/rounds/1", "team-standings": "/standings/teams", "teams": "/teams", "team": f"/teams/{team.id}",
    })  # fmt: skip
    found.add_all("owner", f"{base}/desk", {
        "desk-teams": "/teams", "desk-team": f"/teams/{team.id}", "desk-team-round": "/rounds/1",
    })  # fmt: skip
    captains = team_event(stage, boards=BoardsMatched.CHOICE, tables=8)
    reds, _ = enter_teams(stage, captains, "Rooks", "Pawns")
    stage.publish(captains, 1)
    found.links["captain"] = link(app, of_team(stage, captains, reds)[0])
    found.add("captain", "boards", f"/e/{captains.slug}/me/boards")
    (alone,) = stage.enter(captains, "Nobody’s")
    stage.s.rollback()
    found.links["alone"] = link(app, alone)
    found.add("alone", "find_team", f"/e/{captains.slug}/me/team")
    draft = team_event(stage, tables=8)
    enter_teams(stage, draft, "Cats", "Dogs")
    stage.draw(draft, 1)
    cut = stage.event("Cut", rounds=1)
    stage.do(cut, set_format, cut=4)
    stage.enter(cut, *NAMES)
    stage.play(cut, 1)
    board = stage.event("Sideboard")
    stage.do(board, set_restrictions, Restrictions(roster_size=1000))
    for player in stage.enter(board, "Ann", "Ben"):
        stage.force(board, player, read_force(ROSTER))
    stage.publish(board, 1)
    found.links["fielder"] = link(app, stage.all(Player, event_id=board.id)[0])
    found.add("fielder", "fielded", f"/e/{board.slug}/me/fielded")
    found.add("owner", "desk-team-draft", f"/e/{draft.slug}/desk/rounds/1")
    found.add("owner", "desk-cut", f"/e/{cut.slug}/desk/cut")
    found.add("owner", "desk-seeding", f"/e/{events['bracket'].slug}/desk/seeding")
    season = events["all-meet"]
    game = stage.games(season, 1)[0]
    found.links["season-player"] = link(app, stage.one(Player, id=game.b_id))
    found.add_all("season-player", f"/e/{season.slug}", {"season-today": "/me", "season-own": "/season"})
    found.add_all("owner", f"/e/{season.slug}/desk/season", {"desk-season": "", "desk-dates": f"/games/{game.id}"})
    found.add("anybody", "season", f"/e/{season.slug}/season")
    add_campaign(app, stage, found)
    found.add("anybody", "crosstable", f"/e/{season.slug}/crosstable")
    found.add("anybody", "bracket", f"/e/{events['bracket'].slug}/bracket")


def add_campaign(app: Flask, stage: Stage, found: Places) -> None:
    """Add pages of a Skirmish campaign during the steps after a game."""
    event = stage.event("Campaign", game="fallout_skirmish")
    game = campaign_of(stage, event, *NAMES[:4])[0]
    stage.no_show(event, game, Absent.B)
    player = stage.one(Player, id=game.a_id)
    stage.do(event, campaigns.begin_steps, player)
    stage.s.rollback()
    history = campaign_history(stage.s, event)
    while not any(offer.dice for offer in history.world.rules.offers(history.world, player.id)):
        stage.do(event, campaigns.end_phase, player, campaigns.newest_step(history, player))
        stage.s.rollback()
        history = campaign_history(stage.s, event)
    base = f"/e/{event.slug}"
    found.links["group"] = link(app, player)
    found.add_all("group", base, {
        "campaign-today": "/me", "campaign-steps": "/me/campaign", "campaign-home": "/campaign",
        "campaign-group": f"/campaign/groups/{player.id}",
    })  # fmt: skip
    found.add("group", "campaign-dice", f"{base}/me/campaign", "Type what we rolled")
    found.add("owner", "desk-campaign", f"{base}/desk/campaign")
    found.add("owner", "campaign-closed", f"{base}/desk/campaign/{player.id}/closed")
    found.add("owner", "campaign-rule", f"{base}/desk/campaign/{player.id}/rule")


def over_event(stage: Stage, name: str = "Over") -> Event:
    """An event that is over, with enough games for its statistics."""
    event = stage.event(name, rounds=5)
    for place, player in enumerate(stage.enter(event, *NAMES)):
        stage.set(event, player, faction=("Raiders", "NCR")[place % 2])
    for number in range(1, event.rounds + 1):
        stage.play(event, number)
    stage.do(event, finish)
    return event


def over_with_ranking(stage: Stage) -> Event:
    """The event that is over, with a ranking of two of its players."""
    event = over_event(stage)
    with stage.changing() as s:
        for player in stage.all(Player, event_id=event.id)[:2]:
            own_pages.make_page(s, player, stage.clock()).rated_since = stage.clock()
    return event


def add_club_pages(stage: Stage, events: Mapping[str, Event], found: Places) -> None:
    """Add pages outside events: the club, accounts, single-use links and the rules."""
    found.add_all("anybody", "", {
        "home": "/", "sign-in": "/sign-in", "error": "/no-such-page", "used-link": "/p/no-such-link",
        "statistics": "/statistics", "event-statistics": f"/e/{over_with_ranking(stage).slug}/statistics",
        "ranking": "/ranking",
        "calculator": "/rules/skill-combat/attack?roll=6", "calculator-wrong": "/rules/skill-combat/burst?roll=0",
        "calculator-body": "/rules/skill-combat/body", "calculator-turn": "/rules/skill-combat/turn?points=3&hexes=6",
        "rules": "/rules/battle-mode", "edition": "/rules/battle-mode/editions/2018-08?against=2021-01",
        "edition-of-packs": "/rules/battle-mode/editions/2021-01", "sheet-code": "/g", "privacy": "/privacy",
        "set-up": stage.set_up_link(),
    })  # fmt: skip
    found.add("anybody", "new-password", stage.password_link(stage.all(Account)[0].name))
    found.add("anybody", "verify-wrong", "/verify", "Check the file")
    found.add("anybody", "passkey", "/sign-in/passkey")
    running = events["running"]
    with stage.changing() as s:
        own = add_scenario(
            s, SYSTEMS["battle_mode"], SCENARIO_FILES.read(EXAMPLE | {"name": "The mill"}), BY, stage.clock()
        )
        used = add_scenario(
            s, SYSTEMS["battle_mode"], SCENARIO_FILES.read(EXAMPLE | {"name": "The dam"}), BY, stage.clock()
        )
        as_file = replace(SYSTEMS["new_vegas"].scenario("open-battle"), id="ours", name="Ours")
        add_scenario(s, SYSTEMS["new_vegas"], as_file, BY, stage.clock())
    played = stage.event("At the dam", rounds=1, scenarios=(used.slug,), players=("Joe", "Kim"))
    stage.play(played, 1)
    found.add("owner", "this-phone", "/phone")
    found.add_all("owner", "/desk", {
        "desks": "", "new": "/new", "editions": "/editions", "edition-new": "/editions/battle-mode/new",
        "edition-correct": "/editions/battle-mode/2018-08/correct",
        "scenarios": "/scenarios", "scenario-copied": "/scenarios/battle-mode/new?start=raiders",
        "scenario-own": f"/scenarios/battle-mode/{own.slug}", "scenario-used": f"/scenarios/battle-mode/{used.slug}",
        "scenario-file": "/scenarios/new-vegas/own-ours", "archive-in": "/archive-in",
        "phones": "/phones",
    })  # fmt: skip
    for name, address, pressed in (
        ("account", "/account", "Change password"), ("passkeys", "/account/passkeys", "Continue"),
        ("account-mail", "/account/mail", ""),
        ("new-wrong", "/desk/new", "Create event"),
        ("edition-wrong", "/desk/editions/battle-mode/new", "Read the file"),
        ("edition-correct-wrong", "/desk/editions/battle-mode/2018-08/correct", "Preview"),
        ("scenario-wrong", "/desk/scenarios/battle-mode/new", "Save"),
    ):  # fmt: skip
        found.add("owner", name, address, pressed)
    owner = stage.one(Account, name="owner")
    open_one, ended = (stage.do(running, staff.invite, Role.JUDGE, owner) for _ in range(2))
    stage.do(running, staff.withdraw, stage.one(Invitation, id=ended[0].id))
    found.add("owner", "desk-invitation", f"/e/{running.slug}/desk/staff/invitations/{open_one[0].id}")
    found.add_all("anybody", "/i/", {"invitation": open_one[1], "invitation-ended": ended[1]})
