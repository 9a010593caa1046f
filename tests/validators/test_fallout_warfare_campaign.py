"""The campaign of Fallout: Warfare: the figures of chapter 8, and the refusals."""

from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

import networkx
import pytest

from languages.message import worded
from tests.kit.armies import EDITION, SYSTEM, army, broken, check, line, skill, squad, squires
from tests.validators.played_campaigns import Campaign
from validators.campaign import Account, Played, StepRefused
from validators.contract import Terms
from validators.fallout_warfare.campaign.battle import learn
from validators.fallout_warfare.campaign.rules import RULES
from validators.fallout_warfare.campaign.state import Book, battles, least_points
from validators.fallout_warfare.check import CHECKS
from validators.fallout_warfare.force_file import part_of
from validators.sheet import Table

POINTS = Account("points")
ARMY = army(
    squires(6),
    squires(4),
    squires(4),
    squad(line("Squire", "hero", skills=[skill("Doctor")])),
    squad(line("Squire", "hero", level=3, skills=[skill("Piloting", 7)])),
    vehicles=["APC"],
)
"""Squads 0 to 2, the heroes 3-0-0 (a Doctor of 1 hit point) and 4-0-0 (a driver of 3), and an APC."""


class Army(Campaign):
    """A campaign in which most steps are those of group 1."""

    def __init__(self, settings: dict[str, str], plan: dict[str, Any] | None = None) -> None:
        super().__init__(RULES, EDITION, {1: "Lost Hills", 2: "Junktown"}, settings, plan)

    def do(self, kind: str, data: Mapping[str, Any] | None = None, group: int = 1) -> "Army":
        """Take a step; only the named squads and vehicles muster."""
        chosen = dict(data or {})
        if kind == "muster":
            chosen = {f"in-{body}": 0 for body in self.world.groups[group].bodies()} | chosen
        self.step(group, kind, chosen)
        return self

    def battle(self, result: str = "win", *bodies: str, fought: bool = True, scenario: str = "skirmish") -> "Army":
        """The muster of these squads and vehicles, the end of the sequence, and a battle."""
        self.do("muster", {f"in-{body}": 1 for body in bodies}).do("next")
        return self.play(result, fought=fought, scenario=scenario)

    def play(self, result: str, *, fought: bool = True, scenario: str = "skirmish") -> "Army":
        """A battle against the second group."""
        number = 1 + sum(entry.step.kind == "play" for entry in self.history.entries)
        return self.do("play", asdict(Played(number, number, result, 2, scenario, fought=fought)))  # type: ignore[arg-type]

    def to(self, phase: str) -> "Army":
        while (now := self.world.phase(1)) is not None and now.id != phase:
            self.do("next")
        return self

    def to_phase(self, group: int, phase: str) -> None:
        while (now := self.world.phase(group)) is not None and now.id != phase:
            self.do("next", group=group)

    def member(self, key: str) -> dict[str, str]:
        """The figures, notes and fate of a member of group 1."""
        found = next(member for member in RULES.members(self.world.groups[1]) if member.key == key)
        return dict(found.figures) | {"notes": "; ".join(found.notes), "gone": found.gone}

    @property
    def points(self) -> int:
        """The army points of group 1, which its ledger must give too."""
        balances = RULES.balances(self.world.groups[1])
        assert self.history.sums(1) == balances
        return balances[POINTS]

    @property
    def messages(self) -> str:
        """The sentences of the newest step."""
        return " ".join(self.history.entries[-1].said)


def campaign(document: dict[str, Any] | None = None, **settings: str) -> Army:
    return Army(settings).do("found", {"document": document or ARMY})


def refused(of: Army, why: str, kind: str, data: Mapping[str, Any] | None = None) -> None:
    with pytest.raises(StepRefused, match=why):
        of.do(kind, data)


def test_group_starts_with_all_of_its_army() -> None:
    an_army = campaign()
    assert an_army.points == check(ARMY).total
    every = [*range(len(ARMY["squads"]) + len(ARMY["vehicles"]))]
    assert part_of(RULES.document(an_army.world.groups[1]), every) == ARMY
    assert an_army.history.sums(1)[Account("character", "Squire")] == 14
    assert an_army.history.sums(1)[Account("item", "APC")] == 1
    ranks = [who.rank for who in RULES.members(an_army.world.groups[1])]
    assert ranks[:2] == ["Squadleader, squad 1", "Grunt, squad 1"]
    phase = an_army.world.phase(1)
    assert phase is not None and phase.id == "muster", "without a map and without wounds there is only the muster"


