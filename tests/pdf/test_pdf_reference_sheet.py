"""Reference sheets: what each game must say, by figures of its own rules, and on one page of any paper."""

from collections import Counter

from pdf.page import PageSize
from pdf.reference_sheet import SIZES, Reference, ReferencePart
from pdf.scoresheet import Each, scoresheets
from tests.kit.papers import page_texts
from tests.pdf.samples import EXTRACT, PRINTED_AT
from validators import SYSTEMS
from validators.contract import GameSystem
from validators.new_vegas.force import to_hit
from validators.skill_combat.attack import CRITICAL_APTITUDE, Shot, aim, outcome
from validators.skill_combat.edition import BODY

GAMES = list(SYSTEMS.values())
KINDS: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("A5", 1), ("Letter", 1), ("Letter", 2))
SAID = {
    "battle_mode": (
        "unengaged", "turn the marker face up", "More of the first symbol", "more of the second", "goes on",
        "Locked Safe Lock Pick", "Hidden Item Search", "Secure Console Computer", "Passing Wastelander Presence",
        "Trophy Wrack Melee", "Trick Shot Ranged",
    ),
    "fallout_skirmish": (
        "Short Medium Long Extreme 0–8″ 8–16″ 16–24″ 24–32″", "1, 12 Wound", "12, 1 Weapon lost", "12, 2 Jam",
        "Blast 3″ template, Nuka 5″", "Fire", "EMP", "Parry +1 Agility", "6–10 Endurance −1", "26+ Dies",
        "(Endurance + Strength) / 2, rounded up", "D12 + Perception against D12 + Agility",
    ),
    "fallout_warfare": ("Move and Fire", "Charge", "Overwatch", "Armor Class", "Poison", "Morale", "Within 10 points",
        "Sneak", "Doctor", "Repair", "Piloting", "threshold", "Running over"),
    "new_vegas": (
        "Advance", "Sprint", "Fire", "Rally", "Overwatch", "Ambush", "Take Cover", "Use Equipment",
        "Light, +1 6+ 5+", "Medium, +2 5+ 4+", "Heavy, +3 4+ 3+", "Area", "Linear", "Building", "Impassable",
        "level 1 to 6: each level deals 1D3",
        "Luck of a squad", "back to its markers",
    ),
    "skill_combat": ("5 + AG/2 + EN/2", "Base − extra", "100 − skill", "15 hexes", "3 + AG/2", "89 + Luck"),
}  # fmt: skip


def words_of(game: GameSystem) -> str:
    parts = game.papers.reference
    return " ".join(
        " ".join((one.title, *one.heads, *(cell for row in one.rows for cell in row), *one.lines)) for one in parts
    )


def table(game: GameSystem, title: str) -> dict[str, tuple[str, ...]]:
    (rows,) = [part.rows for part in game.papers.reference if part.title.startswith(title)]
    return {row[0]: row[1:] for row in rows}


def test_every_game_says_what_players_look_up_and_where_it_is_printed() -> None:
    for game in GAMES:
        for part in game.papers.reference:
            assert part.source and bool(part.rows) != bool(part.lines), (game.id, part.title)
            assert len({len(row) for row in (part.heads, *part.rows) if row}) < 2, (game.id, part.title)
        for said in SAID[game.id]:
            assert said in words_of(game), (game.id, said)


def test_figures_agree_with_those_that_the_games_calculate_by() -> None:
    snafu, fight, war, battle = (
        SYSTEMS[id_] for id_ in ("new_vegas", "skill_combat", "fallout_warfare", "battle_mode")
    )
    hit = next(part for part in snafu.papers.reference if part.title.startswith("To hit"))
    assert [to_hit(int(score))[:2] for score in hit.heads] == [*hit.rows[0][:-1], "1+"]
    edition = snafu.editions[0].lists
    markers = ", ".join(
        f"{one} {found.markers}" for one in ("Recon", "Regular", "Heavy") if (found := edition.classes.find(one))
    )
    assert f"{markers}." in words_of(snafu)
    assert "within 6″ and 4″" in words_of(snafu)
    assert (edition.file.detection.base, edition.file.detection.each) == (6, 4)
    aims = table(fight, "Aiming")
    for part in BODY:  # aiming at a part costs that of its region as well
        row = aims[part.region or part.name]
        penalty, damage = (f"{figure:+d}".replace("-", "−") if figure else "0" for figure in aim(part))
        penalty = penalty.replace("+", "−")
        if not part.region:
            assert row[:2] == (penalty, damage), part.name
        else:
            other = f" (damage {damage})" if damage != row[1] else ""
            assert f"{part.name.lower()} {penalty}{other}" in row[2].split(", "), part.name
    assert f"margin is at least {CRITICAL_APTITUDE}." in words_of(fight)
    assert outcome(Shot(chance=12, luck=7, base=3, extra=1, stat=9), 3).damage == 3 + 9, "a critical that hits by 9"
    assert [row for row in table(snafu, "Orders")["Rally"] if "Morale" in row], "one rule for a rally"
    assert "Darkness: each distance counts double" in words_of(war)
    scatter = table(war, "Area effect")
    for one in war.editions[0].lists.scatter:
        assert scatter[one.name] == (f"D10 − {one.distance[5]}″", one.area), one.name
    for ruler in battle.rulers:
        assert len(ruler.parts) > 1 or f"{ruler.name} {ruler.inches:g}″" in words_of(battle), ruler


def test_sheet_is_the_back_of_each_scoresheet_on_one_page_in_8_points_or_more() -> None:
    assert min(SIZES) == 8
    for game in GAMES:
        reference = Reference(game.name, tuple(ReferencePart(**vars(part)) for part in game.papers.reference))
        for size, each in KINDS:
            front, back = page_texts(scoresheets([EXTRACT], size, PRINTED_AT, each, reference))
            assert front == page_texts(scoresheets([EXTRACT], size, PRINTED_AT, each))[0], (game.id, size, each)
            missing = Counter((words_of(game) + " ").split() * each) - Counter(back.split())
            assert not missing, (game.id, size, each, missing)
