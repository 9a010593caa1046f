"""Whether a season is a campaign: its settings, and the plan for its groups."""

from collections.abc import Mapping

from sqlmodel import Session

from events.store.act import Act
from events.store.campaign import campaign_document, founded
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.players import placed
from languages.message import message
from languages.words import gettext
from models.event import Event, RoundState
from validators.campaign import CampaignRules


def settings_are_fixed(s: Session, event: Event) -> bool:
    """Whether the campaign's settings are fixed: round 1 is published, or a group is founded."""
    return any(round_.state == RoundState.PUBLISHED for round_ in event.schedule) or bool(founded(s, event))


def set_campaign(act: Act, settings: Mapping[str, str] | None, seed: int) -> None:
    """Make the season a campaign with these settings, or with None an ordinary season. Raises Refused.

    The settings are those of the form; ``seed`` is that of the plan, where the game has one.
    """
    s, event = act.s, act.event
    rules = system_of(event).campaign
    if rules is None or event.season is None:
        raise Refused(gettext("A campaign is a season of a game whose rules describe one."))
    if settings_are_fixed(s, event):
        raise Refused(gettext("Round 1 is published: the campaign’s settings stay as they are."))
    wanted = None
    if settings is not None:
        plan = campaign_plan(event, rules, settings, seed)
        wanted = campaign_document(rules, settings, plan, seed if plan else None)
    if wanted != event.campaign:
        event.campaign = wanted
        made, ended = message("Made the season a campaign"), message("Made the campaign an ordinary season")
        details = {"settings": wanted["settings"], "map": wanted["seed"]} if wanted else {"settings": {}}
        note(act, "change-campaign", made if wanted else ended, **details)


def campaign_plan(event: Event, rules: CampaignRules, settings: Mapping[str, str], seed: int) -> Mapping[str, object]:
    """The plan, such as a map, for the groups that take part now; empty where the game has none."""
    groups = len(placed(event.players))
    return rules.planned(rules.chosen(settings), seed, max(groups, 2)) if rules.planned else {}
