"""A small campaign whose groups roll for Caps, give some away and buy knives; and an event that plays it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest

from events.lists import actions as lists
from events.seasons import campaign_actions as campaigns
from events.seasons import league_actions as leagues
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_forms import set_season
from events.store.act import Act
from events.store.campaign import campaign_history
from events.store.verdicts import terms_of
from events.tournament.season import Season
from models.event import Event
from models.play import Game, Player
from models.settings import EventFormat
from tests.kit.formats import formed
from tests.kit.stage import BY, Stage
from validators import SYSTEMS, sheet
from validators.calculator import Asked
from validators.campaign import (
    Account,
    Applied,
    CampaignRules,
    Dice,
    LedgerLine,
    Map,
    Member,
    Offer,
    Phase,
    Place,
    Played,
    Setting,
    StepRefused,
    World,
)
from validators.campaign_history import History

CAPS, KNIFE = Account("caps"), Account("item", "Knife")
Group = dict[str, Any]


def _with(world: World, group: int, line: LedgerLine, says: str) -> Applied:
    name = "caps" if line.account == CAPS else "knives"
    state = world.groups[group]
    if state[name] + line.amount < 0:
        raise StepRefused("The group has too few Caps.", "caps")
    return Applied(world.with_group(group, {**state, name: state[name] + line.amount}), (line,), (says,))


def _found(world: World, group: int, document: object, dice: Dice) -> Applied:
    caps = int(world.settings["start"])
    line = LedgerLine(CAPS, caps, "Start")
    return Applied(
        world.with_group(group, {"caps": caps, "knives": 0, "document": document}), (line,), ("The group is founded.",)
    )


def _play(world: World, group: int, played: Played) -> Applied:
    won = 5 if played.result == "win" else 0
    line = LedgerLine(CAPS, won, "Won the game")
    return _with(world, group, line, f"The game was a {played.result}.") if won else Applied(world)


def _offers(world: World, group: int) -> tuple[Offer, ...]:
    phase = world.phase(group)
    if phase is None or phase.id == "rest":
        return (Offer("buy", "Knife", "Buy for 3 Caps"),) if phase else ()
    others = tuple((str(id_), world.names[id_]) for id_ in world.groups if id_ != group)
    earn = Offer("earn", "Scavenge", "Roll", "Everybody finds something.",
                 (Asked("places", "Places", least=1, most=2, default=1),), dice="1D6 for each place")  # fmt: skip
    give = (Asked("to", "To", "choice", choices=others, default=others[0][0]), Asked("caps", "Caps", least=1, most=50))
    return earn, Offer("give", "Gift", "Give", asks=give)


def _apply(world: World, group: int, kind: str, data: Any, dice: Dice) -> Applied:
    if kind == "earn":
        got = sum(dice.roll(f"Caps found at place {n + 1}", 6).total for n in range(data["places"]))
        return _with(world, group, LedgerLine(CAPS, got, "Found"), f"Found {got} Caps.")
    if kind == "buy":
        paid = _with(world, group, LedgerLine(CAPS, -3, "A knife"), "Bought a knife.")
        bought = _with(paid.world, group, LedgerLine(KNIFE, 1, "Bought"), "")
        return Applied(bought.world, paid.lines + bought.lines, paid.messages)
    if kind != "give":
        raise StepRefused("This is no step.")
    given = _with(world, group, LedgerLine(CAPS, -data["caps"], "A gift"), f"Gave {data['caps']} Caps.")
    other, state = int(data["to"]), dict(given.world.groups[int(data["to"])])
    state["gifts"] = state.get("gifts", 0) + data["caps"]  # received at the end of their own phase
    return Applied(given.world.with_group(other, state), given.lines, given.messages)


def _leave(world: World, group: int) -> Applied:
    phase = world.phase(group)
    gifts = world.groups[group].get("gifts", 0)
    if phase and phase.id == "income" and gifts:
        taken = _with(world, group, LedgerLine(CAPS, gifts, "Gifts"), f"Received {gifts} Caps.")
        state = {**taken.world.groups[group], "gifts": 0}
        return Applied(taken.world.with_group(group, state), taken.lines, taken.messages)
    return Applied(world)


def _map(world: World) -> Map | None:
    if "places" not in world.plan:
        return None
    holders = sorted(world.groups) + [None] * 3
    places = tuple(Place(f"Place {n}", 20 * n + 10, 30 + 40 * (n % 2), "Water", holders[n]) for n in range(4))
    return Map(places, ((0, 1), (1, 2), (2, 3)))


def _rulings(world: World, group: int) -> tuple[Asked, ...]:
    return Asked("caps", "Caps", least=-99, most=99, default=0), Asked("knives", "Knives", least=-9, most=9, default=0)


def _rule(world: World, group: int, data: Any) -> Applied:
    found = Applied(world)
    for key, account in (("caps", CAPS), ("knives", KNIFE)):
        if amount := data.get(key, 0):
            ruled = _with(found.world, group, LedgerLine(account, amount, ""), f"{amount:+d} {key}.")
            found = Applied(ruled.world, found.lines + ruled.lines, found.messages + ruled.messages)
    return found


def _compare(before: Any, after: Any) -> Any:
    return {key: after[key] - before[key] for key in ("caps", "knives") if after[key] != before[key]}


EARNING = CampaignRules(
    settings=(Setting("start", "Caps at the start", (("10", "10 Caps"), ("20", "20 Caps")), "10", "Page 2 says 10."),),
    phases=(Phase("income", "Income", "Look for Caps.", "page 3"), Phase("rest", "Rest", "Buy things.", "page 4")),
    first_phase=2,
    shared=lambda world: None,
    found=_found,
    play=_play,
    offers=_offers,
    apply=_apply,
    leave=_leave,
    balances=lambda group: {account: n for account, n in ((CAPS, group["caps"]), (KNIFE, group["knives"])) if n},
    rating_about="Caps, and three for each knife",
    figures_about="The figures include scars.",
    rating=lambda group: int(group["caps"] + 3 * group["knives"]),
    members=lambda group: (
        Member(
            "a",
            "Piper " * 10,
            "Leader",
            (("XP", str(group["caps"])), ("Level", "1")),
            (("Knife", 1),),
            ("Quick",),
            (f"Level {group['caps']}",),
            ("Scarred",) if group["caps"] > 10 else (),
        ),
        Member("b", "Old Longfellow", "Grunt", (("XP", "3"),), gone="Died in round 1"),
    ),
    document=lambda group: group["document"],
    sheet=lambda group: (sheet.Lines("Piper", ("Quick",)),),
    tables=lambda world: (
        sheet.Table("Recruits", (sheet.Column("Name"), sheet.Column("Caps", "figure")), (("Nick", "30"),)),
    ),
    map=_map,
    rulings=_rulings,
    rule=_rule,
    compare=_compare,
    planned=lambda settings, seed, groups: {"places": groups + 2},
)


@contextmanager
def playing(rules: CampaignRules) -> Iterator[None]:
    plain = SYSTEMS["battle_mode"]
    SYSTEMS["battle_mode"] = replace(plain, campaign=rules)
    yield
    SYSTEMS["battle_mode"] = plain


@pytest.fixture
def earning() -> Iterator[None]:
    with playing(EARNING):
        yield


def history(stage: Stage, event: Event) -> History:
    stage.s.rollback()
    return campaign_history(stage.s, stage.now(event))


def list_of(stage: Stage, event: Event, player: Player, seed: int = 1) -> None:
    terms = terms_of(event)
    system = SYSTEMS[event.system]
    document = None
    for faction in terms.edition.factions:  # some cannot field a list of this size
        with suppress(ValueError):
            document = document or system.forces.sample(terms, faction, seed)
    assert document is not None
    with stage.changing(event) as s:
        lists.save_force(Act(s, event, BY, stage.clock()), player, document, by_organiser=True)
        lists.submit_force(Act(s, event, BY, stage.clock()), player)


def season_of(stage: Stage, event: Event, *names: str, settings: dict[str, str] | None = None) -> None:
    """Make the event with these and its other players a campaign, with their lists, and draw it."""
    formed(stage, *names, of=event, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, set_campaign, settings or {}, 4)
    for player in stage.all(Player, event_id=event.id):
        list_of(stage, event, player)
    stage.do(event, leagues.draw_season, 7)


def campaign_of(stage: Stage, event: Event, *names: str, settings: dict[str, str] | None = None) -> list[Game]:
    """The round robin of these players as a campaign, drawn, its groups founded; the games."""
    season_of(stage, event, *names, settings=settings)
    stage.do(event, campaigns.found_groups, seeds())
    numbers = range(1, stage.now(event).rounds + 1)
    return [game for number in numbers for game in stage.games(event, number) if game.b_id]


def seeds() -> campaigns.Chance:
    """The numbers from 1, one for each roll."""
    numbers = iter(range(1, 10_000))
    return lambda about: next(numbers)


class Table:
    """A campaign of these players, of Ada and Bo by default; ``more`` are fields of EventSettings."""

    def __init__(self, stage: Stage, *names: str, settings: dict[str, str] | None = None, **more: Any) -> None:
        self.stage, self.event = stage, stage.event(**more)
        self.games = campaign_of(stage, self.event, *(names or ("Ada", "Bo")), settings=settings)
        self.players = {player.name: player for player in stage.all(Player)}

    def history(self) -> History:
        return history(self.stage, self.event)

    def group(self, name: str) -> Any:
        return self.history().world.groups[self.players[name].id]

    def balances(self, name: str) -> dict[str, int]:
        """The Caps and items of a group, from its ledger."""
        sums = self.history().sums(self.players[name].id)
        return {account.name or account.kind: amount for account, amount in sums.items()}

    def do(self, action: Any, name: str, *arguments: Any, **more: Any) -> Any:
        return self.stage.do(self.event, action, self.players[name], *arguments, **more)

    def newest(self, name: str) -> int:
        return campaigns.newest_step(self.history(), self.players[name])

    def begin(self, name: str) -> None:
        self.do(campaigns.begin_steps, name)

    def offers(self, name: str) -> tuple[Offer, ...]:
        world = self.history().world
        return world.rules.offers(world, self.players[name].id)

    def take(
        self, name: str, kind: str, answers: Group | None = None, dice: Dice | campaigns.Chance | None = None
    ) -> None:
        """Take the first offered step of this kind, with its default answers if none are given."""
        offer = next(offer for offer in self.offers(name) if offer.kind == kind)
        answers = answers or {ask.key: ask.default for ask in offer.asks if ask.default is not None}
        self.do(campaigns.take_offer, name, offer, answers, dice or Dice(9), self.newest(name))

    def leave(self, name: str) -> bool:
        return bool(self.do(campaigns.end_phase, name, self.newest(name)))

    def muster(self, name: str, kind: str = "muster") -> None:
        self.take(name, kind)
        self.leave(name)

    def undo(self, name: str) -> None:
        self.do(campaigns.undo_step, name, self.newest(name))

    def decide_first_game(self) -> tuple[str, str]:
        """Let player A win the first game; gives the names of the winner and the loser."""
        game = self.games[0]
        self.stage.decide(self.event, game, 3, 1)
        return self.stage.name(game.a_id), self.stage.name(game.b_id)
