"""The scenarios that ship with the SNAFU game: data/scenarios, one file each."""

from validators.new_vegas.edition import DATA
from validators.new_vegas.scenario_file import import_scenario
from validators.scenario import Scenario

_IN_ORDER = ("open-battle", "attrition", "cut-off-the-head")

SCENARIOS: tuple[Scenario, ...] = tuple(
    import_scenario((DATA / "scenarios" / f"{ident}.json").read_bytes()) for ident in _IN_ORDER
)
