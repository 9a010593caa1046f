"""The next step of an event for the visitor, with the addresses that the visitor may open."""

from dataclasses import dataclass

from flask import g, request
from flask import url_for as address_of

from events.accounts.loading import may_follow, rounds_of, views_of
from events.accounts.staff_routes import STAFF_QUESTIONS, question_of
from events.desk.next_facts import facts_of
from events.desk.next_steps import Act, NextStep, Stage, next_step, stages
from events.play.clock_queries import RoundClock, clock_of
from events.play.visitor import TABLE, WORDS, Right
from events.web.request import now
from models.event import Event
from models.staff import Role


@dataclass(frozen=True)
class Way:
    """A button or a link with its address."""

    label: str
    address: str
    post: bool
    confirm: str


@dataclass(frozen=True)
class Remedy:
    """A blocker, and the way to fix it; None if the visitor may not open it."""

    text: str
    way: Way | None
    of_results: bool
    """Whether the results page shows it too, in the table's row."""


@dataclass(frozen=True)
class Next:
    """The next step for the visitor."""

    text: str
    way: Way | None
    """The primary button; None if the visitor may not do it."""
    who: str
    """Who may do it if the visitor may not: "An organiser: draw round 2."."""
    other: Way | None
    blockers: tuple[Remedy, ...]
    stages: tuple[tuple[Stage, str], ...]
    """Each stage with its address; "" if the visitor may not open it."""
    starts_clock: bool
    clock: RoundClock | None
    """The clock of the round, once it was started."""


def next_of(event: Event) -> Next:
    """The event's next step for the visitor, calculated once per request."""
    if "next" not in g:
        facts = facts_of(event)
        g.next = _for_visitor(event, next_step(facts), stages(facts))
    found: Next = g.next
    return found


def _for_visitor(event: Event, step: NextStep, passed: tuple[Stage, ...]) -> Next:
    way, other = _way(event, step.act), _way(event, step.other) if step.other else None
    if way is not None and other is not None and way.address == request.path:
        way, other = other, None  # the visitor is on that page
    return Next(
        step.text,
        way,
        "" if way else f"{_who(event, step.act)}: {step.act.label[:1].lower()}{step.act.label[1:]}.",
        other,
        tuple(
            Remedy(one.text, found, one.act.endpoint.startswith("results_desk."))
            for one in step.blockers
            if (found := _way(event, one.act)) is not None
        ),
        tuple((one, _address(event, one.endpoint, one.args)) for one in passed),
        way is not None and step.act.endpoint == "clock.press",
        _clock(event),
    )


def _clock(event: Event) -> RoundClock | None:
    playing = next((view for view in views_of(event) if view.state == "playing"), None)
    started = playing is not None and playing.round.started_at is not None
    return clock_of(event, playing, rounds_of(event), now()) if playing is not None and started else None


def _address(event: Event, endpoint: str, args: object, method: str = "GET") -> str:
    assert isinstance(args, dict)  # noqa: S101 - url_for takes keywords
    address = address_of(endpoint, slug=event.slug, **args)
    return address if may_follow(address, method) else ""


def _way(event: Event, act: Act) -> Way | None:
    address = _address(event, act.endpoint, dict(act.args), "POST" if act.post else "GET")
    return Way(act.label, address, act.post, act.confirm) if address else None


def _who(event: Event, act: Act) -> str:
    """The roles that may do this, in words."""
    question = question_of(act.endpoint, act.args, "POST" if act.post else "GET")
    right = next((one for one in Right if STAFF_QUESTIONS[f"may_{one}"] is question), Right.MANAGE_STAFF)
    roles = [role for role in Role if role in TABLE[right]]
    if Role.ORGANISER in roles:
        roles.remove(Role.OWNER)
    words = [f"{'an' if WORDS[role][0] in 'aeiou' else 'a'} {WORDS[role]}" for role in roles]
    named = " or ".join(words)
    return f"Next, for {named}"
