"""An event with a secret in every private field, and functions that read the text of every answer."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import chain
from zipfile import ZipFile, is_zipfile

import pypdf
import pypdfium2 as pdfium
from flask import Flask
from sqlmodel import select
from werkzeug.test import TestResponse

from events.lists import actions as lists_actions
from events.lists.own import add_scenario
from events.lists.sharing import share_list
from events.messages import addresses as mail_addresses
from events.registration import payments, ruling_views
from events.registration.forms import Given
from events.rounds import draft as rounds_draft
from events.standings import awards
from events.store.editions import system_of
from events.visitors.queries import link_token
from models.award import AwardKind
from models.dispatch import Device
from models.event import Event
from models.message import Message
from models.people import Account
from models.play import ForceList, Game, ListSeal, Player
from models.settings import ListsShown
from models.staff import Role
from tests.kit.forces import SCENARIO_FILES, read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.routes import filled, of_game, rules
from tests.kit.stage import BY, Stage
from tests.kit.writing import write_to
from tests.validators.scenario_documents import EXAMPLE

STAFF = tuple(role.value for role in Role)
PEOPLE = ("anybody", "self", "opponent", "other", *STAFF, "stranger", "rival", "club")
SOME = tuple(name for name in PEOPLE if name not in ("other", "organiser", "judge", "stranger"))
"""Readers: a signed-out visitor; Ada, who owns most secrets, her opponent and another player; one member of staff for
each role; a player and the owner of another event; an organiser of the club without a role at any event."""
LISTS, RUN = {"owner", "organiser", "judge", "list_checker"}, {"owner", "organiser"}
PAID = RUN | {"treasurer"}
CLUB = {"club"}
ALSO = ("/desk/search?q=ada", "/desk/lists?state=submitted", "/rounds/1?order=name", "/rounds/2?order=name",
        "/desk/journal?words=qz", "/standings?after=1", "/desk/players?q=ada", "/desk/messages/new?to=all")  # fmt: skip


@dataclass(frozen=True)
class World:
    """An event with secret lists, round 1 played and round 2 drawn; its readers, secrets and addresses."""

    people: Mapping[str, Person]
    secrets: Mapping[str, tuple[str, set[str]]]
    """By description: the secret text, and the readers who may see it."""
    addresses: Mapping[str, str]
    """Each address, and its route's rule; empty for further addresses."""


