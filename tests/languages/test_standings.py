"""Standings in the pretend language, and explanations of tie-breaks in all languages."""

import re

import pytest

from events.tournament.team_ranking import SHARE, TEAM_TIE_BREAKS
from events.tournament.tie_breaks import TIE_BREAKS
from languages.words import gettext, offered, speaking
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Stage
from tests.kit.team_events import COLOURS, decide_all, enter_teams, team_event
from tests.languages.test_desk import WORDED


def test_figures_of_teams_are_explained_in_the_readers_language(
    stage: Stage, visitor: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *COLOURS[:3])
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    offer_pseudo(monkeypatch)
    visitor.post("/language", language=CODE, back="/")
    left = str(visitor.open(f"/e/{event.slug}/standings/teams").soup.main)
    while WORDED.search(left):
        left = WORDED.sub("", left)
    assert re.findall(r"Board points|Lot\b|VP\b|SoS|bye\b", left) == []


@pytest.mark.parametrize("code", offered())
def test_explanation_that_is_shown_in_brackets_has_no_full_stop(code: str) -> None:
    said = [tie_break.explanation for tie_break in TIE_BREAKS.values()] + [
        said for _, _, said in (*TEAM_TIE_BREAKS, SHARE)
    ]
    with speaking(code):
        assert [text for text in map(gettext, said) if text.endswith(".")] == []
