"""The pages of the event pack: the day, the rules, the scenarios and their maps."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from events.results.forms import OF_ENEMY, enemy_label, heads, scores_by_losses, without_yes
from events.setup.day import day_of, hour_of
from events.setup.event_rules import day_words, scenario_limits
from events.store.campaign import terms_of_battle
from events.store.editions import system_of
from events.store.rounds import RoundView, ends_of, first_stage
from events.store.scenarios import known_scenarios, vp_limits
from events.tournament.season import window_of
from events.visitors.event_loading import public_views_in
from events.web.request import db, local
from languages import words
from languages.dates import dated
from languages.words import gettext, labelled, ngettext
from models.event import Event
from pdf.reference_sheet import Reference
from pdf.scenario_page import PackScenario
from pdf.sheet_data import FEW
from pdf.table_map import TableMap
from pdf.wall import PlannedRound, RoundPlan
from validators.measures import measured
from validators.scenario import Scenario


def table_map(event: Event, scenario: Scenario) -> TableMap:
    rulers = system_of(event).rulers
    measures = measured(scenario, rulers)
    # The inches along the map show its middle; an example's markers are only as far from the players' edges.
    across, up = (
        tuple(lane for lane in lanes if rulers or lane.end - lane.start < scenario.table_inches / 2)
        for lanes in (measures.across, measures.up)
    )
    return TableMap(
        scenario.table_inches,
        scenario.deployment_inches,
        tuple(replace(m, label=label, of_b="") for m, label in zip(scenario.markers, measures.labels, strict=True)),
        () if scenario.example else across,
        up,
        measures.deployment,
        measures.deployment_colour,
        edges=tuple(replace(edge, label=gettext(edge.label)) for edge in scenario.edges),
        example=scenario.example,
    )


def size_of_battle(event: Event) -> int:
    """The most points of a side in one game: in a campaign those of its battles."""
    return terms_of_battle(event).size if event.campaign else event.size


def setup_steps(event: Event, scenario: Scenario) -> tuple[str, ...]:
    """The steps of the set-up, without what `listed` has; the last explains the numbers on the map, if it has any."""
    key = measured(scenario, system_of(event).rulers).key
    set_up = system_of(event).papers.setup(scenario, size_of_battle(event))
    names = [text.partition(" ")[2].partition(" (")[0] for text in listed(scenario)]
    steps = (
        gettext("%(step)s: see the list of objectives.", step=gettext(step).partition(":")[0].rstrip())
        if names and all(name in step for name in names)
        else gettext(step)
        for step in set_up
    )
    return (*steps, *([gettext("On the map: %(key)s.", key=key)] if key else []))


def listed(scenario: Scenario) -> tuple[str, ...]:
    """What a player chooses from or rolls for that is too much for boxes to tick: "1 Geomapping with Reilly (Luck)"."""
    return next((q.choices for q in scenario.questions if len(q.choices) > FEW), ())


MOST_NAMED = 2


def check_in_words(event: Event) -> str:
    """When players check in: "Check-in from 09:00 to 09:45"; "" if no time is set."""
    if event.check_in_from is None:
        return ""
    begins, ends = hour_of(event, event.check_in_from, event.check_in_from), local(event.check_in_until, event, "%H:%M")
    if not ends:
        return gettext("Check-in from %(begins)s", begins=begins)
    return gettext("Check-in from %(begins)s to %(ends)s", begins=begins, ends=ends)


def reference_of(event: Event) -> Reference:
    system = system_of(event)
    return Reference(system.name, tuple(part.said for part in system.papers.reference))


def scenario_pages(event: Event) -> list[PackScenario]:
    """A page for each scenario that is public."""
    return [_scenario(event, scenario, when) for scenario, when in scenarios_when(event)]


def scenarios_in(event: Event, view: RoundView) -> list[PackScenario]:
    scenarios = known_scenarios(db(), system_of(event))
    when = gettext("Round %(number)s", number=view.round.number)
    return [
        replace(
            page, parts=(*page.parts, (gettext("Questions for the organiser"), tuple(map(gettext, scenario.queries))))
        )
        for scenario in (scenarios[played.id] for played in view.played)
        if (page := _scenario(event, scenario, when))
    ]


def scenarios_when(event: Event) -> list[tuple[Scenario, str]]:
    """Each public scenario with its rounds, challenges under 0: chosen ones first, then those that may be drawn."""
    scenarios, views = known_scenarios(db(), system_of(event)), public_views_in(event)
    rounds: dict[str, list[int]] = {}
    for view in views:
        for scenario in view.announced:  # the organiser's pack is the same as the players'
            rounds.setdefault(scenario.id, []).append(view.round.number * view.stage.has_rounds)
    played = [(scenarios[id_], _rounds(numbers)) for id_, numbers in rounds.items()]
    if first_stage(event).has_rounds and all(view.announced for view in views):
        return played
    return played + [(scenarios[id_], gettext("May be drawn")) for id_ in event.scenario_pool if id_ not in rounds]


def _rounds(numbers: Sequence[int]) -> str:
    if not any(numbers):
        return gettext("Challenges")
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return gettext("Rounds %(first)s to %(last)s", first=numbers[0], last=numbers[-1])
    if len(numbers) == 1:
        return gettext("Round %(number)s", number=numbers[0])
    return gettext("Rounds %(numbers)s", numbers=words.listed([str(number) for number in numbers]))


def _scenario(event: Event, scenario: Scenario, when: str) -> PackScenario:
    rounds = 0 if heads(scenario) else scenario.game_rounds
    return PackScenario(
        name=scenario.name,
        played=f"{when} · {_most_win(rounds)}" if rounds else when,
        summary=gettext(scenario.summary),
        table_map=table_map(event, scenario),
        setup=(*setup_steps(event, scenario), *map(gettext, scenario.turns)),
        listed=listed(scenario),
        parts=(
            (gettext("Scoring"), (*map(gettext, scenario.scoring), *scenario_limits(scenario))),
            (gettext("Report for each player"), tuple(_reports(scenario)) if heads(scenario) else ()),
        ),
        worth=() if heads(scenario) else tuple(vp_limits(scenario)),
        readings=tuple(map(gettext, scenario.readings)),
        source=scenario.source,
    )


def _most_win(rounds: int) -> str:
    return ngettext("%(num)s game round, most VP win", "%(num)s game rounds, most VP win", rounds)


def _reports(scenario: Scenario) -> list[str]:
    """What a player reports, each with its meaning; those of one meaning are together. A role is drawn."""
    asked = [q for q in scenario.questions if q.side == "a" and q.key != "a.role"]
    if scores_by_losses(scenario):  # the enemy's losses, as on the scoresheet
        asked = [replace(q, label=enemy_label(q), help=OF_ENEMY.get(q.help, q.help)) for q in asked]
    return [
        labelled(label, meaning) if meaning else label
        for meaning, same in groupby(asked, key=lambda q: q.explained)
        if (label := _together([without_yes(q) for q in same]))
    ]


def _together(labels: Sequence[str]) -> str:
    """Labels in a row; three or more that differ only in their number as "Marker 1 to Marker 5"."""
    names = [label.partition(":")[0].rstrip() for label in labels]
    shapes = {label.replace(name.split()[-1], "#") for name, label in zip(names, labels, strict=True)}
    return (
        gettext("%(first)s to %(last)s", first=names[0], last=names[-1])
        if len(shapes) == 1 and len(names) > MOST_NAMED
        else ", ".join(labels)
    )


def plan_of(event: Event) -> RoundPlan:
    where = " · ".join(filter(None, (dated(event.starts_on, "%A %-d %B %Y"), event.place)))
    season, rounds = event.season, day_of(event)
    if season:
        where = event.place
        last = {round_.number: window_of(season, event.starts_on, round_.number)[1] for round_ in rounds}
        year = "" if event.starts_on.year == ends_of(event).year else " %Y"
        rounds = [
            replace(round_, starts=dated(last[round_.number], f"%a %-d %b{year}")) for round_ in rounds if round_.number
        ]
        if event.cut and not any(view.now.stage.one_wins for view in public_views_in(event)):
            knockout = gettext("Knockout of the top %(cut)s", cut=event.cut)
            rounds.append(PlannedRound(0, dated(ends_of(event), f"%a %-d %b{year}"), 0, knockout))
    return RoundPlan(where, tuple(rounds), tuple(day_words(event)), is_season=season is not None)
