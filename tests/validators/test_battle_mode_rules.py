"""Every rule of the force check: what is just legal, what is just illegal, and what the finding says."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.kit.forces import check_force, read_force, summarise
from validators.battle_mode.check import JUDGES
from validators.battle_mode.event_rules import MAY_ADD
from validators.battle_mode.rules import RULES
from validators.contract import Finding, Verdict

BANNED = ["Boost", "event", "EXPLORE", "Danger", "Stranger", "Creature", "Quest", "Solo", "Settlement"]


def model(name: str, *items: object, **fields: object) -> dict[str, Any]:
    carried = [{"name": item} if isinstance(item, str) else item for item in items]
    return {"name": name, "items": carried} | fields


def judge(
    *models: dict[str, Any],
    faction: str = "Survivors",
    size: int = 750,
    cards: Sequence[dict[str, Any]] = (),
) -> Verdict:
    """The verdict on these models, the first of which leads unless one is marked."""
    if models and not any("leader" in m for m in models):
        models = (models[0] | {"leader": True}, *models[1:])
    force = {
        "system": "battle_mode",
        "edition": "2018-08",
        "faction": faction,
        "models": list(models),
        "cards": list(cards),
    }
    return check_force(read_force(force), size)


def rules(verdict: Verdict) -> list[str]:
    return [problem.rule for problem in verdict.problems]


def asked(verdict: Verdict) -> list[str]:
    return [query.rule for query in verdict.queries]


def only(verdict: Verdict) -> Finding:
    assert len(verdict.problems) == 1, verdict.problems
    return verdict.problems[0]


PIPER = model("Piper", "Pipe Pistol", "Pipe Wrench", {"name": "Baseball Grenade", "count": 3}, heroic=True, leader=True)


def test_the_worked_example_of_the_rulebook() -> None:
    verdict = judge(PIPER, size=500)
    assert verdict.as_json() == {"legal": True, "total": 166, "problems": [], "queries": []}


def test_the_issues_example() -> None:
    piper = model(
        "Piper",
        {"name": "Pipe Pistol", "mods": ["Long Barrel"]},
        {"name": "Baseball Grenade", "count": 3},
        heroic=True,
        leader=True,
        leader_card="Commander",
        perks=["Sneak"],
    )
    verdict = judge(piper)
    assert (verdict.legal, verdict.total) == (True, 76 + 60 + 55 + 20 + (5 + 10) + 18)


def test_each_rule_has_a_text_a_source_and_a_judge() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids)) == 12
    assert set(ids) <= set(JUDGES)
    assert set(JUDGES) <= {*ids, *MAY_ADD}
    assert all(rule.title and rule.text and rule.source for rule in RULES)
    assert all(rule.title and rule.text for rule in MAY_ADD.values())


@pytest.mark.parametrize(("size", "illegal"), [(166, False), (165, True)])
def test_size(size: int, illegal: bool) -> None:
    verdict = judge(PIPER, size=size)
    assert rules(verdict) == (["bm.size"] if illegal else [])
    if illegal:
        assert verdict.problems[0].figures == {"total": 166, "size": 165, "over": 1}
        assert verdict.problems[0].message == "166 Caps, 1 over the size of 165"
        assert verdict.problems[0].mend == "Take out at least 1 Cap."


def test_copies_pay_for_their_mods_each() -> None:
    board = {"name": "Board", "mods": ["Spiked"], "count": 3}
    assert judge(model("Settler", board)).total == 40 + 3 * (9 + 12)


def test_everything_is_paid_even_where_it_is_not_allowed() -> None:
    dogs = model("Dogmeat", "Minigun", heroic=True, leader_card="Hunter", perks=["Sneak", "Sneak"], leader=False)
    verdict = judge(dogs, cards=[{"kind": "Leader", "name": "Brawler"}, {"kind": "Quest", "name": "Hunter"}])
    assert verdict.total == 104 + 30 + 60 + 15 + 20 + 20 + 15


def test_faction() -> None:
    assert rules(judge(model("Settler"), model("Eyebot"))) == []
    problem = only(judge(model("Settler"), model("Paladin")))
    assert (problem.rule, problem.models, problem.places) == ("bm.faction", ("Paladin",), (1,))
    assert problem.message == "Paladin belongs to Brotherhood of Steel, this force to Survivors"


def test_a_model_of_another_faction_is_judged_by_its_own_entry() -> None:
    verdict = judge(model("Settler"), model("Lancer", "Laser Rifle", heroic=True))
    assert (rules(verdict), verdict.total) == (["bm.faction"], 40 + 53 + 30 + 60)
    assert rules(judge(model("Settler"), model("Lancer", "Board"))) == ["bm.faction", "bm.carry"]
    assert rules(judge(model("Settler"), model("Behemoth", heroic=True))) == ["bm.faction", "bm.heroic"]


def test_a_faction_that_is_unknown_or_not_fielded() -> None:
    unknown = only(judge(model("Settler"), faction="Survivers"))
    assert (unknown.rule, unknown.mend) == ("bm.faction", "Choose Survivors.")
    robots = only(judge(model("Protectron"), faction="robots"))
    assert robots.message == "Robots take no part in Battle Mode in this edition"
    assert rules(judge(model("Settler"), model("Protectron"))) == ["bm.faction"]


@pytest.mark.parametrize(
    ("broken", "mend"),
    [
        (model("Pipper", heroic=True), "Did you mean Piper?"),
        (model("Settler", "Bord"), "Did you mean Board?"),
        (model("Settler", {"name": "Board", "mods": ["Spikd"]}), "Did you mean Spiked?"),
        (model("Settler", perks=["Snek"]), "Did you mean Sneak?"),
        (model("Settler", leader_card="Comander"), "Did you mean Commander?"),
        (model("Settler", "qqqqqq"), "Take it out: the edition has nothing near to it."),
    ],
)
def test_an_unknown_name_breaks_cost_alone_and_costs_nothing(broken: dict[str, Any], mend: str) -> None:
    verdict = judge(broken)
    problem = only(verdict)
    assert problem.rule == "bm.cost"
    assert problem.mend.startswith(mend.removesuffix("?"))
    known = {"Pipper": 60, "Settler": 40}[broken["name"]]
    assert verdict.total == known + (9 if broken["items"] and broken["items"][0]["name"] == "Board" else 0)


def test_near_models_are_looked_for_in_the_own_faction_first() -> None:
    assert "Knight" in only(judge(model("Knigt"))).mend
    assert only(judge(model("Enslaved Tec"), faction="Super Mutants")).mend == "Did you mean Enslaved Tech?"


def test_an_unknown_model_is_not_judged_but_what_it_carries_is_counted() -> None:
    guns = {"name": "Minigun", "mods": ["Spiked", "Spiked"], "count": 3}
    assert rules(judge(model("Nobody", guns), model("Nobody", heroic=True))) == [
        "bm.cost",
        "bm.cost",
        "bm.heavy",
        "bm.mod",
    ]


def test_what_is_built_in_need_not_be_bought() -> None:
    assert "built in" in only(judge(model("Dogmeat", "dog bite"))).mend
    psycho = only(judge(model("Cait", "Psycho")))
    assert (psycho.rule, "built in" in psycho.mend) == ("bm.carry", True)


@pytest.mark.parametrize(
    ("size", "allowed"),
    [(100, 0), (249, 0), (499, 0), (500, 1), (749, 1), (750, 2), (999, 2), (1000, 3), (1250, 4), (2000, 7)],
)
def test_heavy(size: int, allowed: int) -> None:
    def loner(count: int) -> Verdict:
        return judge(model("Sole Survivor", {"name": "Minigun", "count": count}), size=size)

    if allowed:
        assert "bm.heavy" not in rules(loner(allowed))
    broken = loner(allowed + 1)
    problem = next(p for p in broken.problems if p.rule == "bm.heavy")
    assert problem.figures == {"used": allowed + 1, "allowed": allowed, "size": size}


def test_heavy_in_words() -> None:
    brutes = [model("Brute", "Minigun"), model("Super Mutant"), model("Brute", "Missile Launcher")]
    problem = only(judge(*brutes, faction="Super Mutants", size=500))
    assert problem.message == "2 heavy weapons, 1 allowed at 500 Caps"
    assert problem.figures == {"used": 2, "allowed": 1, "size": 500}
    assert (problem.models, problem.places) == (("Brute", "Brute"), (0, 2))
    assert problem.mend == "Take out 1 heavy weapon."


def test_carry() -> None:
    assert judge(model("Settler", "Board", {"name": "Machete", "count": 9})).legal
    problem = only(judge(model("Settler", "Board", {"name": "Ripper", "count": 2})))
    assert (problem.rule, problem.figures) == ("bm.carry", {"copies": 2})
    assert problem.message == "Settler may not carry Ripper (2 copies)"
    assert problem.mend == "Take it off, or choose from Baseball Bat, Board, Machete, Pipe Wrench."
    assert only(judge(model("Settler", "Jet"))).mend == "Take it off: the entry lists no Chems."


def test_each_item_that_may_not_be_carried_is_a_finding_of_its_own() -> None:
    verdict = judge(model("Settler", "Ripper", "Jet"), model("Settler", "Ripper"))
    assert rules(verdict) == ["bm.carry"] * 3
    assert verdict.problems[2].message == "Settler (model 2) may not carry Ripper"


def test_mod() -> None:
    assert judge(model("Settler", {"name": "Board", "mods": ["Spiked"]})).legal
    two = only(judge(model("Settler", {"name": "Board", "mods": ["Spiked", "Heavy"]})))
    assert (two.rule, two.figures) == ("bm.mod", {"used": 2, "allowed": 1})
    assert two.message == "Board of Settler has 2 mods (Spiked, Heavy), 1 allowed"
    none = only(judge(model("Minuteman", {"name": "Baseball Grenade", "mods": ["Spiked"]})))
    assert (none.rule, none.figures) == ("bm.mod", {"used": 1, "allowed": 0})


def test_mod_beside_unknown_names() -> None:
    two = {"name": "Board", "mods": ["Spiked", "Spikey McSpike"]}
    assert rules(judge(model("Settler", two))) == ["bm.cost", "bm.mod"]
    unknown = {"name": "Bored", "mods": ["Spiked", "Heavy"]}
    verdict = judge(model("Settler", unknown))
    assert (rules(verdict), verdict.total) == (["bm.cost"], 40 + 12 + 20)


def test_perks_are_free_in_number_and_twice_is_asked() -> None:
    assert judge(model("Settler", perks=["Sneak", "Medic", "Ninja", "Hacker"])).as_json()["queries"] == []
    verdict = judge(model("Settler", perks=["Sneak", "sneak", "Medic"]))
    assert verdict.legal
    assert [(q.rule, q.message) for q in verdict.queries] == [("bm.perk", "Settler has the perk Sneak 2 times")]


def test_heroic() -> None:
    assert judge(model("Settler", heroic=True), model("Piper", heroic=True)).legal
    problem = only(judge(model("Settler"), model("Dog", heroic=True)))
    assert (problem.rule, problem.message) == ("bm.heroic", "Dog may not be Heroic")


def test_leader() -> None:
    none = judge(model("Settler", leader=False))
    assert (rules(none), none.problems[0].figures) == (["bm.leader"], {"leaders": 0})
    two = judge(model("Settler", leader=True), model("Dog"), model("Settler", leader=True))
    assert (rules(two), two.problems[0].figures) == (["bm.leader"], {"leaders": 2})
    assert two.problems[0].places == (0, 2)
    assert judge(model("Dog")).legal  # not Heroic, cannot be
    assert rules(judge()) == ["bm.leader"]
    assert rules(judge(model("Settler", leader=True, count=2))) == ["bm.leader"]


def test_leader_card() -> None:
    assert judge(model("Settler", leader_card="Hunter")).total == 40 + 15
    stray = judge(model("Settler"), model("Piper", leader_card="Hunter"))
    assert (rules(stray), stray.problems[0].models) == (["bm.leader-card"], ("Piper",))
    two = judge(model("Settler", leader_card="Hunter"), model("Piper", leader_card="Hunter"))
    assert set(rules(two)) == {"bm.leader-card"}
    assert two.problems[-1].figures == {"cards": 2}
    both = judge(model("Settler", leader=True, leader_card="Hunter"), model("Piper", leader=True, leader_card="Thief"))
    assert set(rules(both)) == {"bm.leader", "bm.leader-card"}


def test_leader_card_beside_the_models() -> None:
    verdict = judge(model("Settler"), cards=[{"kind": "leader", "name": "hunter"}])
    assert (rules(verdict), verdict.total) == (["bm.leader-card"], 55)
    assert rules(judge(model("Settler"), cards=[{"kind": "Leader", "name": "Huntr"}])) == ["bm.cost"]


def test_unique() -> None:
    assert judge(model("Settler"), model("Settler"), model("Piper")).legal
    twice = only(judge(model("Piper"), model("Piper")))
    assert (twice.rule, twice.figures, twice.places) == ("bm.unique", {"used": 2, "allowed": 1}, (0, 1))
    faces = only(judge(model("Dogmeat Scout"), model("Dog"), model("Dogmeat")))
    assert faces.message == "Dogmeat is in the force 2 times (Dogmeat Scout, Dogmeat), 1 allowed"
    assert judge(model("Sole Survivor"), model("Sole Survivor Loner")).legal
    assert rules(judge(model("Sole Survivor"), model("Sole Survivor Day One"))) == ["bm.unique"]


@pytest.mark.parametrize("kind", BANNED)
def test_banned(kind: str) -> None:
    problem = only(judge(model("Settler"), cards=[{"kind": kind, "name": "Any"}]))
    assert (problem.rule, problem.message) == ("bm.banned", f"{kind} card Any: not used in Battle Mode")


def test_a_card_of_no_known_kind_has_no_cost() -> None:
    assert rules(judge(model("Settler"), cards=[{"kind": "Perk", "name": "Sneak"}])) == ["bm.cost"]


@pytest.mark.parametrize(
    ("faction", "models", "queries", "problems"),
    [
        ("Super Mutants", [model("Brute", "Laser Rifle")], ["bm.carry"], []),
        ("Super Mutants", [model("Brute", "Hunting Rifle")], ["bm.carry"], ["bm.carry"]),
        ("Super Mutants", [model("Brute", "Assault Rifle")], [], []),
        ("Super Mutants", [model("Hammer", "Laser Rifle")], [], []),
        ("Super Mutants", [model("Master")], [], []),
        ("Super Mutants", [model("Master"), model("Master")], ["bm.unique"], ["bm.unique"]),
        ("Survivors", [model("Enslaved Tech", heroic=True)], ["bm.heroic"], []),
        ("Survivors", [model("Enslaved Tech", "Double-Barrel Shotgun")], ["bm.carry"], []),
        ("Super Mutants", [model("Enslaved Tech", heroic=True)], [], ["bm.heroic"]),
        ("Survivors", [model("Nuka-Girl", "Nuka-Cola", "Nuka-Cherry")], ["bm.carry", "bm.carry"], []),
        ("Survivors", [model("Settler", "Double-Barrel Shotgun")], [], []),
    ],
)
def test_disputed_facts_are_asked_where_they_matter(
    faction: str, models: list[dict[str, Any]], queries: list[str], problems: list[str]
) -> None:
    verdict = judge(*models, faction=faction)
    assert (asked(verdict), rules(verdict)) == (queries, problems)


@pytest.mark.parametrize(
    ("size", "problems", "queries"),
    [(53, [], []), (52, ["bm.size"], ["bm.size"]), (50, ["bm.size"], ["bm.size"]), (49, ["bm.size"], [])],
)
def test_the_pipe_pistols_other_cost_is_asked_where_it_would_bring_the_force_within_its_size(
    size: int, problems: list[str], queries: list[str]
) -> None:
    # 30 + 3 x 5 + 8 Caps; 50 with the other cost
    verdict = judge(model("Scavenger", {"name": "Pipe Pistol", "count": 3}, "Assault Rifle"), size=size)
    assert (verdict.total, rules(verdict), asked(verdict)) == (53, problems, queries)


def test_queries_have_nothing_to_mend() -> None:
    verdict = judge(model("Nuka-Girl", "Nuka-Cola", perks=["Sneak", "Sneak"]))
    assert [query.mend for query in verdict.queries] == ["", ""]


def test_summary() -> None:
    force = {
        "system": "battle_mode",
        "edition": "2018-08",
        "faction": "Survivors",
        "models": [
            model(
                "Piper",
                {"name": "Pipe Pistol", "mods": ["Long Barrel"]},
                {"name": "Baseball Grenade", "count": 3},
                heroic=True,
                leader=True,
                leader_card="Commander",
                perks=["Sneak", "Medic"],
            ),
            model("Dog", perks=["Attack Dog"]),
        ],
    }
    summary = summarise(read_force(force))
    assert (summary.faction, summary.total, summary.leader) == ("Survivors", 254 + 105, "Piper")
    assert summary.lines == (
        (
            "Piper, Heroic, Leader (Commander); Pipe Pistol with Long Barrel, 3 × Baseball Grenade; perks Sneak, Medic",
            254,
        ),
        ("Dog; perk Attack Dog", 105),
    )


def test_a_force_of_unknown_names_is_judged_in_good_time() -> None:
    names = [f"{'abcdefghij'[n % 10] * 3}{n} rifle of the long barrel" for n in range(420)]
    models = [model("Settler", *names[k : k + 60]) for k in range(0, 420, 60)]
    verdict = judge(*models)
    assert rules(verdict).count("bm.cost") == 420
    offered = [p for p in verdict.problems if p.mend.startswith("Did you mean")]
    assert len(offered) <= 10
