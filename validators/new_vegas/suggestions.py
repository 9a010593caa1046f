"""Suggested forces: fixes that make an illegal force legal, and legal random samples."""

from collections.abc import Iterator
from random import Random
from typing import Any

from languages.words import gettext, listed
from validators.contract import Document, Fix, Terms
from validators.kit.suggestions import Change, fewest_changes, first_legal, replaced, without
from validators.names import fold
from validators.new_vegas.check import CHECKS
from validators.new_vegas.edition import LIMITED, Edition, Profile
from validators.new_vegas.force import Force, Squad, blank_force, mustered, read_force

MOST_CHANGES = 6
MOST_CHECKED = 600
"""The most forces checked in one search."""


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    return fewest_changes(document, terms, CHECKS.check, _changes, MOST_CHANGES, MOST_CHECKED)


def _changes(document: Document, terms: Terms) -> Iterator[Change]:
    """Every single change that could fix something, with the changed document."""
    edition: Edition = terms.edition.lists
    force = mustered(document, terms)
    for name in edition.factions.values():
        if terms.open_to(name) and fold(name) != fold(force.faction_name):
            yield gettext("Make it a force of %(faction)s", faction=name), document | {"faction": name}
            break
    for squad in force.squads:
        if len(force.squads) > 1:
            yield gettext("Take out %(name)s", name=squad.label), without(document, "squads", squad.place)
        for known in edition.classes.values():
            if squad.entry is not known and not terms.bans(known.name):
                words = gettext("Make %(squad)s %(kind)s", squad=squad.label, kind=known.name)
                yield words, replaced(document, known.name, "squads", squad.place, "class")
        yield from _on_models(document, force, squad)
    if force.squads and force.leadership_dice == 0 and (first := next((s for s in force.squads if s.lines), None)):
        changed = replaced(document, 1, "squads", first.place, "models", 0, "special", "charisma")
        yield (
            gettext("Give %(model)s in %(squad)s Charisma 1", model=first.lines[0].name, squad=first.label),
            changed,
        )


def _on_models(document: Document, force: Force, squad: Squad) -> Iterator[Change]:
    most, over = force.edition.file.highest_score, force.total - force.size
    for line in squad.lines:
        at, whose = (
            ("squads", squad.place, "models", line.place),
            gettext("%(model)s in %(squad)s", model=line.name, squad=squad.label),
        )
        model = document["squads"][squad.place]["models"][line.place]
        if len(squad.lines) > 1:
            words = (
                gettext("Take out all %(count)s %(name)s", count=line.count, name=whose)
                if line.count > 1
                else gettext("Take out %(name)s", name=whose)
            )
            yield words, without(document, *at)
        each = line.special.points
        fewer = -(-over // each) if over > 0 and each else 1
        if 0 < fewer < line.count:
            words = gettext("Take out %(fewer)s of %(count)s %(name)s", fewer=fewer, count=line.count, name=whose)
            yield words, replaced(document, line.count - fewer, *at, "count")
        if high := [score for score in LIMITED if getattr(line.special, score) > most]:
            lowered = replaced(document, model["special"] | dict.fromkeys(high, most), *at, "special")
            scores = listed([gettext(score) for score in high])
            yield gettext("Lower %(scores)s of %(whose)s to %(most)s", scores=scores, whose=whose, most=most), lowered
        for carried in dict.fromkeys(line.weapons):
            kept = [name for name in model["weapons"] if fold(name) != fold(carried.name)]
            words = gettext("Take %(item)s off %(model)s", item=carried.name, model=whose)
            yield words, replaced(document, kept, *at, "weapons")
            needed = carried.entry.strength if carried.entry else 0
            if line.special.strength < needed:
                words = gettext("Raise Strength of %(whose)s to %(needed)s", whose=whose, needed=needed)
                yield words, replaced(document, needed, *at, "special", "strength")


_GRUNTS = {"Recon": ("Scout",), "Regular": ("Trooper", "Brawler"), "Heavy": ("Gunner",)}
_FEWEST, _MOST_IN_SQUAD = 2, 8
_TRIES = 80
_SQUAD_NAMES = ("Able", "Baker", "Charlie", "Dog", "Easy", "Fox", "George", "How", "Item", "Jig", "King", "Love")


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    edition: Edition = terms.edition.lists
    named = edition.factions.find(faction)
    if named is None:
        raise ValueError(f"{faction} is not a faction of the edition {terms.edition.id}")
    size = terms.list_size

    def draw(attempt: int, dice: Random) -> Document:
        # Each further try is smaller and simpler, because restrictions may leave little room.
        return _drawn(terms, named, max(size * (_TRIES - attempt) // _TRIES, min(size, 2)), dice)

    seeds = f"{terms.edition.id}/{named}/{size}/{seed}/"
    return first_legal(terms, draw, CHECKS.check, seeds, _TRIES, f"force of {faction}")


def _drawn(terms: Terms, faction: str, size: int, dice: Random) -> Document:
    edition: Edition = terms.edition.lists
    banned = set(map(fold, terms.restrictions.banned))
    classes = [known.name for key, known in edition.classes.items() if key not in banned]
    squads: list[dict[str, Any]] = []
    left = size
    for name in _SQUAD_NAMES:
        squad_class = dice.choice(classes or ["Regular"])
        lines = _lines(edition, squad_class, left, not squads, banned, dice)
        if not lines:
            break
        left -= sum(line["count"] * sum(line["special"].values()) for line in lines)
        squads.append({"name": f"{name} squad", "class": squad_class, "models": lines})
    return read_force(blank_force(terms.edition, faction) | {"squads": squads}, terms.edition)


def _lines(
    edition: Edition, squad_class: str, left: int, first: bool, banned: set[str], dice: Random
) -> list[dict[str, Any]]:
    """A leader, if there is room, and grunts; the first squad always has a leader."""
    lines: list[dict[str, Any]] = []
    for name in ("Officer", "Sergeant") if first else ("Sergeant",):
        profile = edition.profiles.find(name)
        if profile and not lines and sum(profile.special) <= left // 2 and (first or dice.random() < 0.7):
            lines.append(_armed(profile, 1, edition, banned))
    if first and not lines:
        if left < 2:
            return []
        runner = Profile(name="Runner", special=[0, 0, 1, 1, 0, 0, 0])
        lines.append(_armed(runner, 1, edition, banned))
    left -= sum(sum(line["special"].values()) for line in lines)
    # A club's own edition may have other classes and models.
    named = [name for name in _GRUNTS.get(squad_class, ()) if fold(name) in edition.profiles]
    if led := named or [each.name for each in edition.profiles.values() if any(each.special) and not each.special[3]]:
        grunt = edition.profiles[fold(dice.choice(led))]
        count = min(left // sum(grunt.special), dice.randint(3, _MOST_IN_SQUAD))
        if count >= _FEWEST:
            return [*lines, _armed(grunt, count, edition, banned)]
    return lines if first else []


def _armed(profile: Profile, count: int, edition: Edition, banned: set[str]) -> dict[str, Any]:
    line = profile.line(count)
    line["weapons"] = [name for name in profile.weapons if fold(name) not in banned and edition.weapons.find(name)]
    return line
