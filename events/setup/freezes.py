"""Which settings can no longer change, and why: what has happened at the event, against ``Fact.frozen``."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlmodel import Session, select

from events.standings.soft_scores import FINAL
from events.store.act import Act
from events.store.errors import Refused
from events.store.tournaments import tournament_of
from languages.words import N_, gettext
from models.event import Event, EventState, Round
from models.facts import Once, Text, facts_of
from models.play import Game, Report
from models.settings import AboutEvent, AboutPrivacy, AboutRepeats

FACTS = facts_of("event")
AFTERWARDS = frozenset(
    (
        *(name for name in AboutEvent.model_fields if FACTS[name].text not in (None, Text.CODE)),
        *AboutPrivacy.model_fields,
        *AboutRepeats.model_fields,
    )
)
"""What changes also when the event is over: its texts, and what follows it."""
WHY = {
    Once.DRAWN: N_("Round 1 is drawn: this can no longer change."),
    Once.PUBLISHED: N_("Round 1 is published: this can no longer change."),
    Once.REPORTED: N_("A result was reported already: this can no longer change."),
    Once.CUT: N_("The cut is made already. Discard the draw of its first round to change it."),
    Once.FINAL: N_("The final is drawn: discard its draw to change this."),
}


def happened(s: Session, event: Event) -> set[Once]:
    """What has happened at the event, drafts of rounds included."""
    t = tournament_of(event, drafts=True)
    moments = {
        Once.DRAWN: any(round_.state != "planned" for round_ in t.rounds),
        Once.PUBLISHED: any(round_.state == "published" for round_ in t.rounds),
        Once.REPORTED: is_reported(s, event),
        Once.CUT: bool(t.knockout) and t.is_cut(t.knockout[0].number),
        Once.FINAL: bool(t.knockout) and t.rounds[-1].state != "planned",
    }
    return {moment for moment, has_come in moments.items() if has_come}


def is_reported(s: Session, event: Event) -> bool:
    """Whether any result was reported, even a withdrawn one: its answers stay readable."""
    query = select(Report.id).join(Game).join(Round).where(Round.event_id == event.id).limit(1)
    return s.exec(query).first() is not None


def frozen(s: Session, event: Event, settings: Collection[str]) -> dict[str, str]:
    """Those of the settings that can no longer change, with the reason."""
    ends = {name: FACTS[name].frozen for name in settings if name in FACTS and FACTS[name].frozen}
    come = happened(s, event) if ends else set()
    return {name: gettext(WHY[moment]) for name, moment in ends.items() if moment in come}


def refuse_frozen(act: Act, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Check that no setting changes that can no longer. Raises Refused at the first."""
    changed = [name for name in after if before[name] != after[name]]
    if act.event.state == EventState.FINISHED and not AFTERWARDS.issuperset(changed):
        raise Refused(gettext(FINAL))
    for name, why in frozen(act.s, act.event, changed).items():
        raise Refused(why, name)
