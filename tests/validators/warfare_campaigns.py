"""Random campaigns of Fallout: Warfare: legal steps of several groups over rounds, from a seed."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from tests.kit.armies import BOS, EDITION, LORDS, MUTANTS, RAIDERS, SYSTEM
from validators.calculator import Asked
from validators.campaign import Applied, CampaignRules, Dice, Step, StepRefused, World, apply_step, new_world
from validators.contract import Document, Terms

NAMES = {1: "Lost Hills", 2: "Junktown", 3: "The Hub", 4: "Vault 13"}


@cache
def armies() -> tuple[Document, ...]:
    """Legal armies of 300 to 500 points with heroes of levels 1 to 3, a Doctor, vehicles and mines."""
    terms, found = Terms(EDITION, 500), []
    for seed, faction in enumerate((BOS, MUTANTS, RAIDERS, LORDS, BOS, RAIDERS)):
        document = SYSTEM.forces.sample(terms, faction, seed)
        dice = Random(seed)
        for squad in document["squads"]:
            for model in squad["models"]:
                if model["rank"] == "hero":
                    model["level"] = dice.randint(1, 3)
        doctor = {"rank": "hero", "count": 1, "level": 2, "skills": [{"name": "Doctor", "level": 5}], "items": []}
        lone: Document = {"name": "", "models": [document["squads"][0]["models"][0] | doctor]}
        document = document | {"squads": [*document["squads"], lone], "mines": seed % 3}
        found.append(SYSTEM.forces.read(document, EDITION))
    return tuple(found)


class Played:
    """A campaign with its steps; iterating plays it, and yields each step with the world before it and its effect."""

    def __init__(self, rules: CampaignRules, seed: int, rounds: int = 6) -> None:
        self.dice, self.rounds, self.rules = Random(seed), rounds, rules
        self.settings = {one.key: self.dice.choice(one.choices)[0] for one in rules.settings}
        self.settings |= {"most": self.dice.choice(["150", "200", "250"]), "start": "advised"}  # these armies can fight
        self.settings["extra"] = self.dice.choice("0245")
        self.names = dict(list(NAMES.items())[: self.dice.choice([2, 4])])
        plan = rules.planned(self.settings, seed, len(self.names)) if rules.planned else {}
        self.start = self.world = new_world(rules, EDITION, self.settings, plan, self.names)
        self.steps: list[Step] = []

    def __iter__(self) -> Iterator[tuple[Step, World, Applied]]:
        for group in self.names:
            yield self._do(group, "found", {"document": self.dice.choice(armies())})
        picking = True
        while picking:
            turns = [(group, offer) for group in self.names for offer in self.world.rules.offers(self.world, group)
                     if offer.kind == "pick"]  # fmt: skip
            picking = bool(turns)
            for group, offer in turns:
                yield self._do(group, "pick", {"place": self.dice.choice(offer.asks[0].choices)[0]})
        for group in self.names:
            yield from self._sequence(group)
        for number in range(1, self.rounds + 1):
            groups = list(self.names)
            self.dice.shuffle(groups)
            for a, b in zip(groups[::2], groups[1::2], strict=True):
                fought = "forfeits" not in (self.world.groups[a].decision, self.world.groups[b].decision)
                won = self.dice.choice(["win", "draw", "loss"])
                lost = {"win": "loss", "loss": "win", "draw": "draw"}[won]
                scenario = self.dice.choice(["skirmish", "convoy", "wild-america"])
                for group, other, result in ((a, b, won), (b, a, lost)):
                    data = {"game": number * 10 + min(a, b), "round": number, "result": result, "opponent": other,
                            "scenario": scenario, "won_against_rating": 0, "fought": fought}  # fmt: skip
                    yield self._do(group, "play", data)
            for group in groups:
                yield from self._sequence(group)

    def _sequence(self, group: int) -> Iterator[tuple[Step, World, Applied]]:
        """Random steps of each phase, then its end."""
        while (phase := self.world.phase(group)) is not None:
            for _ in range(self.dice.randint(0, 5)):
                if offers := [one for one in self.rules.offers(self.world, group) if one.kind != "forfeit"]:
                    offer = self.dice.choice(offers)
                    answers = {ask.key: self._answer(ask) for ask in offer.asks}
                    if self.dice.random() < 0.1:
                        kept = [ask.key for ask in offer.asks if "-" not in ask.key or offer.kind == "muster"]
                        answers = {key: one for key, one in answers.items() if self.dice.random() < 0.5 or key in kept}
                    try:
                        yield self._do(group, offer.kind, answers | dict(offer.fixed))
                    except StepRefused:
                        continue
            if phase.id == "muster" and not self.world.groups[group].decision:
                yield self._muster(group)
            yield self._do(group, "next", {})

    def _muster(self, group: int) -> tuple[Step, World, Applied]:
        """The suggested muster, or a forfeit if there is none."""
        for offer in self.rules.offers(self.world, group):
            if offer.kind == "muster":
                try:
                    return self._do(group, "muster", {ask.key: ask.default for ask in offer.asks})
                except StepRefused:
                    break
        return self._do(group, "forfeit", {})

    def _answer(self, ask: Asked) -> Any:
        if ask.kind == "choice":
            return self.dice.choice(ask.choices)[0]
        if self.dice.random() < 0.02:
            return ask.most + 1
        if ask.default is not None and self.dice.random() < 0.5:
            return ask.default
        return self.dice.randint(ask.least, ask.most)

    def _do(self, group: int, kind: str, data: dict[str, Any]) -> tuple[Step, World, Applied]:
        before, dice = self.world, Dice(len(self.steps))
        step = Step(len(self.steps) + 1, group, kind, data)
        applied = apply_step(before, step, dice)
        step = Step(step.number, group, kind, data, tuple(dice.rolled))
        self.steps.append(step)
        self.world = applied.world
        return step, before, applied