def test_members_and_cards_name_the_skills_of_their_entries() -> None:
    heroes = line("Raider", "hero", skills=[skill("Traps", 6)]), line("Armored Ghoul", "hero")
    for hero, said in zip(heroes, (("Piloting (4)", "Traps (6)"), ("Repair (5)",)), strict=True):
        document = army(squad(hero, line("Squire")))
        an_army = campaign(document)
        assert said == RULES.members(an_army.world.groups[1])[0].notes
        (unit,) = SYSTEM.papers.card(document, EDITION)
        text = str(unit.parts)
        assert all(skill in text for skill in said), text


def test_starting_points_are_advised_and_give_the_number_of_battles() -> None:
    assert "500 to 1500 army points are advised." in campaign().messages
    assert battles(1000, 200) == (6, 8), "6.25 to 7.5"
    assert battles(800, 400) == (2, 3), "2.5 to 3"
    assert battles(1600, 400) == (5, 6), "exactly 5 and 6"


def test_muster_is_bounded_by_its_least_and_most_points() -> None:
    an_army = campaign(most="100")
    assert least_points(an_army.world.settings) == 50
    assert least_points(campaign(most="250", least="25").world.settings) == 63
    group = an_army.world.groups[1]
    units = tuple(replace(unit, ready=unit.ready - 2, away=2) if unit.body == "s1" else unit for unit in group.units)
    (about,) = {
        offer.about
        for offer in RULES.offers(an_army.world.with_group(1, replace(group, units=units)), 1)
        if offer.kind == "muster"
    }
    assert about.endswith("Away: 2 × Squire, squadleader; 2 × Squire."), about
    refused(an_army, "at least 50", "muster", {"in-s3": 1})
    refused(an_army, "over the size of 100", "muster", {"in-s0": 1, "in-s1": 1, "in-s2": 1})
    refused(an_army, "0 army points are mustered", "muster", {"in-s9": 1})
    refused(an_army, "Muster for the next battle", "next")
    an_army.do("muster", {"in-s0": 1})
    assert an_army.do("next").world.phase(1) is None


def test_losses_are_subtracted_from_the_ledger_once() -> None:
    an_army = campaign()
    an_army.battle("win", "s0", "s1").do("losses", {"body": "s0", "lost-0-1": 2})
    assert an_army.points == 230 - 2 * (5 + 6)
    assert an_army.history.sums(1)[Account("character", "Squire")] == 12
    refused(an_army, "cannot be taken now", "losses", {"body": "s0", "lost-0-1": 1})
    assert [offer.fixed["body"] for offer in an_army.offers()] == ["s1"]


def test_vehicle_keeps_its_damage_until_destroyed_by_damage_or_a_crash() -> None:
    crashed = campaign().battle("win", "s0", "v0").do("losses", {"body": "v0", "fate-v0": "lost", "damage-v0": 4})
    assert crashed.member("v0")["gone"] == "destroyed in round 1"
    an_army = campaign().battle("win", "s0", "s1", "v0").do("losses", {"body": "v0", "damage-v0": 10})
    assert an_army.member("v0")["Damage"] == "10 of 14"
    assert an_army.member("v0")["notes"] == "Disabled: no fast speed", "10/14: disabled at 10"
    an_army.to("muster").battle("win", "s0", "s1", "v0")
    before = an_army.points
    an_army.do("losses", {"body": "v0", "damage-v0": 14})
    assert an_army.points == before - 30
    assert an_army.member("v0")["gone"] == "destroyed in round 2"
    assert Account("item", "APC") not in an_army.history.sums(1)