def build(app: Flask, stage: Stage) -> World:
    """Create the event, and put a distinct text in every field that is not public."""
    rust, draft = stage.event("Rust Cup"), stage.event("Qztitle Cup", draft=True)
    asked = {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False}
    event = stage.event(lists_shown=ListsShown.ON_PRESS, questions=(asked,))
    stage.hire(rust, "A rival", Role.OWNER)
    stage.hire(draft, "An author", Role.OWNER)
    for role in Role:
        stage.hire(event, f"The {role.value}", role)
    ada, bo, cy, dee = stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, ada, read_force(PIPER | {"name": "Qzforce"}))
    stage.force(event, bo, read_force(PIPER | {"name": "Qzunsent"}), submit=False)
    stage.force(event, cy, read_force(PIPER | {"name": "Qzreturned"}))
    with stage.changing(event) as s:
        ada.answers = {"q1": "Qzanswer"}
        event.fee, event.fee_amount, event.fee_currency = "12 €", 1200, "EUR"
        s.exec(select(Account).where(Account.name == "The owner")).one().session_key = "Qzkey"
        s.add(Device(player_id=ada.id, endpoint="https://push.example/qzpush", p256dh="qzpush", auth="qzpush",
                     added_at=stage.clock()))  # fmt: skip
    stage.do(event, payments.record_payment, ada, 731, "Qzway", "Qzreference")
    stage.do(event, mail_addresses.allow_mail, True)
    stage.do(event, mail_addresses.give_address, ada, "qzmail@mail.example")
    force = cy.force_list
    assert force is not None
    stage.do(event, lists_actions.send_back, cy, "Qznote", lists_actions.document_mark(force))
    stage.do(event, share_list, ada)
    write_to(stage, event, "Qzletter", to="chosen", chosen=frozenset({ada.id}), mail=False)
    stage.clock.now = DEADLINE
    first = stage.play(event, 1)
    stage.do(event, ruling_views.give_ruling, ada, Given("Qzreason", points=-1))
    stage.do(event, awards.add_award, AwardKind.OWN, "Qzaward", None)
    with stage.changing() as s:
        own = add_scenario(
            s, system_of(event), SCENARIO_FILES.read(EXAMPLE | {"name": "Qzscenario"}), BY, stage.clock()
        )
    game = stage.draw(event, 2)[0]
    stage.do(event, rounds_draft.set_scenario, 2, game.a_id, own.slug)
    stage.set_up("The club")
    opponent, others = sides(first, ada, [bo, cy, dee])
    players = {"self": ada, "opponent": opponent, "other": others[0], "stranger": stage.enter(rust, "Eve")[0]}
    accounts = {role.value: f"The {role.value}" for role in Role} | {"rival": "A rival", "club": "The club"}
    people = {"anybody": Person(app)} | {name: Person(app) for name in (*players, *accounts)}
    tokens = {name: link_token(app.secret_key, player) for name, player in players.items()}
    for name, token in tokens.items():
        people[name].open(f"/p/{token}")
    for name, account in accounts.items():
        people[name] = let_in(app, stage.one(Account, name=account))

    def of(player: Player) -> set[str]:
        return {name for name, a_player in players.items() if a_player.id == player.id}

    secrets = {
        "a sealed list": ("Qzforce", LISTS | {"self"}),
        "a list not handed in": ("Qzunsent", LISTS | of(bo)),
        "a list sent back": ("Qzreturned", LISTS | of(cy)),
        "a note on a list": ("Qznote", LISTS | of(cy)),
        "a mail address": ("qzmail", RUN | {"self"}),
        "the push address of a device": ("qzpush", set()),
        "an answer to a question": ("Qzanswer", {*STAFF, "self"}),
        "the way of a payment": ("Qzway", PAID | {"self"}),
        "the reference of a payment": ("Qzreference", PAID | {"self"}),
        "the amount of a payment": ("7.31", PAID | {"self"}),
        "a message": ("Qzletter", RUN | {"self"}),
        "the reason of a ruling": ("Qzreason", RUN | {"self", "judge"}),
        "an award not published": ("Qzaward", RUN),
        "the scenario of a table not published": ("Qzscenario", RUN | CLUB),
        "the link to a shared list": (str(stage.one(ForceList, player_id=ada.id).share_token), {"self"}),
        "a private link": (tokens["self"], RUN | {"self"}),
        "the code of a game not published": (stage.games(event, 2)[0].code[:5], RUN),
        "the title of a draft": ("Qztitle", set()),
        "a password": ("argon2", set()),
        "the key of a sign-in": ("Qzkey", set()),
    }
    by_rule = dict(by_rules(app, stage, event, ada, own.slug))
    pages = ("players/{}", "players/{}/force.json", "players/{}/force.pdf", "players/{}/force.ros", "desk/lists/{}")
    each = ["/e/iron-open/" + page.format(player.id) for page in pages for player in (ada, bo, cy)]
    each += [f"/e/iron-open/players/{seal.player_id}/sealed/{seal.sha256}" for seal in stage.all(ListSeal)]
    also = [f"/e/iron-open{more}" for more in ALSO]
    more = dict.fromkeys((*each, *also, "/e/qztitle-cup", "/e/qztitle-cup/desk"), "")
    return World(people, secrets, more | by_rule)


def sides(games: list[Game], player: Player, others: list[Player]) -> tuple[Player, list[Player]]:
    met = next({game.a_id, game.b_id} for game in games if player.id in (game.a_id, game.b_id))
    return next(a_player for a_player in others if a_player.id in met), [
        a_player for a_player in others if a_player.id not in met
    ]


