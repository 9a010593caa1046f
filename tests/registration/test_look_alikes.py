"""Names that look alike are accepted, and staff are warned wherever names matter."""

import pytest
from flask import Flask

from models.event import Event
from models.people import Account
from models.play import Player
from models.staff import Role
from tests.kit.accounts import STAFF, join, link_for
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage
from tests.kit.team_events import enter_teams, team_event

PLAYERS = "/e/iron-open/desk/players"
CYRILLIC_ANNA = "Аnna"
"""With a Cyrillic first letter."""


def warnings(person: Person, address: str = PLAYERS) -> list[str]:
    """The warnings about names on a page, from the top."""
    page = person.open(address)
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select(".name-warnings .badge")]


@pytest.mark.proves("attack 68")
@pytest.mark.both_at_length
def test_look_alike_of_a_player_is_accepted_and_staff_are_warned(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Anna", "Bo", here=False)
    visitor = Person(app)
    visitor.open("/e/iron-open/register")
    assert visitor.press("Register", name=CYRILLIC_ANNA).path == "/e/iron-open/me/link"
    assert warnings(olga) == [f"Looks like {CYRILLIC_ANNA}", "Looks like Anna", "Mixes Cyrillic and Latin"]
    twin = stage.one(Player, name=CYRILLIC_ANNA)
    assert warnings(olga, f"{PLAYERS}/{twin.id}") == ["Looks like Anna", "Mixes Cyrillic and Latin"]
    assert len(olga.open(f"{PLAYERS}?show=names").rows("table.check-in")) == 2
    assert "2 names to check" in olga.open("/e/iron-open/desk").part("#group-names summary")
    assert "Looks like Anna" in olga.open("/e/iron-open/desk/ready/names").text
    for address in ("/e/iron-open", "/e/iron-open/me"):
        assert "Looks like" not in visitor.open(address).text, "only staff are warned"


@pytest.mark.proves("attack 68")
def test_warning_names_the_table_at_pairings_paper_entry_and_search(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Anna", "Bo", CYRILLIC_ANNA, "Dee")
    stage.draw(event, 1)
    assert len(warnings(olga, "/e/iron-open/desk/rounds/1")) == 3, "on the draft"
    olga.press("Publish round 1")
    assert len(warnings(olga, "/e/iron-open/desk/rounds/1")) == 3
    table = {stage.name(id_): game.table_number for game in stage.games(event, 1) for id_ in (game.a_id, game.b_id)}
    warning = f"Looks like Anna (table {table['Anna']})"
    assert warning in warnings(olga)
    sheet = warnings(olga, f"/e/iron-open/desk/rounds/1/entry?table={table[CYRILLIC_ANNA]}")
    assert warning in sheet
    game = next(game for game in stage.games(event, 1) if game.table_number == table[CYRILLIC_ANNA])
    assert warnings(olga, f"/e/iron-open/desk/games/{game.id}") == sheet
    assert warnings(olga, "/e/iron-open/desk/search?q=Anna")


@pytest.mark.proves("attack 68")
def test_look_alikes_of_staff_and_teams_are_found_but_not_the_same_person(olga: Person, stage: Stage) -> None:
    event = team_event(stage, 2)
    enter_teams(stage, event, "Reds")
    stage.hire(event, "Igor", Role.JUDGE)
    stage.enter(event, "Olga", here=False)
    assert warnings(olga) == [], "an organiser who plays"
    stage.enter(event, "0lga", "lgor", "Rеds", here=False)
    found = warnings(olga)
    for words in ("Looks like Igor (judge)", "Looks like Reds (team)", "Mixes Latin and Cyrillic"):
        assert words in found
    assert any(words.startswith("Looks like Olga") for words in found)


def test_dropped_players_and_partners_are_compared(olga: Person, stage: Stage, event: Event) -> None:
    anna, _ = stage.enter(event, "Anna", "Bo", here=False)
    olga.open(f"{PLAYERS}/{anna.id}")
    olga.press("Drop")
    stage.enter(event, "Ánna", here=False)
    assert warnings(olga) == ["Looks like Anna"], "the dropped player gets no warning"
    with stage.changing(event):
        event.doubles = True
    for name, partner in (("Emma", "Di"), ("Cy", "Еmma")):
        olga.open(PLAYERS)
        olga.press("Add", inside="#walk-in", **{"w-name": name, "w-partner": partner})
    found = warnings(olga)
    assert {"Looks like Еmma", "Looks like Emma", "Mixes Cyrillic and Latin"} <= set(found), "each partner by itself"


@pytest.mark.proves("attack 68")
@pytest.mark.both_at_length
def test_staff_page_warns_of_look_alikes_among_accounts(app: Flask, olga: Person, event: Event) -> None:
    join(app, link_for(olga, Role.JUDGE), "Anna Organiser")
    assert warnings(olga, STAFF) == []
    join(app, link_for(olga, Role.JUDGE), f"{CYRILLIC_ANNA} Organiser")
    join(app, link_for(olga, Role.SCOREKEEPER), "Оl")
    assert sorted(warnings(olga, STAFF)) == [
        "Looks like Anna Organiser (judge)",
        f"Looks like {CYRILLIC_ANNA} Organiser (judge)",
        "Mixes Cyrillic and Latin",
        "Mixes Cyrillic and Latin",
    ]  # fmt: skip


@pytest.mark.proves("attack 68")
def test_account_name_with_an_invisible_character_is_refused(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    words = "A name cannot contain invisible characters. Type it again."
    invitation, set_up = Person(app), Person(app)
    invitation.open(link_for(olga, Role.JUDGE))
    set_up.open(stage.set_up_link())
    for hidden in ("\u200b", "\u00ad", "\u2060", "\u3164"):
        name = f"An{hidden}na"
        page = invitation.press("Create account and accept", **{"n-name": name, "n-password": PASSWORD})
        assert (page.status, page.error_at("n-name")) == (422, words), repr(hidden)
        page = set_up.press("Set up and sign in", name=name, password=PASSWORD)
        assert (page.status, page.error_at("name")) == (422, words), repr(hidden)
    assert [account.name for account in stage.all(Account)] == ["Olga"]