def test_break_regains_two_hit_points_and_costs_the_next_battle() -> None:
    an_army = (
        campaign(army_with_heroes(level=4)).battle("loss", "s0", "s3").do("losses", {"body": "s3", "hits-3-0-0": 1})
    )
    (wound,) = an_army.history.entries[-1].lines
    assert (wound.account.kind, wound.amount, worded(wound.why)) == ("hits", -3, "Wounded")
    an_army.to("rest")
    refused(an_army, "cannot be taken now", "break", {"unit": "4-0-0"})
    refused(an_army, "choose one of the list", "break", {"unit": "3-0-0", "doctor": "3-0-0"})
    refused(an_army, "cannot be taken now", "tend")
    refused(an_army.do("break", {"unit": "3-0-0"}), "cannot be taken now", "break", {"unit": "3-0-0"})
    assert an_army.member("3-0-0")["Hit points"] == "3 of 4"
    (healed,) = an_army.history.entries[-1].lines
    assert (healed.account, healed.amount, worded(healed.why)) == (wound.account, 2, "Gained")
    an_army.to("muster").battle("win", "s0", "s1", "s3")
    assert [offer.fixed["body"] for offer in an_army.offers()] == ["s0", "s1"], "s3 did not fight"
    an_army.to("muster").do("muster", {"in-s0": 1, "in-s3": 1})


def test_break_with_a_doctor_adds_the_higher_skill_level() -> None:
    for own, hits in ((skill("Sneak"), "8 of 12"), (skill("Doctor", 8), "11 of 12")):
        document = army_with_heroes(level=12, skills=[own])
        an_army = campaign(document, most="1500", least="25").battle("loss", "s0", "s1", "s2", "s3", "s4")
        an_army.do("losses", {"body": "s3", "hits-3-0-0": 1}).to("rest").do(
            "break", {"unit": "3-0-0", "doctor": "4-0-0"}
        )
        assert an_army.member("3-0-0")["Hit points"] == hits, "1 + 2 + the higher of the own level and 5"
        assert an_army.member("4-0-0")["notes"].endswith("Misses the next battle"), "the Doctor stays with the hero"


def test_unconscious_hero_cannot_fight() -> None:
    an_army = campaign().battle("loss", "s0", "s1", "s3").do("losses", {"body": "s3", "hits-3-0-0": 0}).to("muster")
    assert "Unconscious: cannot fight" in an_army.member("3-0-0")["notes"]
    offer = next(offer for offer in an_army.offers() if offer.kind == "muster")
    assert "in-s3" not in [ask.key for ask in offer.asks]


def test_forfeits_are_counted() -> None:
    an_army = campaign().battle("win", "s0", "s1").to("muster").battle("loss", "s0", "s1").to("muster")
    an_army.do("forfeit")
    assert an_army.messages == "Forfeits the next battle: the desk records it."
    an_army.do("next").play("loss", fought=False)
    assert RULES.tables(an_army.world)[0].rows == (("Lost Hills", "230", "1"),)


def test_scenario_may_give_extra_experience() -> None:
    an_army = campaign(extra="3").battle("win", "s0", "s1", "s3").do("next")
    refused(an_army, "Extra experience: 1 to 3", "extra", {"unit": "3-0-0", "xp": 4})
    for unit in ("4-0-0", "0-0"):  # a hero who did not fight, a squadleader
        refused(an_army, "cannot be taken now", "extra", {"unit": unit, "xp": 1})
    an_army.do("extra", {"unit": "3-0-0", "xp": 3})
    assert (an_army.member("3-0-0")["Experience"], an_army.member("3-0-0")["Level"]) == ("5", "2")
    state = an_army.world.groups[1]
    assert an_army.member("3-0-0")["Army points"] == "8", "levels cost points outside campaigns only (8.2)"
    assert [an_army.points, RULES.rating(state), check(RULES.document(state)).total] == [230] * 3
    refused(an_army, "cannot be taken now", "extra", {"unit": "3-0-0", "xp": 1})
    other = campaign().battle("win", "s0", "s1", "s3").to("heroes")
    refused(other, "cannot be taken now", "extra", {"unit": "3-0-0", "xp": 1})


