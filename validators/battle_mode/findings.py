"""How a finding of the Battle Mode check is put together."""

from collections.abc import Mapping, Sequence

from validators.battle_mode.priced import PricedModel
from validators.contract import Finding


def finding(
    rule: str,
    message: str,
    *,
    mend: str = "",
    models: Sequence[PricedModel] = (),
    figures: Mapping[str, int | str] | None = None,
) -> Finding:
    """A finding under a rule's id about these models of the force."""
    return Finding(
        rule=rule,
        message=message,
        figures=figures or {},
        models=tuple(model.name for model in models),
        places=tuple(model.place for model in models),
        mend=mend,
    )
