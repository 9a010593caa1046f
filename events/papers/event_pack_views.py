"""The event pack as a PDF, and the pages of scenarios that other papers share."""

from collections.abc import Iterator, Sequence

from flask import Blueprint
from flask.typing import ResponseReturnValue

from events.papers.event_pack import reference_of, scenario_pages, scenarios_when
from events.setup.day import day_of
from events.setup.event_rules import event_rules, force_words
from events.store.editions import system_of
from events.store.rounds import days_of, first_stage
from events.store.scoring import ordered_by
from events.store.verdicts import terms_of
from events.visitors.loading import event_or_404
from events.web.answers import pdf_answer
from events.web.request import outside_url
from languages.words import apart, gettext, labelled, ngettext
from models.event import Event
from pdf.packs import EventPack, Part, draw_event_pack
from pdf.wall import PlannedRound
from validators.contract import Rule, Terms

blueprint = Blueprint("event_pack", __name__)


@blueprint.get("/e/<slug>/pack.pdf")
def pack(slug: str) -> ResponseReturnValue:
    """What players should know before round 1; the same paper for everyone."""
    event = event_or_404(slug)
    system, terms = system_of(event), terms_of(event)
    data = EventPack(
        event=event.name,
        game=system.name,
        force=system.words.force,
        when=days_of(event, "%A %-d %B %Y"),
        where=event.place,
        rows=tuple(_rows(event, terms)),
        game_rules=(Rule("", gettext("At this event"), force_words(event, terms), ""), *system.checks.rules),
        reference=reference_of(event),
        scenarios=tuple(scenario_pages(event)),
        codes=tuple(
            (label, address)
            for label, address in (
                (gettext("Event page: pairings, results"), outside_url("public.event", slug=event.slug)),
                (gettext("Rules of the game"), outside_url("public.rules", system_id=event.system)),
            )
            if address
        ),
    )
    return pdf_answer(event, "pack", draw_event_pack, data)


def _rows(event: Event, terms: Terms) -> Iterator[tuple[Part, ...]]:
    """The event's own pages: the day next to the order of the standings, the rest over the whole width."""
    reached = [(gettext("Contact"), event.contact)] if event.contact else []
    in_bracket = first_stage(event).counts == "places"
    order = [] if in_bracket else ordered_by(event)
    meanings = [(gettext("TP"), gettext("Tournament points"))] * bool(order)
    meanings += [(gettext(tie_break.label), gettext(tie_break.explanation)) for tie_break in order]
    ranked = tuple((f"{n}. {name}", meaning) for n, (name, meaning) in enumerate(meanings, 1))
    added = system_of(event).checks.rules_added(terms)
    yield ((gettext("About"), tuple(("", line) for line in event.description.splitlines())),)
    yield (
        (gettext("The day"), (*map(_time, day_of(event)), *reached)),
        (gettext("Ranked in this order"), ranked),
    )
    yield ((gettext("Bring"), tuple(("", text) for text in _bring(event, terms))),)
    yield ((gettext("For each table, unless the organiser provides it"), tuple(_needs(event))),)
    yield ((gettext("Rules of this event"), tuple(event_rules(event, terms))),)
    yield ((gettext("Rules added by this event"), tuple((rule.title, rule.text) for rule in added)),)


def _time(planned_round: PlannedRound) -> tuple[str, str]:
    """A line of the day: "10:00", "Round 1: Raiders, 90 minutes"."""
    length = [ngettext("%(num)s minute", "%(num)s minutes", planned_round.minutes)] if planned_round.minutes else []
    text, number = ", ".join((planned_round.scenario, *length)), ""
    if planned_round.number:
        number = gettext("Round %(number)s", number=planned_round.number)
    return (
        (planned_round.starts, labelled(number, text) if number else text) if planned_round.starts else (number, text)
    )


def _bring(event: Event, terms: Terms) -> list[str]:
    system = system_of(event)
    force = system.words.force
    with_list = gettext("Your %(force)s, with its list on paper or on your phone.", force=force)
    if terms.restrictions.painted:
        with_list = gettext("Your %(force)s, painted, with its list on paper or on your phone.", force=force)
    return [
        with_list,
        gettext("The dice, markers and rulers that %(game)s needs, and a pencil.", game=system.name),
        *event.bring.splitlines(),
    ]


def _needs(event: Event) -> list[tuple[str, str]]:
    """What the public scenarios need on each table, under their names."""
    played = [scenario for scenario, _ in scenarios_when(event)]
    always = in_all([scenario.needs for scenario in played])
    needed: dict[tuple[str, ...], list[str]] = {
        always: [gettext("In every round") if first_stage(event).has_rounds else gettext("In every game")]
    }
    for scenario in played:
        needed.setdefault(tuple(need for need in scenario.needs if need not in always), []).append(scenario.name)
    needed.pop((), None)
    return [(", ".join(names), f"{apart(map(gettext, needs))}.") for needs, names in needed.items()]


def in_all(texts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The sentences that are in all of the texts, in the order of the first."""
    return tuple(text for text in texts[0] if all(text in other for other in texts)) if texts else ()
