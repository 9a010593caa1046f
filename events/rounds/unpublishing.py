"""What a page says about taking a published round back."""

from dataclasses import dataclass

from events.rounds import actions
from events.store.rounds import games_of
from events.visitors.access import lists_shown, registration_window
from events.web.request import db, local, now
from languages.words import gettext, ngettext
from models.event import Event, EventState, Round, RoundState


@dataclass(frozen=True)
class Unpublishing:
    """Whether a published round can be unpublished: why not, or the question to confirm."""

    why_not: str
    question: str
    exchange: bool
    """Whether players of the round can be exchanged."""
    with_results: str = ""
    """The text to type to unpublish it with its results; "" if there are none, or it cannot be unpublished."""
    no_shows: tuple[int | None, ...] = ()
    """The tables decided by a no-show, which unpublishing reopens."""


def unpublishing(event: Event, the_round: Round) -> Unpublishing | None:
    """The options for a published round; None for other rounds and after the event."""
    if the_round.state != RoundState.PUBLISHED or event.state == EventState.FINISHED:
        return None
    exchange = actions.can_exchange(db(), the_round)
    why_not = actions.why_not_unpublished(db(), event, the_round)
    question = "" if why_not else _question(event, the_round)
    along = why_not and not actions.why_never_unpublished(event, the_round)
    no_shows = tuple(game.table_number for game in games_of(the_round) if game.absent is not None)
    along_with = gettext("round %(number)s", number=the_round.number) if along else ""
    return Unpublishing(why_not, question, exchange, along_with, no_shows)


def _question(event: Event, the_round: Round) -> str:
    """The question before a round is unpublished: how long it was visible, and what is lost."""
    effect = actions.unpublish_effect(db(), event, the_round)
    minutes = int((now() - effect.since).total_seconds() // 60)
    sentences = [
        gettext(
            "Everybody has seen round %(number)s since %(time)s, for %(minutes)s min: who plays whom, and the "
            "scenario. It will be hidden until you publish it again; sheets already printed stay valid for games that "
            "do not change.",
            number=the_round.number,
            time=local(effect.since, event, "%H:%M"),
            minutes=minutes,
        )
    ]
    if effect.choices:
        sentences.append(
            ngettext(
                "%(num)s force chosen for its games is deleted.",
                "%(num)s forces chosen for its games are deleted.",
                effect.choices,
            )
        )
    if effect.first:
        sentences.append(gettext("The event has not started then; its lists stay locked."))
        if registration_window(event, now()) == "open":
            sentences.append(gettext("Registration opens again."))
        if lists_shown(event, now()):
            sentences.append(gettext("Everybody can go on reading them."))
    return " ".join(sentences)