def test_hero_alone_and_grunts_without_a_leader_are_asked_about_and_keep_their_squads_numbers() -> None:
    an_army = campaign(least="25").battle("win", "s0", "s1", "s3", "s4")
    an_army.do("losses", {"body": "s0", "fate-0-0": "lost"}).to("muster").do(
        "muster", {"in-s0": 1, "in-s3": 1, "in-s4": 1}
    )
    assert RULES.brings is not None
    document, terms = RULES.brings(an_army.world.groups[1]), Terms(EDITION, 200)
    found = CHECKS.check(document, RULES.battle_terms(an_army.world.settings, terms))
    strict = CHECKS.check(document, terms)
    assert found.legal and not strict.legal
    assert {query.rule for query in found.queries} >= {"fw.leader", "fw.heroes"}
    assert "Squad 1 has no leader, 1 needed" in [query.message for query in found.queries]
    assert [entry["number"] for entry in document["squads"]] == [1, 4, 5]
    document = document | {"squads": document["squads"][2:]}
    (sheet,) = SYSTEM.papers.sheets(document, terms)
    assert "squads numbered as in the roster" in sheet.subtitle
    troops = sheet.blocks[0]
    assert isinstance(troops, Table) and [row[0].partition("\n")[0] for row in troops.rows] == ["5"]
    assert "squad 5" in next(who.rank for who in RULES.members(an_army.world.groups[1]) if who.key == "4-0-0")


TABLE = [2, 6, 12, 20, 30, 42, 56, 72, 90, 110, 132, 156, 182, 210, 240]


def test_levels_follow_from_the_printed_table() -> None:
    world = campaign().world
    hero = world.groups[1].unit("3-0-0")

    def with_experience(xp: int) -> Book:
        book = Book(world, 1)
        learn(book, hero, xp)
        return book

    for level, needed in enumerate(TABLE, 2):
        for xp, expected in ((needed - 1, level - 1), (needed, level)):
            grown = with_experience(xp).group.unit("3-0-0")
            assert (grown.level, grown.xp) == (expected, xp)
            assert (grown.hits, grown.most_hits) == (expected, expected), "1 hit point, and 1 for each level"
            assert grown.skill_points == expected - 1
    highest = with_experience(5000).group
    assert highest.unit("3-0-0").level == 16
    assert dict(RULES.members(highest)[6].figures)["Army points"] == "8"


def test_hero_of_level_3_has_one_skill_at_7_or_two_at_5() -> None:
    an_army = campaign(army_with_heroes(level=1), extra="5")
    an_army.battle("win", "s0", "s1", "s3").do("next").do("extra", {"unit": "3-0-0", "xp": 4})
    assert an_army.member("3-0-0")["Level"] == "3"
    an_army.do("learn", {"unit": "3-0-0", "skill": "Sneak"})
    assert an_army.member("3-0-0")["Skill points"] == "2", "the first skill costs nothing"
    raised = copy(an_army)
    raised.do("raise", {"unit": "3-0-0", "skill": "Sneak"}).do("raise", {"unit": "3-0-0", "skill": "Sneak"})
    assert raised.member("3-0-0")["notes"] == "Sneak (7)"
    for kind, skill_ in (("raise", "Sneak"), ("learn", "Traps")):
        refused(raised, "cannot be taken now", kind, {"unit": "3-0-0", "skill": skill_})
    an_army.do("learn", {"unit": "3-0-0", "skill": "Traps"})
    assert an_army.member("3-0-0")["notes"] == "Sneak (5); Traps (5)"
    assert an_army.member("3-0-0")["Skill points"] == "0"
    for grown in (an_army, raised):
        assert "fw.skills" not in broken(RULES.document(grown.world.groups[1]))


def test_first_new_skill_costs_nothing_after_a_skill_of_the_entry_was_raised() -> None:
    scribe = army(squires(6), squires(4), squad(line("Scribe", "hero", level=2)))
    an_army = campaign(scribe, extra="1").battle("win", "s0", "s1", "s2").to("heroes")
    an_army.do("raise", {"unit": "2-0-0", "skill": "Science"}).do("learn", {"unit": "2-0-0", "skill": "Sneak"})
    assert an_army.member("2-0-0")["Skill points"] == "0"


