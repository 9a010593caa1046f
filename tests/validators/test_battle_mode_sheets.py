"""The force list on paper, and the figures that follow from a force."""

from tests.kit.forces import EDITION, SYSTEM, read_force, sample_force, summarise
from validators.contract import Terms
from validators.scenario import Score
from validators.sheet import Facts, Lines, Table

TERMS = Terms(EDITION, 500)


def test_each_figure_tells_how_it_was_reckoned() -> None:
    items = [{"name": "Pipe Pistol"}]
    models = [{"name": "Piper", "leader": True, "items": items}, {"name": "Settler"}]
    force = {"system": "battle_mode", "edition": EDITION.id, "faction": "Survivors", "models": models}
    figures = {one.label: (one.value, one.how) for one in SYSTEM.derived(read_force(force), TERMS)}
    assert figures == {
        "Total": ("121 Caps", "81 + 40 = 121"),
        "Left": ("379 Caps", "500 - 121"),
        "Heavy weapons": ("0 of 1", "500 / 250, rounded down, less 1"),
    }


def test_the_force_list_has_every_model_its_total_and_what_the_check_says() -> None:
    document = sample_force("Survivors", 750, 4)
    (sheet,) = SYSTEM.sheets(document, TERMS)
    facts, table, lines = sheet.blocks
    assert isinstance(facts, Facts) and isinstance(table, Table) and isinstance(lines, Lines)
    summary = summarise(document)
    assert [row[0] for row in table.rows] == [line for line, _ in summary.lines]
    assert table.total == ("Total", str(summary.total))
    assert lines.title == "The check: not legal", "750 Caps are too many for 500"
    assert lines.lines[0].startswith("bm.size: ")


def test_who_won_goes_by_points_unless_the_game_says_otherwise() -> None:
    assert [Score(2, 1).outcome, Score(1, 2).outcome, Score(1, 1).outcome] == ["a", "b", "draw"]
    assert Score(2, 1, "b").outcome == "b"
