"""Pages, cards, sheets and roles show a campaign's groups as they are now, not the lists at the start."""

import re
from dataclasses import replace
from typing import Any

import pytest

from events.papers.campaign_paper import may_fight_words
from events.store.campaign import terms_of_battle
from events.store.verdicts import verdict_of, verdict_words
from models.play import Player
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.seasons.earning import EARNING, Table, earning, playing
from tests.seasons.test_book import LONG, words
from validators.campaign import Member
from validators.fallout_skirmish.campaign.rules import sheet
from validators.fallout_skirmish.campaign.state import Group, members, needs_armour
from validators.fallout_skirmish.sheets import resolve
from validators.fallout_warfare.campaign.state import document_of, rating
from validators.scenario import Role
from validators.sheet import Table as SheetTable
from validators.sheet import Track

__all__ = ["earning"]
AT = "/e/iron-open"
CONVOY: dict[str, Any] = {"game": "fallout_warfare", "size": 500, "scenarios": ("convoy",) * 3}


@pytest.mark.usefixtures("earning")
def test_pages_and_papers_show_the_group_as_it_is_now(stage: Stage, olga: Person, app: Any, link_of: Links) -> None:
    table = Table(stage, LONG, "Bo")
    name, _ = table.decide_first_game()
    table.begin(name)
    winner = table.players[name]
    page = browser(app, link_of, winner).page
    assert "Rating 15 · 1–0–0" in page.part("#group")
    assert "Your list counts once" not in page.text
    page = olga.open(f"{AT}/players/{winner.id}")
    assert page.part("#force h2") == "List at the start"
    assert page.soup.select(f"#force a[href='{AT}/campaign/groups/{winner.id}']")
    for address, parts in (
        (f"players/{winner.id}/force.pdf", ("Knife", "rating", "15", "The whole group may fight")),
        (f"players/{winner.id}/force.pdf?copy=sheets", ("Roster", "Characters", "rating 15")),
        ("desk/forces.pdf?copy=judge", ("Piper", "rating", "15")),
        ("desk/forces.pdf?copy=sheets", ("Roster", "rating 15")),
        ("rounds/1/scoresheets.pdf", ("rating 10",)),
    ):
        said = " ".join(words(olga.ask("GET", f"{AT}/{address}").data).split())
        assert [part for part in parts if part not in said] == [], address
        assert "Old Longfellow" not in said, address
    assert "rating 15" not in said, "the sheets of a game have the groups that played it"


def test_army_of_a_role_is_chosen_from_the_muster(stage: Stage, app: Any, link_of: Links) -> None:
    table = Table(stage, **CONVOY)
    (game,) = table.games
    raiders = stage.one(Player, id=game.b_id if game.a_first else game.a_id)
    person = browser(app, link_of, raiders)
    page = person.open(f"{AT}/me/fielded")
    assert not page.soup.select("input[name=places]"), "nobody has mustered yet"
    assert "no muster to choose from. Take the steps of the group first." in page.text
    table.muster(raiders.name)
    page = person.open(f"{AT}/me/fielded")
    mustered = document_of(table.group(raiders.name), only_fielded=True)
    lines = sum(len(squad["models"]) for squad in mustered["squads"]) + len(mustered["vehicles"])
    places = [str(entry["value"]) for entry in page.soup.select("input[name=places]")]
    assert 0 < len(places) <= lines
    assert "200 points of the muster" in page.part("main header")
    page = person.press("Field these models", places=places)
    assert page.status == 200, page.text
    assert not page.soup.select("main [data-clock], [name=do][value=start]"), "a round of days has no clock"
    table.muster("Bo" if raiders.name == "Ada" else "Ada")
    page = person.press("Field these models", places=places)
    assert not page.soup.select("main [data-clock], [name=do][value=start]"), "nor once both can choose"
    assert stage.now(game).choosing_since is None