def test_tournament_limits_grow_with_the_battle() -> None:
    """3.3: 50 points of heroes and one vehicle of 200."""
    heroes = [squad(line("Squire", "hero", level=4)) for _ in range(2)]
    two = campaign(army(squires(6), squires(6), *heroes, vehicles=["Taxi", "Taxi"]))
    refused(two, "64 points, 50 allowed at 200", "muster", {"in-s0": 1, "in-s2": 1, "in-s3": 1})
    refused(two, "2 vehicles, 1 allowed at 200", "muster", {"in-s0": 1, "in-v0": 1, "in-v1": 1})
    two.do("muster", {"in-s0": 1, "in-s2": 1, "in-v0": 1})
    more = campaign(two.history.entries[0].step.data["document"], most="400", least="25")
    more.do("muster", {"in-s0": 1, "in-s2": 1, "in-s3": 1, "in-v0": 1, "in-v1": 1})
    allies = campaign(army(squires(4), squad(line("Raider", "squadleader"), line("Raider", "grunt", 5, "SMG"))))
    refused(allies, "other factions", "muster", {"in-s0": 1, "in-s1": 1})


def test_squad_musters_without_its_dead_leader_and_figures_regroup() -> None:
    an_army = campaign(least="25").battle("loss", "s0", "s1")
    an_army.do("losses", {"body": "s0", "fate-0-0": "lost"}).to("muster")
    an_army.do("muster", {"in-s0": 1, "in-s1": 1})
    refused(an_army, "is in this squad already", "regroup", {"unit": "3-0-0", "to": "s3"})
    refused(an_army, "only 6 are able", "regroup", {"unit": "0-1", "count": 7, "to": "s1"})
    refused(an_army, "Into: choose one", "regroup", {"unit": "0-1", "to": "s17"})
    refused(an_army, "Who: choose one", "regroup", {"unit": "v0", "to": "s1"})
    an_army.do("regroup", {"unit": "3-0-0", "to": "s0"}).do("regroup", {"unit": "0-1", "count": 2, "to": "s1"})
    an_army.do("muster", {"in-s0": 1})
    assert an_army.messages == "Musters 52 army points."
    assert an_army.points == 230 - 6
    an_army.do("regroup", {"unit": "0-1", "count": 1, "to": "new"})
    refused(an_army, "Muster for the next battle", "next")


def test_suggested_muster_is_legal() -> None:
    an_army = campaign()
    offer = next(offer for offer in an_army.offers() if offer.kind == "muster")
    assert an_army.do("muster", {ask.key: ask.default for ask in offer.asks}).messages == "Musters 200 army points."


def test_group_that_is_too_small_may_only_forfeit() -> None:
    an_army = campaign(army(squires(3)))
    assert [offer.kind for offer in an_army.offers()] == ["forfeit", "regroup"]
    assert an_army.offers()[0].about == "39 army points are ready, 100 are needed."
    refused(an_army, "it can only forfeit the next battle", "next")
    an_army.do("forfeit")
    assert an_army.messages == "Cannot muster 100 army points and forfeits the next battle: the desk records it."


def test_impossible_steps_after_a_battle_are_refused() -> None:
    steps: list[tuple[str, dict[str, Any], str]] = [
        ("losses", {"body": "s2"}, "cannot be taken now"),
        ("losses", {"body": "s0", "lost-0-1": 7}, "0 to 6"),
        ("losses", {"body": "s0", "lost-0-1": 4, "away-0-1": 3}, "only 6 fought"),
        ("losses", {"body": "s0", "lost-0-1": "two"}, "0 to 6"),
        ("losses", {"body": "s3", "hits-3-0-0": 2}, "Hit points left, of 1: 0 to 1"),
        ("losses", {"body": "s3", "fate-3-0-0": "fled"}, "choose one of the list"),
        ("losses", {"body": "v0", "damage-v0": 15}, "Damage in all: 0 to 14"),
        ("hold", {"place": "Junktown"}, "cannot be taken now"),
        ("raise", {"unit": "3-0-0", "skill": "Doctor"}, "cannot be taken now"),
        ("steal", {}, "cannot be taken now"),
    ]
    an_army = campaign().battle("win", "s0", "s3", "v0")
    for kind, data, why in steps:
        refused(an_army, why, kind, data)


