"""The scenarios of an event and of a game: shipped ones and the club's own."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from events.store.editions import system_of
from events.store.outcomes import as_reported
from events.store.scoring import in_shares
from events.tournament.figures import OF_VP, VP_SHARE
from languages.words import N_, gettext, listed
from models.event import Event
from models.own import OwnScenario
from validators.game_system import GameSystem
from validators.names import alphabetical
from validators.scenario import OPEN_END, Scenario

OWN_SCENARIOS = select(OwnScenario).where(col(OwnScenario.system) == bindparam("system")).order_by(col(OwnScenario.id))
MIXED = N_(
    "The scenarios of the pool score on different scales, so the victory points of one round cannot be compared. "
    "Keep one scenario, or choose the tie-break “VP share” instead of VP."
)


def mixed_scales(system: GameSystem, tie_breaks: Collection[str], scenarios: Collection[str]) -> bool:
    """Whether the tie-breaks would add victory points of these scenarios although their scales differ."""
    adds = VP_SHARE not in tie_breaks and not set(OF_VP).isdisjoint(tie_breaks)
    return adds and not system.scoring.one_scale and len(set(scenarios)) > 1


def deciding_shares(event: Event, known: Mapping[str, Scenario]) -> str:
    """Which scenarios of the pool decide the tie-break “VP share” more than the others; "" if none do."""
    near_half: dict[bool, list[str]] = {True: [], False: []}
    for scenario in (known[id_] for id_ in known if id_ in event.scenario_pool):
        near_half[system_of(event).scoring.keeps_own(scenario)].append(scenario.name)
    if not in_shares(event) or not all(near_half.values()):
        return ""
    return gettext(
        "“VP share” is decided mostly by %(wide)s, where a side can get 0 to 100 percent. In %(near)s both sides score "
        "the points that they keep, so shares stay closer to 50.",
        wide=listed(near_half[False]),
        near=listed(near_half[True]),
    )


def scenarios_of(event: Event) -> Mapping[str, Scenario]:
    """All scenarios of the event's game, by id, with the questions that the event's reports ask."""
    known = _scenarios_in(system_of(event), event.own_scenarios)
    return {id_: as_reported(event, scenario) for id_, scenario in known.items()}


def known_scenarios(s: Session, game: GameSystem) -> Mapping[str, Scenario]:
    """All scenarios of a game by id, with all their questions: shipped ones first, then the club's own by name."""
    return _scenarios_in(game, own_scenarios(s, game.id))


def _scenarios_in(game: GameSystem, own: Sequence[OwnScenario]) -> Mapping[str, Scenario]:
    files = game.scenario_files
    own_files = [files.read(row.document) for row in own] if files else []
    return {
        scenario.id: scenario
        for scenario in (*game.scenarios, *sorted(own_files, key=lambda a_scenario: alphabetical(a_scenario.name)))
    }


def scenario_by_id(s: Session, game: GameSystem, scenario_id: str) -> Scenario:
    """A scenario of a game, shipped or the club's own. Raises LookupError if there is none."""
    shipped = next((scenario for scenario in game.scenarios if scenario.id == scenario_id), None)
    row = own_scenario(s, game.id, scenario_id) if shipped is None else None
    if row is not None and game.scenario_files:
        return game.scenario_files.read(row.document)
    if shipped is None:
        raise LookupError(f"no scenario {scenario_id} is known here")
    return shipped


def own_scenarios(s: Session, system_id: str) -> Sequence[OwnScenario]:
    """The club's own scenarios for a game, oldest first."""
    return s.exec(OWN_SCENARIOS, params={"system": system_id}).all()


def own_scenario(s: Session, system_id: str, slug: str) -> OwnScenario | None:
    return s.exec(select(OwnScenario).where(OwnScenario.system == system_id, OwnScenario.slug == slug)).first()


def vp_limits(scenario: Scenario) -> Iterator[tuple[str, str, str]]:
    """What A and B can score in the game rounds and for objectives; rounds with equal limits share a row."""

    def shown(most: int) -> str:
        return gettext("no limit") if most >= OPEN_END else f"0–{most}" if most else "–"

    most = {question.key: question.most for question in scenario.questions}
    numbers = [number for number in range(1, scenario.game_rounds + 1) if f"a.r{number}" in most]
    for (a, b), same in groupby(numbers, key=lambda number: (most[f"a.r{number}"], most[f"b.r{number}"])):
        first, *rest = same
        label = gettext("Game round %(number)s", number=first)
        if rest:
            label = gettext("Game rounds %(first)s to %(last)s", first=first, last=rest[-1])
        yield label, shown(a), shown(b)
    if scenario.objectives:
        yield gettext("All objective markers"), shown(scenario.objectives), shown(scenario.objectives)
