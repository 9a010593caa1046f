"""The five scenarios of the Battle Mode rulebook 1.0, told in our own words: data/scenarios, one file each."""

from validators.battle_mode.edition import DATA
from validators.battle_mode.scenario_file import import_scenario
from validators.scenario import Scenario

_IN_ORDER = ("hold-the-line", "defend-your-stash", "extract-the-information", "raiders", "scrapyard")
"""As the rulebook prints them."""

SCENARIOS: tuple[Scenario, ...] = tuple(
    import_scenario((DATA / "scenarios" / f"{ident}.json").read_bytes()) for ident in _IN_ORDER
)
