"""A second, deliberately simple ledger of Fallout Skirmish campaigns, written from chapters 6 to 13 of the rulebook.

It follows the steps (kind, data, dice) of all groups, and asserts that each step was possible.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.validators.simple_fallout_skirmish import LISTS
from tests.validators.skirmish_second_group import (
    ADVANCES,
    BIG_GUNS,
    BUILDING,
    INVENTIONS,
    MERCHANTS,
    OUTPOST,
    SCAVENGER,
    TURFS,
    XP,
    Group,
    half,
    row,
)

YIELDS = {
    "Bar": (3, 1, 0, 10), "Casino": (3, 1, 1, 8), "Hotel": (3, 1, 2, 8), "Marketplace": (6, 1, 3, 8),
    "Power Station": (3, 3, 0, 8), "Tinkerer": (6, 1, 2, 8), "Gunsmith": (6, 1, 2, 8), "Doctor": (3, 2, 0, 5),
    "Nuka Cola Plant": (6, 2, 0, 8),
}  # fmt: skip
"""The income of turfs, (dice + more) × Caps each: sides and number of the dice, more, each."""

EXPERIENCE = 0, 25, 50
"""Of a new Green, Experienced and Veteran character (9.1.2)."""


class Ledger:
    """A campaign: all groups, and the recruits of each round."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = settings
        self.groups: dict[int, Group] = {}
        self.pools: dict[int, list[int]] = {}
        self.dice: list[tuple[int, tuple[int, ...]]] = []

    def roll(self, sides: int, count: int = 1) -> int:
        """The total of the step's next dice, which must have these sides and this number."""
        had, results = self.dice.pop(0)
        assert (had, len(results)) == (sides, count), f"{len(results)}D{had} instead of {count}D{sides}"
        return sum(results)

    def take(self, group: int, kind: str, data: Mapping[str, Any], rolls: Iterable[Any], phases: Iterable[str]) -> None:
        """Follow a step with its dice, which ended these phases."""
        self.dice = [(roll.sides, roll.results) for roll in rolls]
        if kind == "found":
            self.groups[group] = Group(data["document"]["faction"])
        own = self.groups[group]
        if kind == "next":
            for phase in phases:
                self.ended(own, phase)
        else:
            getattr(self, f"on_{kind}")(own, data)
        assert not self.dice, "dice that the rulebook does not roll"
        amounts = [own.caps, own.clean, own.irradiated, *own.stash.values()]
        amounts += [x for one in own.people.values() for x in (one.rads, one.xp, *one.items.values())]
        assert min(amounts) >= 0

    def ended(self, own: Group, phase: str) -> None:
        if phase == "injuries":
            led = own.leader
            for key, total in own.injured.items():
                own.hurt(key, total, in_game=True)
            for key in list(own.characters) if own.game["fought"] else []:
                record = own.fought.get(key, {"took": key in own.took})
                if record["took"]:
                    earned = sum(int(record.get(what, 0)) for what in ("wounded", "killed", "other"))
                    own.gain(key, earned + 1 + (own.game["result"] == "win" and key == led))
        elif phase == "experience":
            assert not any(one.owed for one in own.characters.values()), "an advance is still owed"
        elif phase == "income" and own.faction == "Wasteland Survivors":
            own.clean += len(own.foraged) // 4
        elif phase == "gear":
            assert own.leader or not own.characters, "nobody leads"
            guns = sum(one.items[big] for one in own.characters.values() for big in BIG_GUNS)
            assert guns <= len(own.characters) // own.force["big_gun_per"], "too many Big Guns"

    def on_found(self, own: Group, data: Mapping[str, Any]) -> None:
        document = data["document"]
        for model in document["models"]:
            rank = next(place for place, one in enumerate(own.force["ranks"]) if one["name"] == model["rank"])
            items = [item["name"] for item in model["items"] for _ in range(item["count"])]
            for _ in range(model.get("count", 1)):
                own.join(rank, EXPERIENCE[rank], items)
                own.caps -= own.force["ranks"][rank]["caps"] + sum(own.price(item) for item in items)
                if model["leader"]:
                    own.leader = f"c{len(own.people)}"
        named = document["turfs"] if self.settings["first_turfs"] == "list" else []
        own.turfs = [*named, *(row(TURFS, self.roll(12, 2)) for _ in range(3 - len(named)))]
        if not own.leader:
            self.on_lead(own, data)

    def on_lead(self, own: Group, data: Mapping[str, Any]) -> None:
        top = own.charming()
        own.leader = top[self.roll(len(top)) - 1] if len(top) > 1 else top[0]

    def on_play(self, own: Group, data: Mapping[str, Any]) -> None:
        own.begin({"fought": True, **data})
        own.took = {key for key in own.characters if own.game["fought"] and own.fit(key)}
        for one in own.characters.values():
            one.captive = False

    def on_fought(self, own: Group, data: Mapping[str, Any]) -> None:
        key, one = data["who"], own.people[data["who"]]
        one.rads += data["rads"] - own.fought.get(key, {"rads": 0})["rads"]
        one.captive = bool(data.get("locked"))
        own.record(key, data)
        own.irradiate(key, in_game=True)

    def on_downed(self, own: Group, data: Mapping[str, Any]) -> None:
        for key in (name.removeprefix("down-") for name, ticked in data.items() if ticked):
            nothing = dict.fromkeys(("wounded", "killed", "other"), 0)
            self.on_fought(own, {"who": key, "took": 1, "down": 1, "rads": 0, **nothing})

    def on_used(self, own: Group, data: Mapping[str, Any]) -> None:
        key, item = data["what"].split(":")
        own.people[key].items[item] -= 1
        if data["addicted"] and item in ("Jet", "Buffout", "Mentats", "Med-X", "Psycho"):
            own.people[key].addictions.add(item)
        if item == "RadAway":
            own.people[key].rads = max(0, own.people[key].rads - 10)

    def search(self, own: Group, place: str, who: str) -> None:
        """7.4."""
        total = self.roll(12) + own.now(own.people[who], "L")
        best = "Chinese Assault Rifle" if place == "scavenger" else "Plasma Rifle"
        item = row(SCAVENGER if place == "scavenger" else OUTPOST, total, best)
        if item:
            own.stash[item] += self.roll(3) if item.endswith("Grenade") else 1
        else:
            own.caps += 10

    def on_search(self, own: Group, data: Mapping[str, Any]) -> None:
        self.search(own, data["place"], own.searching(data["who"]))

    def on_freed(self, own: Group, data: Mapping[str, Any]) -> None:
        for _ in range(data["freed"]):
            own.join(0)

    def on_captured(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.faction == "Regulators"
        own.caps += 25 * data["captured"]

    def on_injury(self, own: Group, data: Mapping[str, Any]) -> None:
        if data["who"] == "all":
            (sides, results), *self.dice = self.dice
            for key in [key for key in own.here if own.fought.get(key, {}).get("down") and key not in own.injured]:
                own.injured[key], results = sum(results[:2]), results[2:]
            assert (sides, results) == (12, ()), "two dice for each"
            return
        assert own.fought[data["who"]]["down"] and data["who"] not in own.injured
        own.injured[data["who"]] = self.roll(12, 2)

    def on_again(self, own: Group, data: Mapping[str, Any]) -> None:
        if data["by"] == "home":
            self.clean_home(own)
        else:
            assert "Doctor" in own.turfs
        assert data["who"] in own.injured
        own.injured[data["who"]] = self.roll(12, 2)

    def on_advance(self, own: Group, data: Mapping[str, Any]) -> None:
        one = own.people[data["who"]]
        one.owed -= 1
        while True:
            what = row(ADVANCES, self.roll(12, 2))
            if "perk" in what:
                # A perk stays for each choice that is open.
                if sum(own.may_have(one, perk, what) for perk in LISTS["perks"]) > len(one.choices):
                    one.choices.append(what)
                    break
                assert self.dice, "no perk is left: roll again"
                continue
            if own.printed(one, what) < (3 if what == "W" else 10):
                one.raised[what] += 1
                break
            assert self.dice, f"{what} is at its maximum: roll again"

    def on_perk(self, own: Group, data: Mapping[str, Any]) -> None:
        one = own.people[data["who"]]
        one.choices.remove(data["kind"])
        assert own.may_have(one, data["perk"], data["kind"]), data
        one.perks.append(data["perk"])

    def on_reward(self, own: Group, data: Mapping[str, Any]) -> None:
        draw = own.game["result"] == "draw" and min(own.game["points"], own.game["opponent_points"]) >= 5
        assert own.game["fought"] and not own.objective and (own.game["result"] == "win" or draw)
        objective = own.objective = int(data["objective"])
        if objective == 1:
            own.caps += 100
        elif objective == 3 and own.characters:
            keys = list(own.characters)
            key = keys[self.roll(len(keys)) - 1 if len(keys) > 1 else 0]
            own.gain(key, XP[own.people[key].level] - own.people[key].xp if own.people[key].level < 20 else 0)
        elif objective in (6, 9):
            own.stash["Frag Grenade" if objective == 6 else "RadAway"] += self.roll(6)
        elif objective == 7:
            own.stash[list(MERCHANTS["wolfgang"][2])[self.roll(6) - 1]] += 1
        elif objective == 8:
            own.stash["Nuka Grenade"] += 1
        elif objective == 10 and len(own.characters) < own.force["group_most"]:
            own.join(0)

    def on_claim(self, own: Group, data: Mapping[str, Any]) -> None:
        if own.objective == 2:
            self.heal(own, data["what"])
        elif own.objective == 5:
            assert data["what"] in own.force["weapons"]
            own.stash[data["what"]] += 1
        elif own.objective == 11:
            assert data["what"] in ("Jet", "Mentats")
            own.stash[data["what"]] += self.roll(6)
        else:
            assert own.objective == 12
            self.forage(own, data["what"])

    def heal(self, own: Group, what: str) -> None:
        """Heal an injury such as "c1:eye"."""
        key, injury = what.split(":")
        own.people[key].injuries.remove(injury)

    def forage(self, own: Group, key: str) -> None:
        own.rolled[key] = self.roll(12)
        if "Explorer" not in own.people[key].perks:
            self.found(own, key, own.rolled.pop(key))

    def found(self, own: Group, key: str, result: int) -> None:
        """10.4.1."""
        sides = 3 if own.fought.get(key, {}).get("down") else 6
        if 2 <= result <= 5:
            own.irradiated += self.roll(sides)
        elif 6 <= result <= 9:
            own.caps += 5 * self.roll(sides)
        elif result in (10, 11):
            own.clean += self.roll(sides)
        elif result == 12:
            special = [(3, "Jet"), (6, "Combat Shotgun"), (9, "Baseball Bat"), (12, "10mm Pistol")]
            own.stash[row(special, self.roll(12))] += 1
        else:
            own.met.append(key)

    def errand(self, own: Group, key: str) -> None:
        """Give a character an errand, of which each may have one after a game."""
        assert key not in own.errands, "a second errand"
        own.errands.add(key)
        own.no_doctor.add(key)

    def on_scavenge(self, own: Group, data: Mapping[str, Any]) -> None:
        for key in list(own.able) if data["who"] == "all" else [data["who"]]:
            self.errand(own, key)
            own.foraged.add(key)
            self.forage(own, key)

    def on_explore(self, own: Group, data: Mapping[str, Any]) -> None:
        assert abs(own.rolled.pop(data["who"]) - int(data["result"])) <= 1
        self.found(own, data["who"], int(data["result"]))

    def on_encounter(self, own: Group, data: Mapping[str, Any]) -> None:
        key, end = data["who"], data["end"]
        own.met.remove(key)
        if end == "won":
            own.caps += self.roll(12, 2)
        elif end == "down":
            own.hurt(key, self.roll(12, 2))
        elif end.startswith("slaves"):
            assert int(end[-1]) <= 3
            self.on_freed(own, {"freed": int(end[-1])})
        elif end != "away":
            self.search(own, end, key)
            self.search(own, end, key)

    def on_turf(self, own: Group, data: Mapping[str, Any]) -> None:
        self.errand(own, data["who"])
        own.no_doctor.remove(data["who"])
        assert data["turf"] not in own.visited
        own.visited.append(data["turf"])
        turf, take = own.turfs[data["turf"]], data.get("take", "")
        caps, food = 0, 0
        if take and turf == "Tinkerer":
            assert take in INVENTIONS and take in own.force["weapons"]
            own.stash[take] += self.roll(12) <= 3
        elif take and turf == "Gunsmith":
            caps = -half(own.force["weapons"][take])
            assert take not in BIG_GUNS
            own.stash[take] += 1
        elif take and turf == "Nuka Cola Plant":
            assert own.items["Nuka Grenade schematics"]
            own.stash["Nuka Grenade"] += 1
        elif turf in ("Scrapyard", "Free Trader", "Moonshine Caravan"):
            caps = 15 if turf == "Moonshine Caravan" else 10
        elif turf in YIELDS:
            sides, count, more, each = YIELDS[turf]
            caps = (self.roll(sides, count) + more) * each
        elif turf == "Cave Fungus Mine":
            food = self.roll(6, 2)
        elif turf == "Fashion Store":
            double = len(set(self.dice[0][1])) == 1
            caps = (self.roll(6, 2) + 2) * 5
            own.stash["Lucky Baseball Cap"] += double
        elif turf == "Dairy Farm":
            caps, food = self.either(6, 1) * 5, self.either(6, 2)
        own.caps += caps
        own.clean += food

    def either(self, sides: int, count: int) -> int:
        self.dice.sort(key=lambda one: (one[0], len(one[1])) != (sides, count))
        return self.roll(sides, count)

    def on_part(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.people[data["who"]].injuries.count("eye") >= 2
        if data["end"] == "eaten":
            self.eaten(own)
        own.leave(data["who"], keeps=True)

    def eaten(self, own: Group) -> None:
        """11.1.2: five of the group are fed by one member after a game; 11.5.2: two."""
        assert own.faction in ("Raiders", "Super Mutants") and not (own.cooked and own.faction == "Raiders")
        own.cooked = True
        own.meals += 5 if own.faction == "Raiders" else 2

    def on_cook(self, own: Group, data: Mapping[str, Any]) -> None:
        cost = {rank["name"]: rank["caps"] for rank in own.force["ranks"]}
        worth = {key: cost[one.rank] + one.xp for key, one in own.characters.items() if key != own.leader}
        lowest = [key for key, rating in worth.items() if rating == min(worth.values())]
        assert own.faction == "Raiders"
        if " " in data["end"]:
            winner, eaten = data["end"].split()
            assert {winner, eaten} <= set(lowest)
        else:
            winner, (eaten,) = own.leader, lowest
        if data["end"] != "lost":
            own.gain(winner, 2)
            self.eaten(own)
        own.leave(eaten, keeps=True)
        if data["end"] == "lost":
            own.hurt(winner, self.roll(12, 2))

    def on_flesh(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.faction == "Super Mutants"
        own.meals += 2 * data["killed"]

    def clean_home(self, own: Group) -> None:
        """11.7.2: one of three advantages after a game."""
        assert own.faction == "Vault Residents" and not own.at_home
        own.at_home = True

    def on_home(self, own: Group, data: Mapping[str, Any]) -> None:
        self.clean_home(own)
        if data["use"] == "meals":
            own.meals += 4
        else:
            own.people[data["use"]].rads = max(0, own.people[data["use"]].rads - 10)

    def on_upkeep(self, own: Group, data: Mapping[str, Any]) -> None:
        """10.4.3. Members who are not named eat clean food and are maintained."""
        own.caps -= 3 * data["bought"]
        own.clean += data["bought"]
        appetite = 2 if own.faction == "Super Mutants" else 1
        free = own.meals + half(len(own.here)) * own.turfs.count("Super-Duper Mart")
        meals = {key: data.get(f"meal.{key}", "clean") for key in own.here}
        kept = [key for key in own.characters if data.get(f"kept.{key}", 1)]
        own.clean -= appetite * max(0, list(meals.values()).count("clean") - free)
        own.irradiated -= appetite * list(meals.values()).count("irradiated")
        own.caps -= half(5 * len(kept)) if own.objective == 4 else 5 * len(kept)
        for key, meal in meals.items():
            one = own.people[key]
            one.hunger = one.hunger + 1 if meal == "none" else 0
            one.neglect = 0 if key in kept or one.rank == "Centaur" else one.neglect + 1
            one.rads += meal == "irradiated"
            if one.hunger >= 3:
                own.leave(key, keeps=True)
            else:
                own.irradiate(key)

    def on_sell_food(self, own: Group, data: Mapping[str, Any]) -> None:
        own.irradiated -= data["food"] * ("irradiated" in data)
        own.clean -= data["food"] * ("irradiated" not in data)
        own.caps += 3 * data["food"]

    def on_pool(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.game["round"] not in self.pools
        [(sides, results)], self.dice = self.dice, []
        assert (sides, len(results)) == (12, len(self.groups))
        self.pools[own.game["round"]] = [2 if one == 1 else 1 if one <= 4 else 0 for one in results]

    def on_recruit(self, own: Group, data: Mapping[str, Any]) -> None:
        own.recruited += 1
        assert own.recruited <= 2 and len(own.characters) < own.force["group_most"]
        assert not (own.faction == "Vault Residents" and data["rank"] == 2)
        self.pools[own.game["round"]].remove(data["rank"])
        own.caps -= 40
        own.join(data["rank"], EXPERIENCE[data["rank"]], ["Knife"])

    def on_visit(self, own: Group, data: Mapping[str, Any]) -> None:
        assert not own.merchant and own.faction != "Super Mutants"
        leader, own.merchant, own.things = own.people[own.leader], data["merchant"], 1 + data.get("along", 0)
        assert own.things <= len(own.characters.keys() - own.errands | {own.leader})
        if data.get("mentats"):
            own.take_from("Mentats", own.leader)
            result, own.charm = self.roll(12), 1
            if result != 1 and (result == 12 or result > half(own.now(leader, "E") + own.now(leader, "L"))):
                leader.addictions.add("Mentats")
        needed = MERCHANTS[own.merchant][1]
        if needed and self.roll(12) + own.now(leader, "L") < needed:
            own.things, own.merchant = 0, "nobody"

    def contest(self, own: Group, merchant: str, buying: bool) -> int:
        """How much the leader's barter beats the merchant's."""
        theirs = int(self.settings["merchant"]) if merchant == "fixed" else MERCHANTS[merchant][0]
        return self.roll(6) + own.charisma(merchant, buying) - self.roll(6) - theirs

    def on_barter(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.things > 0 and data["ware"] not in own.quotes
        rarity, caps, by = MERCHANTS[own.merchant][2][data["ware"]]
        caps += self.roll(12, rarity) if rarity else 0
        own.quotes[data["ware"]] = max(1, caps - by * self.contest(own, own.merchant, buying=True))

    def on_buy(self, own: Group, data: Mapping[str, Any]) -> None:
        own.things -= 1
        item = data.get("item", data["ware"])
        assert own.things >= 0 and item in (data["ware"], *data["ware"].split("/"))
        own.caps -= own.quotes.pop(data["ware"])
        own.stash[item] += 1

    def on_sell(self, own: Group, data: Mapping[str, Any]) -> None:
        assert own.faction != "Super Mutants", "11.5.2: they meet no traders"
        *who, item = data["item"].split(":")
        (own.people[who[0]].items if who else own.stash)[item] -= 1
        own.caps += max(1, half(own.price(item)) + self.contest(own, own.merchant or "fixed", buying=False))

    def on_order(self, own: Group, data: Mapping[str, Any]) -> None:
        assert data["item"] in {**own.force["weapons"], **{one["name"]: 0 for one in own.force["armour"]}}
        own.caps -= own.price(data["item"])
        own.stash[data["item"]] += 1

    def on_doctor(self, own: Group, data: Mapping[str, Any]) -> None:
        key, what = data["what"].split(":")
        assert key not in own.no_doctor and not (own.merchant and key == own.leader)
        own.no_doctor = set(own.people)
        own.errands.add(key)
        own.healed, one = key, own.people[key]
        if what == "rads":
            own.caps, one.rads = own.caps - 50, 0
        elif what in one.injuries:
            own.caps -= 75
            one.injuries.remove(what)
        else:
            own.caps, one.addictions = own.caps - 50, set()

    def on_build(self, own: Group, data: Mapping[str, Any]) -> None:
        one, weapon = own.people[data["who"]], data["weapon"]
        assert own.items[f"{weapon} schematics"] and data["who"] != own.healed
        own.no_doctor.add(data["who"])
        result, needed = self.roll(12), half(own.now(one, "I") + own.now(one, "L"))
        built = result == 1 or (result <= needed and result < 12)
        if built:
            own.stash[weapon] += 1
            own.gain(data["who"], 1)
        if built or result - needed > 3:
            own.take_from(f"{weapon} requirements")

    def on_building(self, own: Group, data: Mapping[str, Any]) -> None:
        pair = [data["who"], data["with"]]
        assert own.faction == "Super Mutants" and pair[0] != pair[1]
        for key in pair:
            self.errand(own, key)
        item = row(BUILDING, self.roll(12, 2))
        if item == "Centaur":
            if sum(one.rank == "Centaur" for one in own.here.values()) < 3:
                own.join(3)
        elif item:
            own.stash[item] += 1
        else:
            own.hurt(pair[self.roll(2) - 1], self.roll(12, 2))

    def on_bag(self, own: Group, data: Mapping[str, Any]) -> None:
        assert not data["what"].endswith(":eye")
        own.take_from("Doctor’s Bag", data["what"].split(":")[0])
        self.heal(own, data["what"])

    def on_radaway(self, own: Group, data: Mapping[str, Any]) -> None:
        own.take_from("RadAway", data["who"])
        own.people[data["who"]].rads = max(0, own.people[data["who"]].rads - 10)

    def on_hand(self, own: Group, data: Mapping[str, Any]) -> None:
        key, item = data["what"].split(":")
        (own.people[key].items if key else own.stash)[item] -= 1
        (own.people[data["to"]].items if data["to"] else own.stash)[item] += 1