def test_army_of_a_role_is_judged_as_grown(stage: Stage) -> None:
    table = Table(stage, **CONVOY)
    table.muster("Ada")
    document = document_of(table.group("Ada"), only_fielded=True)
    first = document["squads"][0]
    left = {**first, "models": [entry for entry in first["models"] if entry["rank"] != "squadleader"]}
    assert len(left["models"]) < len(first["models"]), "its leader died"
    terms = terms_of_battle(stage.now(table.event)).in_role(Role("Raiders", 200, ""))
    verdict = verdict_of(table.event, {**document, "squads": [left], "vehicles": [], "mines": 0}, terms)
    assert verdict.problems == ()


def test_wild_america_has_beasts_for_the_points_of_a_battle_not_of_the_stock(stage: Stage, olga: Person) -> None:
    Table(stage, game="fallout_warfare", size=500, scenarios=("wild-america",) * 3, settings={"most": "100"})
    for address in ("pack.pdf", "scenarios.pdf", "rounds/1/setup.pdf", "rounds/1/scoresheets.pdf"):
        said = " ".join(words(olga.ask("GET", f"{AT}/{address}").data).split())
        assert "Here 2 of each, for up to 100 points a side" in said, address
    blank = " ".join(words(olga.ask("GET", f"{AT}/desk/rounds/1/blank-sheets.pdf").data).split())
    assert "of 100" in blank and "of 500" not in blank


def test_level_to_which_a_character_fell_is_not_learned(stage: Stage) -> None:
    group = Table(stage, game="fallout_skirmish").group("Ada")
    first, *others = group.all_members
    risen = replace(first, xp=60, level=16)
    fallen = replace(risen, xp=1)
    known = [members(replace(group, all_members=(part, *others)))[0].learned for part in (risen, fallen)]
    assert known[0] == known[1] and known[0][0] == "Level 16"