def test_squadleader_is_asked_for_by_its_fate() -> None:
    an_army = campaign().battle("win", "s0", "s1")
    assert [ask.key for ask in an_army.offers()[0].asks] == ["fate-0-0", "lost-0-1", "away-0-1"]
    an_army.do("losses", {"body": "s0", "fate-0-0": "lost", "away-0-1": 2})
    assert an_army.messages == "Squire, squadleader: lost in round 1. 2 × Squire retreated, back after the next battle."
    assert an_army.points == 230 - 6


def test_figures_lost_in_several_battles_name_the_last() -> None:
    an_army = campaign(least="25").battle("win", "s0", "s1", "v0").do("losses", {"body": "s0", "lost-0-1": 2})
    an_army.to("muster").battle("win", "s0", "s1", "v0").do("losses", {"body": "s0", "lost-0-1": 4})
    assert "Squire: lost in round 2." in an_army.messages
    assert (an_army.member("0-1")["Lost"], an_army.member("0-1")["gone"]) == ("6", "the last lost in round 2")


def test_no_figure_retreats_where_the_scenario_forbids_it() -> None:
    an_army = campaign().battle("loss", "s0", "s1", "s3", scenario="wild-america")
    asked = [ask for offer in an_army.offers() for ask in offer.asks]
    assert not [ask.key for ask in asked if ask.key.startswith("away-")]
    refused(an_army, "choose one of the list", "losses", {"body": "s3", "fate-3-0-0": "retreated"})


def test_impossible_skills_are_refused() -> None:
    an_army = campaign(extra="5").battle("win", "s0", "s3", "s4").to("heroes")
    refused(an_army, "cannot be taken now", "raise", {"unit": "4-0-0", "skill": "Piloting"})
    refused(an_army, "cannot be taken now", "learn", {"unit": "9-0-0", "skill": "Doctor"})
    an_army.do("extra", {"unit": "3-0-0", "xp": 5})
    refused(an_army, "choose one of the list", "raise", {"unit": "3-0-0", "skill": "Sneak"})
    refused(an_army, "choose one of the list", "learn", {"unit": "3-0-0", "skill": "Doctor"})


LAND = {"map": {"places": [{"name": name, "x": 10 * at, "y": 10} for at, name in enumerate("ABCDEF")],
                "roads": [["A", "B"], ["B", "C"], ["C", "D"], ["D", "E"], ["E", "F"]]}}  # fmt: skip


def on_map(**settings: str) -> Army:
    """Two groups on a map of six places in a row; group 1 starts at A and C, group 2 at F and D."""
    both = Army(settings, LAND)
    both.do("found", {"document": ARMY}).do("found", {"document": ARMY}, 2)
    for place in "AFCD":
        both.do("pick", {"place": place}, 1 if place in "AC" else 2)
    return both


def test_places_are_picked_in_turn() -> None:
    both = Army({}, LAND).do("found", {"document": ARMY}).do("found", {"document": ARMY}, 2)
    refused(both, "Pick 2 more starting places", "next")
    refused(both, "cannot be taken now", "place", {"from": "A", "to": "B"})
    both.do("pick", {"place": "A"})
    refused(both, "cannot be taken now", "pick", {"place": "B"})
    refused(both, "turn of Junktown", "next")
    assert both.offers() == []
    both.do("pick", {"place": "F"}, 2)
    refused(both, "Starting place: choose one", "pick", {"place": "F"})
    both.do("pick", {"place": "C"}).do("pick", {"place": "D"}, 2)
    refused(both, "cannot be taken now", "pick", {"place": "B"})


def test_new_troops_stand_at_the_starting_places() -> None:
    both = on_map()
    offers = [(offer.title, offer.verb) for offer in both.offers()]
    assert offers == [("Troops at A", "Place")], "nobody moves before the first battle"
    both.do("place", {"from": "A", "to": "C", "at-s1": 1, "at-v0": 1})
    refused(both, "To: choose one", "place", {"from": "A", "to": "B", "at-s0": 1})
    refused(both, "Choose who moves", "place", {"from": "A", "to": "C", "at-s1": 1})
    drawn = RULES.map(both.world)
    assert drawn is not None
    assert {place.name: place.holder for place in drawn.places} == {
        "A": 1,
        "B": None,
        "C": 1,
        "D": 2,
        "E": None,
        "F": 2,
    }
    assert [place.about for place in drawn.places] == ["Lost Hills 14", "", "Lost Hills 6", "", "", "Junktown 20"]
    assert drawn.roads == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))


