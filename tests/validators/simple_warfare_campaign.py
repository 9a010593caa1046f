"""A second, deliberately simple ledger of Fallout: Warfare campaigns, which shares no code with the first.

It is written from the document's chapter 8, follows the kinds and data of steps, and judges nothing.
"""

from collections import Counter
from typing import Any

from tests.validators.simple_fallout_warfare import TROOPS, VEHICLES, each, free

Raw = dict[str, Any]
XP = (0, 2, 6, 12, 20, 30, 42, 56, 72, 90, 110, 132, 156, 182, 210, 240)
"""8.2, from level 1."""


class SimpleGroup:
    def __init__(self, document: Raw) -> None:
        self.units: dict[str, Raw] = {}
        self.bodies = len(document["squads"])
        self.scored = self.first = ""
        for i, squad in enumerate(document["squads"]):
            for j, row in enumerate(squad["models"]):
                line = row | {"club": False}
                unit = {"name": line["name"], "rank": line["rank"], "body": f"s{i}", "each": each(line)}
                if line["rank"] == "hero":
                    self.units |= {f"{i}-{j}-{k}": new(unit, 1) | hero(line) for k in range(line["count"])}
                else:
                    self.units[f"{i}-{j}"] = new(unit, line["count"])
        for v, name in enumerate(document["vehicles"]):
            cost = VEHICLES[name]["points"] - 3 * ((name, document["faction"]) == ("Dune Buggy", "Raiders & Reavers"))
            wreck = int(VEHICLES[name]["hit_points"].split("/")[1])
            vehicle = {"name": name, "rank": "vehicle", "body": f"v{v}", "each": cost, "wreck": wreck}
            self.units[f"v{v}"] = new(vehicle, 1)
        if document["mines"]:
            mines = {"name": "Mine", "rank": "mines", "body": "mines", "each": 0}
            self.units["mines"] = new(mines, document["mines"])

    def summary(self) -> Raw:
        alive = {key: u for key, u in self.units.items() if u["here"] + u["away"]}
        return {
            "points": sum((u["here"] + u["away"]) * u["each"] for u in alive.values()),
            "counts": dict(sum((Counter({f"{u['name']}/{u['rank']}": u["here"] + u["away"]}) for u in alive.values()),
                               Counter())),
            "away": sum(u["away"] for u in alive.values()),
            "heroes": {key: (u["level"], u["xp"], u["hp"], u["most"], u["sp"], u["skills"])
                       for key, u in alive.items() if u["rank"] == "hero"},
            "damage": {key: u["damage"] for key, u in alive.items() if u["rank"] == "vehicle"},
            "places": {key: u["place"] for key, u in alive.items()},
        }  # fmt: skip

    def learn(self, u: Raw, xp: int) -> None:
        """8.2: a level for the experience of the table, a hit point and a skill point with each."""
        u["xp"] += xp
        while u["level"] < 16 and u["xp"] >= XP[u["level"]]:
            for figure in ("level", "hp", "most", "sp"):
                u[figure] += 1

    def take(self, kind: str, data: Raw, way: str) -> None:
        if kind == "play":
            for u in self.units.values():
                u["here"], u["away"], u["fled"] = u["here"] + u["away"], 0, False
                u["fought"] = u["called"] and data["fought"]
                u["called"] = False
            self.scored = data["result"]
        elif kind == "losses":
            for key, u in self.units.items():
                if u["body"] == data["body"] and u["fought"]:
                    self.fare(key, u, data)
        elif kind == "next" and self.scored:
            for u in self.units.values():
                if u["rank"] == "hero" and u["fought"] and u["here"] + u["away"]:
                    even = self.scored == "draw" or u["fled"]
                    self.learn(u, 2 if self.scored == "win" else 1 if even else 0)
            self.scored = ""
        elif kind == "extra":
            self.learn(self.units[data["unit"]], data["xp"])
        elif kind == "raise":
            u = self.units[data["unit"]]
            u["skills"][data["skill"]] += 1
            u["sp"] -= 1
        elif kind == "learn":
            u = self.units[data["unit"]]
            u["sp"] -= 2 if u["chosen"] else 0
            u["skills"][data["skill"]] = 5
            u["chosen"] = True
        elif kind == "break":
            self.rest(data, way)
        elif kind == "tend":
            for u in self.units.values():
                if u["rank"] == "hero" and u["here"] + u["away"]:
                    u["hp"] = u["most"]
        elif kind in ("muster", "forfeit"):
            self.scored = ""
            for u in self.units.values():
                u["called"] = bool(data.get(f"in-{u['body']}")) and u["here"] > 0 and u.get("hp", 1) > 0
        elif kind == "regroup":
            self.regroup(data)
        elif kind == "pick":
            for u in self.units.values():
                u["place"] = u["place"] or data["place"]
        elif kind in ("place", "move"):
            for u in self.units.values():
                if data.get(f"at-{u['body']}"):
                    u["place"] = data["to"]

    def fare(self, key: str, u: Raw, data: Raw) -> None:
        """8.1: the losses, retreats, hit points and damage of one unit."""
        dead, fled = data.get(f"lost-{key}", 0), data.get(f"away-{key}", 0)
        fate = data.get(f"fate-{key}")
        u["damage"] = data.get(f"damage-{key}", u["damage"])
        u["hp"] = data.get(f"hits-{key}", u.get("hp", 1))
        if fate == "lost" or (u["rank"] == "vehicle" and u["damage"] >= u["wreck"]):
            dead = 1
        elif fate == "retreated":
            fled, u["fled"] = 1, True
        u["here"], u["away"] = u["here"] - dead - fled, u["away"] + fled

    def rest(self, data: Raw, way: str) -> None:
        """8.1: a break regains 2 hit points and the level of the Doctor."""
        u, level = self.units[data["unit"]], 0
        if way == "break":
            level = u["skills"].get("Doctor", 0) if u["hp"] > 0 else 0
            if data.get("doctor"):
                doctor = self.units[data["doctor"]]
                level = max(level, doctor["skills"]["Doctor"])
                doctor["here"], doctor["away"] = 0, 1
        u["hp"] = min(u["most"], u["hp"] + 2 + level)
        u["here"], u["away"] = 0, 1

    def regroup(self, data: Raw) -> None:
        u, to = self.units[data["unit"]], data["to"]
        many = data.get("count") or u["here"]
        for one in self.units.values():
            one["called"] = False
        if to == "new":
            to = f"s{self.bodies}"
            self.bodies += 1
        if many == u["here"] + u["away"]:
            u["body"] = to
            return
        n = 1 + sum(key.startswith(data["unit"] + "-") for key in self.units)
        self.units[f"{data['unit']}-{n}"] = u | {"here": many, "away": 0, "body": to}
        u["here"] -= many


def new(unit: Raw, many: int) -> Raw:
    start = {"here": many, "away": 0, "damage": 0, "called": False, "fought": False, "fled": False, "place": ""}
    return unit | start


def hero(line: Raw) -> Raw:
    """The start of a hero: hit points and experience of the level, and the unused skill points."""
    own = free(line)
    fresh = [s for s in line["skills"] if s["name"] not in own]
    used = sum(s["level"] - own.get(s["name"], 5) for s in line["skills"]) + 2 * max(0, len(fresh) - 1)
    most = TROOPS[line["name"]]["ranks"]["hero"]["hp"] + line["level"] - 1
    return {
        "level": line["level"], "xp": XP[line["level"] - 1], "hp": most, "most": most,
        "sp": max(0, line["level"] - 1 - used), "skills": own | {s["name"]: s["level"] for s in line["skills"]},
        "chosen": bool(fresh),
    }  # fmt: skip
