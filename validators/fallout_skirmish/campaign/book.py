"""The bookkeeping of one campaign step: every change of a group, with its ledger lines and messages."""

from collections import Counter
from dataclasses import replace
from typing import Any

from languages.message import Text, joined, message, worded
from languages.words import gettext, ngettext
from validators.campaign import Account, StepRefused
from validators.fallout_skirmish.campaign.state import (
    CAPS,
    FOOD,
    IRRADIATED,
    Aftermath,
    Character,
    GameRecord,
    Group,
    needs_armour,
)
from validators.fallout_skirmish.campaign.tables import RAW, caps_words, injury_of, level_of, rads_text
from validators.kit.campaign_steps import StepBook


class Book(StepBook):
    """The group during one step. Only these methods change what the ledger counts, and each writes its line.

    ``who`` is always a character's key, "c1".
    """

    group: Group

    @property
    def aftermath(self) -> Aftermath:
        """The group's progress in the sequence after its newest game."""
        return self.group.aftermath

    @property
    def opposing_group(self) -> Group | None:
        """The opponent's group in its present state; None if it was never founded."""
        return self.world.groups.get(self.played.opponent)

    def update_aftermath(self, **fields: Any) -> None:
        self.group = replace(self.group, aftermath=replace(self.aftermath, **fields))

    def mark_done(self, *flags: str) -> None:
        """Add one use of each flag, for actions that the rules limit per sequence."""
        self.update_aftermath(done=(*self.aftermath.done, *flags))

    def times_done(self, flag: str) -> int:
        """How often the flag was marked in this sequence."""
        return self.aftermath.done.count(flag)

    def change_character(self, who: str, **fields: Any) -> None:
        self.group = self.group.with_changed(who, **fields)

    def name_of(self, who: str) -> str:
        return self.group.member(who).name

    def caps(self, amount: int, why: Text) -> None:
        """Add Caps, or pay them if negative. Raises StepRefused if there are too few."""
        if self.group.caps + amount < 0:
            left = caps_words(self.group.caps)
            short = {"caps": left, "needed": -amount, "why": worded(why)}
            raise StepRefused(gettext("%(caps)s left, %(needed)s needed: %(why)s.", **short))
        self.line(CAPS, amount, why)
        self.set(caps=self.group.caps + amount)

    def food(self, amount: int, why: Text, *, clean: bool = True) -> None:
        """Add food, clean or irradiated, or remove it if negative. Raises StepRefused if there is too little."""
        has = self.group.food if clean else self.group.irradiated
        if has + amount < 0:
            raise StepRefused(gettext("%(n)s food is needed, and the group has %(has)s.", n=-amount, has=has))
        self.line(FOOD if clean else IRRADIATED, amount, why)
        self.set(**{"food" if clean else "irradiated": has + amount})

    def item(self, name: str, amount: int, why: Text, who: str = "") -> None:
        """Add copies of an item to the stash, or to a character's equipment; negative removes them.

        Raises StepRefused for a fourth Stimpak, or for copies that are not there.
        """
        if amount > 0 and name == "Stimpak" and self.group.possessions()[name] + amount > 3:
            raise StepRefused(gettext("A group can have 3 Stimpaks at most."))
        self.line(Account("item", name), amount, why)
        self._move(name, amount, who)

    def hand_over(self, name: str, giver: str, taker: str, count: int = 1) -> None:
        """Move copies of an item between characters; "" is the stash."""
        self._move(name, -count, giver)
        self._move(name, count, taker)

    def join(self, rank: str, why: Text, name: str = "", item: str = "") -> str:
        """Add a character of this rank, with an item; returns its key. Raises StepRefused if the group is full."""
        row = self.group.force.rank(rank)
        if row and self.group.full:
            raise StepRefused(
                ngettext(
                    "The group is full: %(num)s character.",
                    "The group is full: %(num)s characters.",
                    self.group.force.group_most,
                )
            )
        key = f"c{len(self.group.all_members) + 1}"
        xp = row.experience if row else 0
        taken = {member.name for member in self.group.all_members}
        numbered = (f"{name or rank} {number}" for number in range(2 if name else 1, len(taken) + 3))
        called = next(free for free in (*filter(None, [name]), *numbered) if free not in taken)
        self.set(all_members=(*self.group.all_members, Character(key, called, rank, xp, level_of(xp))))
        self.line(Account("character", called), 1, why)
        if item:
            self.item(item, 1, why, key)
        return key

    def remove_character(self, who: str, why: Text, *, keep: bool) -> None:
        """Remove a character. Its equipment goes to the stash (``keep``) or is lost; a new leader is found."""
        character = self.group.member(who)
        for name, count in character.items.items():
            if keep:
                self.hand_over(name, who, "", count)
            else:
                self.item(name, -count, message("Lost with %(name)s", name=character.name), who)
        self.line(Account("character", character.name), -1, why)
        self.change_character(who, gone=why)
        self.update_aftermath(pending=tuple(what for what in self.aftermath.pending if what[1] != who))
        phase = self.world.phase(self.number)
        in_game = phase and phase.id in ("game", "injuries")
        if character.rank == self.group.force.top.name and self.group.traits.get("new_top") and in_game:
            new = self.join(character.rank, message("Follows %(name)s", name=character.name))
            self.update_aftermath(records={**self.aftermath.records, new: GameRecord(False)})
            self.remark("%(new)s follows %(name)s.", new=self.name_of(new), name=character.name)
        if self.group.leader == who:
            tied = self.candidates()
            self.set(leader=tied[0] if len(tied) == 1 else "")
            if self.group.leader:
                self.remark("%(name)s leads the group now, with the highest Charisma.", name=self.name_of(tied[0]))

    def candidates(self) -> list[str]:
        """The characters with the highest Charisma."""
        figures = {character.key: self.group.profile(character)["C"] for character in self.group.characters}
        return [key for key, charisma in figures.items() if charisma == max(figures.values())]

    def _move(self, name: str, amount: int, who: str) -> None:
        held = Counter(self.group.member(who).items if who else self.group.stash)
        if held[name] + amount < 0:
            if who:
                raise StepRefused(gettext("There is no %(item)s with %(name)s.", item=name, name=self.name_of(who)))
            raise StepRefused(gettext("There is no %(item)s in the stash.", item=name))
        held[name] += amount
        left = {item: count for item, count in held.items() if count}
        if who:
            self.change_character(who, items=left)
        else:
            self.set(stash=left)

    def earn(self, who: str, points: int) -> None:
        """Add experience to a character; each level reached for the first time gives an advance."""
        character = self.group.member(who)
        xp = max(0, character.xp + points)
        reached = level_of(xp)
        self.change_character(who, xp=xp, level=max(character.level, reached))
        self.update_aftermath(
            pending=(*self.aftermath.pending, *(("advance", who) for _ in range(character.level, reached)))
        )
        said = {"name": character.name, "points": f"{'+' if points >= 0 else '−'}{abs(points)}", "xp": xp}
        if reached > character.level:
            self.remark("%(name)s: %(points)s XP, %(xp)s now, level %(level)s.", **said, level=reached)
        else:
            self.remark("%(name)s: %(points)s XP, %(xp)s now.", **said)

    def apply_injury(self, who: str, total: int) -> None:
        """Apply a result of 2D12 on the injury table to a character."""
        character, injury = self.group.member(who), injury_of(total)
        if injury.id == "dead":
            self.remark("%(name)s is dead.", name=character.name)
            self.remove_character(who, message("Killed"), keep=False)
        elif injury.id:
            self.change_character(who, injuries=(*character.injuries, injury.id))
            self.remark("%(name)s: %(what)s.", name=character.name, what=injury.name)
            if self.group.member(who).blind:
                self.remark("%(name)s is blind.", name=character.name)
        else:
            self.remark("%(name)s recovers fully.", name=character.name)

    def heal(self, what: str) -> None:
        """Remove an injury: "c1:eye", the character's key and the injury's id."""
        who, _, injury = what.partition(":")
        left = list(self.group.member(who).injuries)
        left.remove(injury)
        self.change_character(who, injuries=tuple(left))

    def irradiate(self, who: str, rads: int) -> None:
        """Add rads to a character, or remove them if negative; too many kill it."""
        total = max(0, self.group.member(who).rads + rads)
        self.change_character(who, rads=total)
        if total >= RAW["rads"]["death"]:
            self.remark("%(name)s dies: %(rads)s.", name=self.name_of(who), rads=rads_text(total))
            self.remove_character(who, message("Died of radiation"), keep=True)

    def roll_injury(self, who: str, why: Text) -> None:
        """Roll an injury that applies immediately, without a chance to roll again."""
        why = message("%(why)s: injury of %(name)s", why=why, name=self.name_of(who))
        self.apply_injury(who, self.roll(why, 12, 2).total)

    def settle(self, who: str, kind: str) -> None:
        """Remove a pending task of this kind ("advance") from a character."""
        left = list(self.aftermath.pending)
        left.remove(next(task for task in left if task[:2] == (kind, who)))
        self.update_aftermath(pending=tuple(left))

    def at_home(self) -> tuple[Character, ...]:
        """The characters who can still be sent on an errand: neither blind nor captive, and not sent yet."""
        return tuple(
            character
            for character in self.group.characters
            if not character.blind and not character.captive and character.key not in self.aftermath.errands
        )

    def send(self, who: str, errand: str) -> None:
        """Record a character's errand."""
        self.update_aftermath(errands={**self.aftermath.errands, who: errand})

    def reason_absent(self, character: Character) -> Text:
        """Why a character cannot have taken part in the game; "" if it can."""
        if character.key in self.aftermath.absent:
            return message("locked up")
        if character.blind:
            return message("blind")
        missing = needs_armour(self.group, character)
        return message("no %(missing)s", missing=joined(missing, by="or")) if missing else ""
