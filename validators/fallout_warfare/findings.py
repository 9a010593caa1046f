"""How a finding of the Fallout: Warfare check is put together."""

from collections.abc import Mapping, Sequence

from validators.contract import Finding
from validators.fallout_warfare.figures import Figures, Squad


def finding(
    rule: str,
    message: str,
    mend: str = "",
    *,
    squads: Sequence[Squad] = (),
    figures: Mapping[str, int | str] | None = None,
) -> Finding:
    """A finding under a rule's id about these squads."""
    return Finding(
        rule=rule,
        message=message[:1].upper() + message[1:],
        figures=figures or {},
        models=tuple(squad.label for squad in squads),
        places=tuple(squad.place for squad in squads),
        mend=mend,
    )


def of_figures(
    rule: str, message: str, mend: str, model: Figures, squad: Squad, figures: Mapping[str, int | str] | None = None
) -> Finding:
    """A finding about one line of a squad; the squad's name stands behind the message."""
    return finding(rule, f"{message} ({squad.label})", mend, squads=[squad], figures=figures)
