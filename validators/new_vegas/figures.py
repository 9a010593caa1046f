"""The derived figures of a force, each with its arithmetic."""

from collections.abc import Iterable

from languages.words import gettext
from validators.new_vegas.check import UNIT
from validators.new_vegas.edition import Edition
from validators.new_vegas.force import FACES, Force, Squad, SquadLine, detection, to_hit, trap_save
from validators.sheet import Derived, times


def of_force(force: Force) -> tuple[Derived, ...]:
    """Size, leadership dice, force markers, models."""
    squads = force.squads
    return (
        Derived(
            gettext("Size"),
            gettext("%(n)s of %(all)s", n=force.total, all=force.size),
            f"{_sum(s.points for s in squads)} {gettext(UNIT)}",
        ),
        Derived(gettext("Leadership dice"), str(force.leadership_dice), f"Charisma {_sum(s.charisma for s in squads)}"),
        Derived(
            gettext("Force markers"),
            str(force.markers),
            gettext("%(sum)s, by the squads’ classes", sum=_sum(s.markers for s in squads)),
        ),
        Derived(gettext("Models"), str(force.models), _sum(s.models for s in squads)),
    )


def of_squad(squad: Squad, edition: Edition) -> tuple[Derived, ...]:
    """Force markers, the Luck pool, wounds, rally dice, and the squad's detection range."""
    # A squad detects as far as its best model (a reading: each model by its own Perception).
    sharpest = max((line.special.perception for line in squad.lines), default=0)
    charisma = f"Charisma {_each(squad, 'charisma')}"
    return (
        Derived(
            gettext("Force markers"),
            str(squad.markers),
            gettext("%(squad_class)s: %(n)s a squad", squad_class=squad.class_name, n=squad.markers),
        ),
        Derived(gettext("Luck pool"), str(squad.sum_of("luck")), f"Luck {_each(squad, 'luck')}"),
        Derived(gettext("Wounds"), str(squad.sum_of("endurance")), f"Endurance {_each(squad, 'endurance')}"),
        Derived(
            gettext("Rally dice"),
            str(squad.rally_dice),
            charisma if squad.charisma else gettext("%(sum)s, so 1", sum=charisma),
        ),
        _detects(sharpest, edition) if squad.lines else Derived(gettext("Detects"), "0″"),
    )


def of_model(line: SquadLine, edition: Edition) -> tuple[Derived, ...]:
    """The effect of one model's scores."""
    scores = line.special
    return (
        _hits(gettext("Close combat"), "Strength", scores.strength),
        _hits(gettext("Shooting"), "Agility", scores.agility),
        _detects(scores.perception, edition),
        Derived(gettext("Trap save"), trap_save(scores.perception), f"6 − Perception {scores.perception}"),
        Derived(gettext("Wounds"), str(scores.endurance), f"Endurance {scores.endurance}"),
        Derived(gettext("Healing, energy"), f"+{scores.intelligence}", f"Intelligence {scores.intelligence}"),
    )


def _hits(label: str, name: str, score: int) -> Derived:
    """ "6 − Agility 2 = 4"."""
    return Derived(label, to_hit(score), f"{FACES} − {name} {score} = {max(FACES - score, 1)}")


def _detects(perception: int, edition: Edition) -> Derived:
    """ "6 + 4 × 2 = 14"."""
    inches, by = detection(perception, edition), edition.file.detection
    return Derived(gettext("Detects"), f"{inches}″", f"{by.base} + {by.each} × {perception} = {inches}")


def _each(squad: Squad, score: str) -> str:
    """ "4 × 1 + 3 = 7"."""
    values = [(line.count, getattr(line.special, score)) for line in squad.lines]
    shown = [times(count, value) or str(value) for count, value in values]
    return f"{' + '.join(shown)} = {squad.sum_of(score)}" if shown else "0"


def _sum(figures: Iterable[int]) -> str:
    numbers = list(figures)
    return f"{' + '.join(map(str, numbers)) or '0'} = {sum(numbers)}"
