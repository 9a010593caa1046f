"""An event with the data of one person in every place that can hold it."""

from events.messages import addresses
from events.messages.announcements import announce
from events.registration import actions, payments, ruling_views
from events.registration.forms import Given
from events.rounds import draft
from events.setup import actions as setup_actions
from events.store.players import DETAILS
from models.dispatch import Device
from models.event import Event
from models.play import Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.stage import Stage
from tests.kit.writing import write_to

NAME = "Qzanna Qzberg"
SECRETS = ("Qzanna Qzberg", "Qzold", "Qzclub", "qzmail", "Qzanswer", "qzpush", "Qzpartner", "Qzway",
           "Qzreference", "47113337")  # fmt: skip

RAFFLE, CAKE = f"{NAME} has won the raffle", f"Hello {{name}}, {NAME} brings cake."
BY_OTHERS = (CAKE, f"{NAME} brings cake.", "'Qzclub '", '"Qzclub "', "Qzclub \\", "“Qzclub ”")
"""What others wrote, which an erasure leaves alone: staff's texts, and the former club of another player."""


def without_others(text: str) -> str:
    """A text without what others wrote."""
    for name in BY_OTHERS:
        text = text.replace(name, "")
    return text


def planted(stage: Stage, *, over: bool = True) -> Event:
    """An event of two rounds with the player's data in every place that can hold it."""
    asked = {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False}
    event = stage.event(questions=(asked,), rounds=2)
    stage.set(event, doubles=True)
    ada = stage.enter(event, "Qzold", club="Qzclub")[0]
    stage.enter(event, "Bo", "Cy", club="Reds")
    stage.enter(event, "Di", club="Qzclub ")
    others = {name: f"Qz{name}" for name in DETAILS if name != "club"}
    details = actions.details_of(ada) | others | {"name": NAME.removesuffix(" & Qzpartner"), "partner": "Qzpartner"}
    stage.do(event, actions.change_player, ada, details)
    di = stage.one(Player, name="Di")
    stage.do(event, actions.change_player, di, actions.details_of(di) | {"club": "Blues"})
    stage.do(event, actions.store_answers, ada, {"q1": "Qzanswer"})
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    stage.do(event, payments.record_payment, ada, 47_113_337, "Qzway", "Qzreference")
    stage.do(event, addresses.allow_mail, True)
    stage.do(event, addresses.give_address, ada, "qzmail@mail.example")
    with stage.changing(event) as s:
        s.add(Device(player_id=ada.id, endpoint="https://push.example/qzpush", p256dh="qzpush", auth="qzpush",
                     added_at=stage.clock()))  # fmt: skip
    own_list = PIPER | {"name": f"{NAME}'s raiders", "not_read": [f"by {NAME}"]}
    stage.force(event, ada, read_force(own_list))
    write_to(stage, event, CAKE, to="all", mail=False)
    stage.do(event, announce, RAFFLE)
    for number in (1, 2):
        stage.draw(event, number)
        for game in stage.games(event, number):
            for locked in (True, False):
                stage.do(event, draft.lock, number, game.a_id, game.b_id, locked=locked)
        for game in stage.publish(event, number):
            stage.decide(event, game, 3, 1)
    stage.do(event, ruling_views.give_ruling, ada, Given(f"{NAME} was late", points=-1))
    if over:
        stage.do(event, setup_actions.finish)
    return event
