"""How a finding of the Fallout Skirmish check is put together."""

from collections.abc import Mapping, Sequence

from validators.contract import Finding
from validators.fallout_skirmish.priced import PricedCharacter


def finding(
    rule: str,
    message: str,
    *,
    mend: str = "",
    about: Sequence[PricedCharacter] = (),
    figures: Mapping[str, int | str] | None = None,
) -> Finding:
    """A finding under a rule's id about these characters of the group."""
    return Finding(
        rule=rule,
        message=message,
        figures=figures or {},
        models=tuple(character.label for character in about),
        places=tuple(character.place for character in about),
        mend=mend,
    )


def offered(near: Sequence[str]) -> str:
    """What an unknown name may have meant, or that it is to be taken out."""
    return f"Did you mean {' or '.join(near)}?" if near else "Take it out."