def test_troops_move_to_adjacent_places_once_between_battles() -> None:
    both = on_map().do("next").battle("win", "s0", "s1").to("moves")
    refused(both, "To: choose one", "move", {"from": "A", "to": "C", "at-s0": 1})
    refused(both, "Choose who moves", "move", {"from": "A", "to": "B"})
    both.do("move", {"from": "A", "to": "B", "at-s0": 1})
    refused(both, "cannot be taken now", "move", {"from": "B", "to": "A", "at-s0": 1})
    assert both.world.shared.holders["B"] == 1, "nobody held it"
    both.do("next")
    refused(both, "one place", "regroup", {"unit": "0-1", "count": 1, "to": "s1"})


def test_winner_holds_the_place_named_for_the_battle() -> None:
    far = on_map().do("next").battle("win", "s0", "s1")
    refused(far, "Place: choose one", "hold", {"place": "D"})  # one of the two holds it, and no troops are near
    both = on_map().do("place", {"from": "A", "to": "C", "at-s0": 1}).do("next").battle("win", "s0", "s1")
    refused(both, "Place: choose one", "hold", {"place": "B"})
    both.do("hold", {"place": "D"})
    assert both.messages == "The battle was fought over D. Lost Hills holds it."
    refused(both, "cannot be taken now", "hold", {"place": "C"})
    tables = {table.title: table.rows for table in RULES.tables(both.world)}
    assert [(row[0], row[3]) for row in tables["Armies"]] == [("Lost Hills", "3"), ("Junktown", "1")]


def test_only_the_group_named_first_in_the_game_names_its_place() -> None:
    both = on_map().do("next").do("next", group=2).do("muster", {"in-s0": 1, "in-s1": 1}, 2).do("next", group=2)
    both.do("play", asdict(Played(2, 2, "win", 1, "skirmish", home=False)), 2)
    assert "hold" not in [offer.kind for offer in both.offers(2)]
    assert RULES.hint(both.world, 2) == "Lost Hills names the place of the battle."
    both.battle("loss", "s0", "s1").do("hold", {"place": "A"})
    hints = [RULES.hint(both.world, group) for group in (1, 2)]
    assert hints == ["", "Lost Hills names the place of the battle: A."]
    assert both.world.shared.holders["A"] == 2
    forfeited = on_map().do("next").do("next", group=2).do("forfeit", group=2).do("next", group=2)
    forfeited.do("play", asdict(Played(1, 1, "loss", 1, "skirmish", home=False, fought=False)), 2)
    assert RULES.hint(forfeited.world, 2) == ""


@pytest.mark.parametrize(("groups", "each", "seeds"), [(2, 6, 5), (2, 10, 5), (3, 6, 5), (20, 10, 1)])
def test_drawn_map_is_connected_and_no_roads_cross(groups: int, each: int, seeds: int) -> None:
    assert RULES.planned is not None
    for seed in range(seeds):
        laid = RULES.planned({"map": str(each)}, seed, groups)["map"]
        at = {entry["name"]: (entry["x"], entry["y"]) for entry in laid["places"]}
        assert len(at) == len(set(at.values())) == each * groups
        assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in at.values())
        assert networkx.is_connected(networkx.Graph(laid["roads"]))
        assert {place for road in laid["roads"] for place in road} == set(at)
        for (a, b), (c, d) in combinations(laid["roads"], 2):
            assert {a, b} & {c, d} or not _cross(at[a], at[b], at[c], at[d])
    assert RULES.planned({"map": "no"}, 1, groups) == {}


def _cross(a: Any, b: Any, c: Any, d: Any) -> bool:
    def side(p: Any, q: Any, r: Any) -> int:
        return int((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def army_with_heroes(**hero: Any) -> dict[str, Any]:
    """An army of three squads, a hero with these fields (3-0-0), and a Doctor (4-0-0)."""
    return army(squires(6), squires(4), squires(4), squad(line("Squire", "hero", **hero)),
                squad(line("Squire", "hero", skills=[skill("Doctor")])))  # fmt: skip
