"""What a new scenario, game or tie-break needs outside the code: its page, its sources, its rows."""

from dataclasses import replace

from events.tournament.tie_breaks import TIE_BREAKS
from tests.kit.promises import ROOT
from validators import SYSTEMS


def test_each_game_has_its_page_and_builder_and_sources_of_its_data() -> None:
    needed = [f"docs/{game}.md" for game in SYSTEMS]
    needed += [f"events/lists/templates/lists/builder/{game}.html" for game in SYSTEMS]
    needed += [f"validators/{game}/data/SOURCES.md" for game in SYSTEMS]
    assert [path for path in needed if not (ROOT / path).is_file()] == []
    for game in SYSTEMS:
        sources = (ROOT / f"validators/{game}/data/SOURCES.md").read_text(encoding="utf-8")
        files = [path.name for path in (ROOT / f"validators/{game}/data").glob("*.json")]
        # How the rules are worded is our own.
        assert [name for name in files if name not in sources and name != "rules.json"] == [], game


def test_each_scenario_is_on_its_games_page_and_names_its_source_and_no_other_scenario() -> None:
    for game in SYSTEMS.values():
        page = (ROOT / f"docs/{game.id}.md").read_text(encoding="utf-8").lower()
        names = [scenario.name for scenario in game.scenarios]
        assert [name for name in names if name.lower() not in page] == [], f"not in docs/{game.id}.md"
        assert [a_scenario.name for a_scenario in game.scenarios if len(a_scenario.source) < 8] == [], (
            f"{game.id}: no source"
        )
        for scenario in game.scenarios:
            texts = repr(replace(scenario, id="", name="")).replace(scenario.name, "")
            assert [name for name in names if name in texts and name not in scenario.name] == [], (
                f"named by {scenario.id}"
            )


def test_each_scenario_of_battle_mode_has_a_row_on_the_reference_sheet() -> None:
    game = SYSTEMS["battle_mode"]
    rows = {row[0] for part in game.papers.reference for row in part.rows}
    assert [scenario.name for scenario in game.scenarios if scenario.name not in rows] == [], (
        "no row in data/reference.json"
    )


def test_each_tie_break_has_a_row_in_the_table_of_the_docs() -> None:
    lines = (ROOT / "docs/pairing.md").read_text(encoding="utf-8").splitlines()
    firsts = " ".join(line.split("|")[1] for line in lines if line.startswith("| `"))
    assert [name for name in TIE_BREAKS if f"`{name}`" not in firsts] == []
