"""A step in the making: all that changes a group, with the lines of its ledger."""

from collections import Counter
from dataclasses import replace
from typing import Any

from validators.campaign import Account, StepRefused
from validators.fallout_skirmish.campaign.state import (
    CAPS,
    FOOD,
    IRRADIATED,
    RAW,
    After,
    Character,
    Fought,
    Group,
    injury_of,
    level_of,
    needs_armour,
)
from validators.kit.campaign_steps import StepBook
from validators.names import counted


class Book(StepBook):
    """One step of one group. Everything that a ledger counts is changed here alone, with its line."""

    group: Group

    @property
    def after(self) -> After:
        """Where the sequence stands."""
        return self.group.after

    @property
    def opponents(self) -> Group | None:
        """The group that the game was against, as it stands now."""
        return self.world.groups.get(self.played.opponent)

    def note(self, **fields: Any) -> None:
        """Other fields of where the sequence stands."""
        self.group = replace(self.group, after=replace(self.after, **fields))

    def did(self, *flags: str) -> None:
        """Count these as done once more."""
        self.note(done=(*self.after.done, *flags))

    def times(self, flag: str) -> int:
        """How often this was done in the sequence."""
        return self.after.done.count(flag)

    def change(self, who: str, **fields: Any) -> None:
        """Other fields of a character that no ledger counts."""
        self.group = self.group.changed(who, **fields)

    def name(self, who: str) -> str:
        """The name of the character with this key."""
        return self.group.who(who).name

    # ---- what the ledger counts

    def caps(self, amount: int, why: str) -> None:
        """Earn or pay Caps."""
        if self.group.caps + amount < 0:
            raise StepRefused(f"{counted(self.group.caps, 'Cap')} left, {-amount} needed: {why}.")
        self.line(CAPS, amount, why)
        self.set(caps=self.group.caps + amount)

    def food(self, amount: int, why: str, *, clean: bool = True) -> None:
        """Find or eat food."""
        has = self.group.food if clean else self.group.irradiated
        if has + amount < 0:
            raise StepRefused(f"{-amount} food is needed, and the group has {has}.")
        self.line(FOOD if clean else IRRADIATED, amount, why)
        self.set(**{"food" if clean else "irradiated": has + amount})

    def item(self, name: str, amount: int, why: str, who: str = "") -> None:
        """Gain or lose an item, in the stash or of a character."""
        if amount > 0 and name == "Stimpak" and self.group.possessions()[name] + amount > 3:
            raise StepRefused("A group can have 3 Stimpaks at most.")
        self.line(Account("item", name), amount, why)
        self._move(name, amount, who)

    def hand(self, name: str, giver: str, taker: str, count: int = 1) -> None:
        """Give an item to somebody else; "" is the stash."""
        self._move(name, -count, giver)
        self._move(name, count, taker)

    def join(self, rank: str, why: str, name: str = "", item: str = "") -> str:
        """A new character, with its key as the answer."""
        row = self.group.force.rank(rank)
        if row and self.group.full:
            raise StepRefused(f"The group is full: {self.group.force.group_most} characters.")
        key = f"c{len(self.group.everybody) + 1}"
        xp = row.experience if row else 0
        xp = int(self.world.settings["experienced"]) if xp == 25 else xp  # the rulebook has two figures
        taken = {one.name for one in self.group.everybody}
        numbered = (f"{name or rank} {number}" for number in range(2 if name else 1, len(taken) + 3))
        called = next(one for one in (*filter(None, [name]), *numbered) if one not in taken)
        one = Character(key, called, rank, xp, level_of(xp))
        self.set(everybody=(*self.group.everybody, one))
        self.line(Account("character", called), 1, why)
        if item:
            self.item(item, 1, why, key)
        return key

    def leave(self, who: str, why: str, *, keep: bool) -> None:
        """A character is gone; its equipment is lost, or kept in the stash."""
        one = self.group.who(who)
        for name, count in one.items.items():
            if keep:
                self.hand(name, who, "", count)
            else:
                self.item(name, -count, f"Lost with {one.name}", who)
        self.line(Account("character", one.name), -1, why)
        self.change(who, gone=why)
        self.note(pending=tuple(what for what in self.after.pending if what[1] != who))
        phase = self.world.phase(self.number)
        in_game = phase and phase.id in ("game", "injuries")
        if one.rank == self.group.force.top.name and self.group.own.get("new_top") and in_game:
            new = self.join(one.rank, f"Follows {one.name}")
            self.note(fought={**self.after.fought, new: Fought(False)})
            self.say(f"{self.name(new)} follows {one.name}.")
        if self.group.leader == who:
            tied = self.candidates()
            self.set(leader=tied[0] if len(tied) == 1 else "")
            if self.group.leader:
                self.say(f"{self.name(tied[0])} leads the group now, with the highest Charisma.")

    def candidates(self) -> list[str]:
        """The characters with the highest Charisma."""
        figures = {one.key: self.group.profile(one)["C"] for one in self.group.characters}
        return [key for key, charisma in figures.items() if charisma == max(figures.values())]

    def _move(self, name: str, amount: int, who: str) -> None:
        held = Counter(self.group.who(who).items if who else self.group.stash)
        if held[name] + amount < 0:
            raise StepRefused(f"There is no {name} {f'with {self.name(who)}' if who else 'in the stash'}.")
        held[name] += amount
        left = {item: count for item, count in held.items() if count}
        if who:
            self.change(who, items=left)
        else:
            self.set(stash=left)

    # ---- what happens to characters

    def earn(self, who: str, points: int) -> None:
        """Experience for a character; a level that it never had before brings an advance."""
        one = self.group.who(who)
        xp = max(0, one.xp + points)
        reached = level_of(xp)
        self.change(who, xp=xp, level=max(one.level, reached))
        self.note(pending=(*self.after.pending, *(("advance", who) for _ in range(one.level, reached))))
        levels = f", level {reached}" if reached > one.level else ""
        self.say(f"{one.name}: {'+' if points >= 0 else '−'}{abs(points)} XP, {xp} now{levels}.")

    def hurt(self, who: str, total: int) -> None:
        """What a result of the injury table does."""
        one, injury = self.group.who(who), injury_of(total)
        if injury.id == "dead":
            self.say(f"{one.name} is dead.")
            self.leave(who, "Killed", keep=False)
        elif injury.id:
            self.change(who, injuries=(*one.injuries, injury.id))
            self.say(f"{one.name}: {injury.name}.")
            if self.group.who(who).blind:
                self.say(f"{one.name} is blind.")
        else:
            self.say(f"{one.name} recovers fully.")

    def heal(self, what: str) -> None:
        """Remove an injury, named by the character's key and the injury's id: "c1:eye"."""
        who, _, injury = what.partition(":")
        left = list(self.group.who(who).injuries)
        left.remove(injury)
        self.change(who, injuries=tuple(left))

    def irradiate(self, who: str, rads: int) -> None:
        """More or fewer rads; too many kill."""
        total = max(0, self.group.who(who).rads + rads)
        self.change(who, rads=total)
        if total >= RAW["rads"]["death"]:
            self.say(f"{self.name(who)} dies of {total} rads.")
            self.leave(who, "Died of radiation", keep=True)

    def injury(self, who: str, why: str) -> None:
        """Roll an injury that holds at once."""
        self.hurt(who, self.roll(f"{why}: injury of {self.name(who)}", 12, 2).total)

    def settle(self, who: str, kind: str) -> None:
        """Take what a character must still settle off the list."""
        left = list(self.after.pending)
        left.remove(next(one for one in left if one[:2] == (kind, who)))
        self.note(pending=tuple(left))

    def home(self) -> tuple[Character, ...]:
        """Who may still be sent out: with the group, able to, and without an errand so far."""
        return tuple(
            one for one in self.group.characters if not one.blind and not one.captive and one.key not in self.after.busy
        )

    def send(self, who: str, errand: str) -> None:
        """The character has its errand."""
        self.note(busy={**self.after.busy, who: errand})

    def stays(self, one: Character) -> str:
        """Why a character cannot have been in the game; "" where it can."""
        if one.key in self.after.absent:
            return "locked up"
        return self.group.unfit(one) or (f"no {missing}" if (missing := needs_armour(self.group, one)) else "")