def by_rules(app: Flask, stage: Stage, event: Event, about: Player, scenario: str) -> Iterator[tuple[str, str]]:
    """Every GET address of this event and player, in both rounds, with its route's rule."""
    games = {number: stage.games(event, number) for number in (1, 2)}
    for number, played in games.items():
        own = next(game for game in played if about.id in (game.a_id, game.b_id))
        values = of_game(event, own) | {
            "<int:number>": str(number), "<int:player_id>": str(about.id),
            "<int:message_id>": str(stage.all(Message)[0].id), "<int:change_set_id>": "3", "<int:invitation_id>": "1",
            "<int:team_id>": "1", "<scenario_id>": scenario,
            "<sha256>": stage.all(ListSeal, player_id=about.id)[0].sha256,
        }  # fmt: skip
        for rule in rules(app, "GET"):
            pattern = rule.replace("<int:number>", str(number)).replace("game_id>", f"game_id {number}>")
            yield filled(rule, values), pattern.replace("<code>", f"<code {number}>")


def addresses(app: Flask, stage: Stage, event: Event, **values: str) -> list[str]:
    known = of_game(event, stage.games(event, 1)[0]) | {"<sha256>": "0" * 64} | values
    found = []
    for rule in rules(app, "GET"):
        address = filled(rule, known)
        if event.slug in address or "/g/" in address:
            found += [address, *([f"{address}?order=name"] if address.endswith(("/rounds/1", "/pairings.pdf")) else [])]
    return sorted(set(found), key=lambda text: ("/g/" not in text, text))  # a result sheet that was opened stays open


def archive_lines(data: bytes) -> list[str]:
    document = json.loads(data)
    return [*dict.fromkeys(line["text"] for line in document["journal"]), json.dumps(document["tables"])]


def read_by(person: Person, address: str) -> tuple[int, bytes | list[str]]:
    """GET an address: its status, and its distinct lines (HTML, journal, archive, pack) or bytes (others), without
    tokens, versions and the journal's numbers: they reveal that something changed, but not what.
    """
    answer = person.ask("GET", address)
    if address.endswith("/version"):
        return answer.status_code, b""
    if address.endswith("/archive.json") and answer.status_code == 200:
        return answer.status_code, archive_lines(answer.data)
    if "/pack.zip" in address and answer.status_code == 200:
        with ZipFile(BytesIO(answer.data)) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
        parts = [archive_lines(data) if name.endswith("archive.json") else [repr(data)] for name, data in files.items()]
        return answer.status_code, [*files, *chain(*parts)]
    journal = "/desk/journal" in address
    if answer.mimetype != "text/html" and not journal:
        return answer.status_code, answer.data
    text = re.sub(r'(name="([\w-]*csrf_token|key)"|data-mark=)[^>]*', "", answer.text)
    if journal:
        text = re.sub(r'entry-\d+|since=\d+|"(write|version)": \d+|,\d+(?=\r?$)', "", text, flags=re.MULTILINE)
    lines = re.split(r"\n|(?=<li|<tr)", text)
    return answer.status_code, list(dict.fromkeys(lines))


def everything(answer: TestResponse) -> str:
    """The status, headers and text of an answer, including the text inside a PDF or ZIP file."""
    return f"{answer.status}\n{answer.headers}\n{text_of(answer.data)}"


def text_of(data: bytes) -> str:
    if data.startswith(b"%PDF"):
        return pdf_text(data)
    if data.startswith(b"PK") and is_zipfile(BytesIO(data)):
        with ZipFile(BytesIO(data)) as packed:
            return "\n".join(f"{name}\n{text_of(packed.read(name))}" for name in packed.namelist())
    return data.decode("utf-8", "replace")


@cache
def pdf_text(data: bytes) -> str:
    """The text and metadata of a PDF, cached by content."""
    opened = pdfium.PdfDocument(data)
    words = [page.get_textpage().get_text_range() for page in opened]
    opened.close()
    return "\n".join([str(pypdf.PdfReader(BytesIO(data)).metadata), *words])
