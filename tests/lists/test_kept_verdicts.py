"""A locked list keeps its verdict under later rules of the service; the desk names what it would be judged today."""

from models.event import Event
from models.play import ForceList, Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER, store_force
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk/lists"
REFUSED_TODAY = PIPER | {"models": [{"name": "Piper", "leader": True}, {"name": "Piper"}]}
"""A force that the rules of today refuse; it stands for one that was legal by the rules of its lock."""


def locked_before_the_rules_changed(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada", "Bo")
    for name in ("Ada", "Bo"):
        store_force(stage, name)
    olga.open(DESK + "/lock")
    olga.press("Lock 2 lists now")
    force = stage.one(ForceList, player_id=stage.one(Player, name="Ada").id)
    assert force.kept_queries == ""
    stage.set(event, force, document=read_force(REFUSED_TODAY))


def row(olga: Person, name: str) -> str:
    rows = [" ".join(tag.get_text(" ", strip=True).split()) for tag in olga.open(DESK).soup.select(".desk-rows > li")]
    return next(text for text in rows if text.startswith(name))


def test_locked_list_stays_legal_and_the_desk_names_it(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    locked_before_the_rules_changed(enter, olga, stage, event)
    assert "Broken rules" not in row(olga, "Ada") and "Submitted" in row(olga, "Ada")
    assert "by the rules of today: Unique models" in row(olga, "Ada")
    assert "rules of today" not in row(olga, "Bo")
    named = olga.open(DESK + "?state=otherwise").soup.select(".desk-rows > li .row-title")
    assert [tag.get_text(strip=True) for tag in named] == ["Ada"]
    page = olga.open(f"{DESK}/{stage.one(Player, name='Ada').id}")
    assert "2 times" in page.text and "by the rules of today" in page.text
    assert olga.press("Approve").flashes == "The list of Ada is approved."


def test_list_that_is_open_again_is_judged_by_the_rules_of_today(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    locked_before_the_rules_changed(enter, olga, stage, event)
    olga.open(DESK)
    olga.press("Open all lists again")
    assert "Broken rules: Unique models" in row(olga, "Ada")
    assert "rules of today" not in row(olga, "Ada")