def test_skirmish_group_has_the_blocks_of_one_day_with_what_it_has_suffered(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_skirmish")
    player = table.players["Ada"]
    papers = f"{AT}/desk/forces.pdf?copy=judge", f"{AT}/players/{player.id}/force.pdf?copy=sheets"
    card, sheets = (" ".join(words(olga.ask("GET", paper).data).split()) for paper in papers)
    assert "Checked by" in card and "Leader" in card
    for copy in ("judge", "player"):
        read = words(olga.ask("GET", f"{AT}/desk/forces.pdf?copy={copy}").data)
        assert not re.search(r";\s*$", read, re.MULTILINE)
        for a_member in members(table.group("Ada")):
            assert " ".join(map(" ".join, a_member.figures)) in " ".join(read.split()), (copy, a_member.name)
    counted = "The figures include injuries, rads and hunger"
    assert counted in card and sheets.count(counted) == 2, "on the card, the roster and the characters"
    carried = [item for a_member in members(table.group("Ada")) for item, _ in a_member.carries]
    spare = sheets.split("Held, not carried")[1].split("Members")[0]
    assert carried and not any(item in spare for item in carried)
    lists = " ".join(words(olga.ask("GET", f"{AT}/desk/list-check.pdf").data).split())
    assert "The lists with which groups were founded" in lists
    parts = ("Key", "Resolve", "Short", "RoF", "Jam", "Prone", "Wounds", "Level")
    assert [part for part in parts if part not in sheets] == []
    whole = table.group("Ada")
    hurt = whole.with_changed(whole.leader, injuries=("body",), rads=3)
    before, after = (figures_of(group, whole.member(whole.leader).name) for group in (whole, hurt))
    assert int(after["E"]) < int(before["E"]) and after["S"] == before["S"]
    hungry = whole.with_changed(whole.leader, hunger=1)
    starved = figures_of(hungry, whole.member(whole.leader).name)
    assert int(starved["E"]) == int(before["E"]) - 1, "hunger counts like injuries"
    assert int(starved["Resolve"]) == resolve(int(starved["E"]), int(before["S"]))
    (member,) = [a_member for a_member in members(hungry) if a_member.key == whole.leader]
    assert dict(member.figures)["E"] == starved["E"]
    boxes = [row for block in sheet(hurt) if isinstance(block, Track) for row in block.rows if row[0] == "Rads"]
    assert [row[1].count("×") for row in boxes if "×" in row[1]] == [3]


def test_card_of_a_group_says_who_may_fight(stage: Stage, olga: Person) -> None:
    at_home = set[str]()

    def members_of(_: Any) -> tuple[Member, ...]:
        here = (
            Member(name, name, "Grunt", (("XP", "3"),), absent_members=name in at_home)
            for name in ("Nick", "Ada", "Dogmeat")
        )
        return *here, Member("c", "Longfellow", "Grunt", (), gone="Died in round 1")

    with playing(replace(EARNING, members=members_of)):
        ada = Table(stage, "Ada", "Bo").players["Ada"].id
        for absent, verdict in (
            ((), "The whole group may fight"),
            (("Nick",), "All but Nick may fight"),
            (("Nick", "Ada"), "May fight: Dogmeat"),
            (("Nick", "Ada", "Dogmeat"), "Nobody may fight"),
        ):
            at_home.update(absent)
            for address in (f"players/{ada}/force.pdf", "desk/forces.pdf?copy=judge", "desk/forces.pdf?copy=opponent"):
                card = " ".join(words(olga.ask("GET", f"{AT}/{address}").data).split())
                assert verdict in card, (absent, address)
    some = [Member(name, name, "Grunt", (), absent_members=name == "Nick") for name in ("Nick", "Ada")]
    assert [may_fight_words(part)[1] for part in (some, some[1:], some[:1])] == ["!", "✓", "✗"]


def test_members_stay_home_if_blind_locked_up_or_without_their_armour(stage: Stage) -> None:
    whole = Table(stage, game="fallout_skirmish").group("Ada")
    bare = whole.with_changed(whole.leader, items={})

    def at_home(group: Group) -> int:
        return sum(member.absent_members for member in members(group))

    assert at_home(whole) == 0
    assert at_home(whole.with_changed(whole.leader, injuries=("eye", "eye"))) == 1
    assert at_home(whole.with_changed(whole.leader, captive=True)) == 1
    assert at_home(bare) == bool(needs_armour(bare, bare.member(bare.leader)))


def figures_of(group: Group, name: str) -> dict[str, str]:
    found = next(block for block in sheet(group) if isinstance(block, SheetTable) and block.title.startswith(name))
    return dict(zip((column.head for column in found.columns), found.rows[0], strict=True))


def test_cards_of_an_army_show_its_muster_and_the_verdict_on_it(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    ada = next(player for player in table.players.values() if player.name == "Ada")
    for copy in ("players/{}/force.pdf", "desk/forces.pdf?copy=judge"):
        said = " ".join(words(olga.ask("GET", f"{AT}/{copy.format(ada.id)}").data).split())
        assert "No muster yet" in said and "Legal" not in said, copy
        assert "rating" in said and "mustered" not in said, copy
    whole = table.group("Ada")
    table.muster("Ada")
    said = " ".join(words(olga.ask("GET", f"{AT}/players/{ada.id}/force.pdf").data).split())
    mustered = document_of(table.group("Ada"), only_fielded=True)
    count = sum(model["count"] for squad in mustered["squads"] for model in squad["models"])
    assert 0 < count <= sum(unit.alive for unit in whole.units)
    assert "Legal" in said and "No muster yet" not in said
    verdict = verdict_words(verdict_of(table.event, mustered, terms_of_battle(stage.now(table.event))))
    assert verdict in said and verdict in olga.open(f"{AT}/campaign/groups/{ada.id}").text
    assert f"mustered of {rating(table.group('Ada'))}" in said
