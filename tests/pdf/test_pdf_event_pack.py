"""The event pack read back at any length; reference sheets, by figures of each game's own rules, on one page."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Literal

import pytest
import zxingcpp
from pypdf import PdfReader

from pdf.badges import Badge, draw_badges
from pdf.cuts import Each
from pdf.packs import EventPack, draw_event_pack
from pdf.page import PageSize, Paper
from pdf.reference_sheet import SIZES, Reference
from pdf.scenario_page import PackScenario, TableSetup, draw_table_setups
from pdf.scoresheet import draw_scoresheets
from pdf.table_map import TableMap
from pdf.wall import draw_pairings_by_table
from tests.kit.papers import page_texts, picture, places
from tests.pdf.every_sheet import REFERENCE, a_scoresheet, some_pairings
from tests.pdf.samples import EXTRACT, PRINTED_AT, as_pdf, scoresheets
from validators import SYSTEMS
from validators.contract import Rule
from validators.game_system import GameSystem
from validators.measures import Measure
from validators.new_vegas.force import to_hit
from validators.scenario import Edge, Marker
from validators.sheet import ReferencePart
from validators.skill_combat.attack import CRITICAL_APTITUDE, Shot, aim, outcome
from validators.skill_combat.edition import BODY

PAPERS: tuple[PageSize, ...] = ("A4", "Letter")
ACROSS = (Measure(0, 12, 0, "12″ Black", ((0, 12, "#111111"),)), Measure(0, 18, 1, "18″ Black + Red"))

BRIDGE = PackScenario(
    name="Hold the Bridge", played="Round 2", summary="A river, and one way over it.",
    table_map=TableMap(36, 6, (Marker(18, 18, "Bridge"), Marker(12, 30, "Bank", "b")), ACROSS),
    setup=("Put the bridge in the middle.", "Roll for the edge.", "Place the models in turn."),
    parts=(("Scoring", ("Holding the bridge scores.", "Each marker completed scores.")),
           ("Questions for the organiser", ("More than 6 VP in a game round.",))),
    worth=(("Game round 1", "–", "–"), ("Game rounds 2 to 6", "0–3", "no limit"),
           ("Beasts", "any number", "any number")),
    readings=("Equal VP are a draw.",), source="Our club, 2026",
)  # fmt: skip
PACK = EventPack(
    event="Autumn Wasteland Open", game="Battle Mode", force="force", when="Saturday 5 December 2026",
    where="Town Hall",
    rows=(
        (("The day", (("09:00", "Check-in to 09:45"), ("10:00", "Round 1: Drawn with the round, 90 minutes"),
                     ("12:00", "Round 2: Hold the Bridge, 90 minutes"), ("Bring", "Your force and its list."))),
         ("About", (("", "Doors open at nine."), ("", ""), ("", "Bring dice.")))),
        (("Rules of this event", (("Force", "Up to 750 Caps from one faction."),)),),
    ),
    game_rules=(
        Rule("bm.size", "Size", "A force costs no more Caps than the event's size.", "Rulebook 1.0, Game Size"),
        Rule("bm.leader", "The Leader", "Exactly one model is the force's Leader.", "Rulebook 1.0, Equipping"),
    ),
    reference=Reference("Battle Mode", (ReferencePart("Dice", "4.1", ("Roll", "Is"), (("1", "a miss"),), ()),)),
    scenarios=(BRIDGE,),
    codes=(("Event page", "https://desk.example.org/e/autumn-wasteland-open"),
           ("Rules by id", "https://desk.example.org/rules/battle_mode")),
)  # fmt: skip


def in_order(text: str, *parts: str) -> bool:
    return re.search(".*".join(map(re.escape, parts)), text) is not None


def test_pack_has_everything_in_its_order() -> None:
    cover, scenario, reference, rules = page_texts(as_pdf(draw_event_pack, "A4", PACK))
    assert in_order(
        cover, "Event pack", "Autumn Wasteland Open", "Saturday 5 December 2026", "Town Hall",
        "The day", "09:00", "Check-in", "10:00", "Round 1", "Drawn with the round",
        "12:00", "Round 2", "Bring", "Your force and its list.",
    )  # fmt: skip
    assert "Event page" in cover and "Rules by id" in cover
    assert in_order(
        cover, "About", "Doors open at nine.", "Bring dice.", "Rules of this event", "Force",
        "Up to 750 Caps from one faction.", "Page 1 of 4",
    )  # fmt: skip
    assert in_order(
        rules, "Battle Mode: a legal force", "Size", "A force costs no more Caps",
        "Rulebook 1.0, Game Size", "The Leader", "Exactly one model", "Equipping", "Page 4 of 4",
    )  # fmt: skip
    assert in_order(reference, "Battle Mode, reference sheet", "Dice", "4.1", "Roll", "a miss", "Page 3 of 4")
    assert in_order(
        scenario, "Hold the Bridge", "Round 2", "A river, and one way over it.", "Edge B", "Edge A",
        "12″ Black", "18″ Black + Red", "Set-up", "1. Put the bridge in the middle.", "2. Roll for the edge.",
        "3. Place the models in turn.", "How we read it", "Equal VP are a draw.",
        "Scoring", "Holding the bridge scores.", "Each marker completed scores.", "Questions for the organiser",
        "More than 6 VP",
        "What can be scored", "Game round 1", "–", "Game rounds 2 to 6", "0–3", "no limit",
        "Beasts any number any number", "Our club, 2026", "Page 2 of 4",
    )  # fmt: skip


def test_qr_code_leads_to_the_event_and_is_clear_of_the_longest_name() -> None:
    for size, length in product(PAPERS, (20, 200)):
        url = "https://desk.example.org/e/".ljust(length, "x")
        long = replace(PACK, event="Ŵ" * 120, rows=((("Contact", (("Contact", "long " * 40),) * 6),),))
        pack = replace(long, codes=(("Event page", url), ("Rules", "https://desk.example.org/rules/x")))
        codes = zxingcpp.read_barcodes(picture(as_pdf(draw_event_pack, size, pack), 0, 2.5))
        assert sorted(code.text for code in codes) == sorted(address for _, address in pack.codes), (size, length)


def test_empty_parts_are_left_out() -> None:
    bare = replace(
        PACK, rows=((("About", (("", ""),)), ("Rules added by this event", ())),), game_rules=(), scenarios=()
    )
    own, _ = page_texts(as_pdf(draw_event_pack, "A4", bare))
    assert "Page 1 of 2" in own
    assert [heading for heading in ("added", "About", "Standings") if heading in own] == []


@pytest.mark.slow
def test_longest_texts_are_complete_and_inside_the_margins() -> None:
    banned = ", ".join(f"Thing{n:03} of a Very Long Name That Somebody Chose" for n in range(150))
    step = " ".join(["A step with much to say about it."] * 18)
    long = replace(
        BRIDGE, name="Bridge " * 8 + "END", setup=tuple(f"Setup{n:02}: {step}" for n in range(7)),
        parts=(("Scoring", tuple(f"Scoring{n:02}: {step}" for n in range(7))),),
        readings=tuple(f"Reading{n:02}: {step}" for n in range(7)),
        worth=tuple((f"Game round {n}", "0–3", "0–3") for n in range(1, 14)),
    )  # fmt: skip
    pack = replace(
        PACK, event="Wort" * 29 + " END", scenarios=(long,), rows=(
            (("The day", tuple((f"{n}:00", "Scenario " * 6) for n in range(1, 21))),
             ("About", tuple(("", "with_nbsp" * 60) for _ in range(8)))),
            (("Rules added by this event", (("Banned", f"Not to be taken: {banned}."),)),),
        ),
    )  # fmt: skip
    texts = page_texts(as_pdf(draw_event_pack, "Letter", pack))
    together = " ".join(texts)
    assert all(f"Thing{n:03}" in together for n in range(150))
    for what in ("Setup", "Scoring", "Reading"):
        places = [together.index(f"{what}{n:02}") for n in range(7)]
        assert places == sorted(places), what
    assert together.count("A step with much to say about it.") > 340, "the rest is parted by the foot of a page"
    assert "END" in texts[0], "the name is whole on the first page"


def test_map_is_to_scale() -> None:
    """The places of the markers' names, in points; an inch is as long across as up."""
    spots = (
        Marker(6, 24, "West", "b"), Marker(30, 24, "East"), Marker(18, 33, "North"), Marker(6, 9, "Z7", "a"),
        Marker(30, 12, "Z9"),
    )  # fmt: skip
    one = replace(BRIDGE, table_map=TableMap(36, 0, spots))
    document = as_pdf(draw_event_pack, "A4", replace(PACK, scenarios=(one,)))
    (west,), (east,), (north,), (low,), (lower,), thirty = places(
        document, 1, "West", "East", "North", "Z7", "Z9", "30"
    )
    inch = (east[0] - west[0]) / 24
    assert inch * 36 > 200, "the table is at least 7 cm wide"
    assert north[0] == pytest.approx((west[0] + east[0]) / 2, abs=1)
    assert north[1] - west[1] == pytest.approx(9 * inch, abs=1)
    assert (low[0], lower[0]) == pytest.approx((west[0], east[0]), abs=1), "what stands inside its marker"
    assert lower[1] - low[1] == pytest.approx(3 * inch, abs=1)
    assert min(abs(x - east[0]) for x, _ in thirty) < 1, "over the 30 of the inches along the edge"


def test_named_edges_are_at_their_sides_of_the_map() -> None:
    edges = (Edge("top", "North"), Edge("bottom", "South"), Edge("left", "West", 3), Edge("right", "East", 3))
    setup = TableSetup("Table 1: Road", "Round 2", TableMap(48, 0, (), edges=edges), (), 0, ("Begin.",))
    document = as_pdf(draw_table_setups, "A4", [setup])
    (north,), (south,), (west,), (east,) = places(document, 0, "North", "South", "West, 3″", "East, 3″")
    assert west[0] < north[0] < east[0] and south[1] < west[1] < north[1]
    assert (north[0], west[1]) == pytest.approx((south[0], east[1]), abs=2)


GAMES = list(SYSTEMS.values())
KINDS: tuple[tuple[PageSize, Each], ...] = (("A4", 1), ("A4", 2), ("A5", 1), ("Letter", 1), ("Letter", 2))
FIGURES_PRINTED = {
    "fallout_skirmish": (
        "Short Medium Long Extreme to 8″ to 16″ to 24″ to 32″", "1, 12 Wound", "12, 1 Weapon lost", "12, 2 Jam",
        "Blast 3″ template, Nuka 5″", "Parry +1 Agility", "6–10 Endurance −1", "26+ Dies",
        "(Endurance + Strength) / 2, rounded up", "D12 + Perception against D12 + Agility",
    ),
    "fallout_warfare": ("Within 10 points",),
    "new_vegas": ("Light cover 6+ 5+", "Medium cover 5+ 4+", "Heavy cover 4+ 3+", "level 1 to 6: each level deals 1d3"),
    "skill_combat": ("5 + AG/2 + EN/2", "Base − extra", "100 − skill", "15 hexes", "3 + AG/2", "89 + Luck"),
}  # fmt: skip


def words_of(parts: Sequence[ReferencePart]) -> str:
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
        for said in FIGURES_PRINTED.get(game.id, ()):
            assert said in words_of(game.papers.reference), (game.id, said)


def test_figures_agree_with_those_that_the_games_calculate_by() -> None:
    snafu, fight, war, battle = (
        SYSTEMS[id_] for id_ in ("new_vegas", "skill_combat", "fallout_warfare", "battle_mode")
    )
    hit = next(part for part in snafu.papers.reference if part.title.startswith("To hit"))
    assert [to_hit(int(score))[:2] for score in hit.heads] == [*hit.rows[0][:-1], "1+"]
    edition = snafu.editions[0].lists
    markers = ", ".join(
        f"{a_part} {found.markers}"
        for a_part in ("Recon", "Regular", "Heavy")
        if (found := edition.classes.find(a_part))
    )
    assert f"{markers}." in words_of(snafu.papers.reference)
    assert "within 6″ and 4″" in words_of(snafu.papers.reference)
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
    assert f"margin is at least {CRITICAL_APTITUDE}." in words_of(fight.papers.reference)
    assert outcome(Shot(chance=12, luck=7, base=3, extra=1, stat=9), 3).damage == 3 + 9, "a critical that hits by 9"
    assert [row for row in table(snafu, "Orders")["Rally"] if "Morale" in row], "one rule for a rally"
    assert "Darkness: each distance counts double" in words_of(war.papers.reference)
    scatter = table(war, "Area effect")
    for one in war.editions[0].lists.scatter:
        assert scatter[one.name] == (f"1d10 − {one.distance[5]}″", one.area), one.name
    for ruler in battle.rulers:
        assert len(ruler.parts) > 1 or f"{ruler.name} {ruler.inches:g}″" in words_of(battle.papers.reference), ruler


@pytest.mark.slow
@pytest.mark.parametrize("in_all", [False, pytest.param(True, marks=pytest.mark.long)], ids=["two kinds", "all kinds"])
def test_sheet_is_the_back_of_each_scoresheet_on_one_page_in_7_points_or_more(in_all: bool) -> None:
    def letters(text: str) -> Counter[str]:
        return Counter(re.sub(r"[\s-]", "", text))  # words may be broken

    assert min(SIZES) == 7
    alone = {kind: page_texts(scoresheets([EXTRACT] * kind[1], kind[0], PRINTED_AT, kind[1])) for kind in KINDS}
    for number, game in enumerate(GAMES):
        reference = Reference(game.name, game.papers.reference)
        for size, each in KINDS if in_all else (KINDS[0], KINDS[1 + number % 4]):
            document = scoresheets([EXTRACT] * each, size, PRINTED_AT, each, reference)
            front, back = page_texts(document)
            is_half = (size, each) not in (("A4", 1), ("Letter", 1))
            assert front == alone[size, each][0], (game.id, size, each)
            assert back.count("Back of round 2 · Table 7") == each, "a sheet that was turned says whose it is"
            left_out = [n for n, part in enumerate(reference.parts) if is_half and part.title not in back]
            shown = reference.parts[: min(left_out, default=None)]
            assert shown, "only the last parts are left out"
            missing = letters(words_of(shown) * each) - letters(back)
            assert not missing and "…" not in back, (game.id, size, each, missing)
            if (size, each) == ("A4", 1):
                lines = PdfReader(io.BytesIO(document)).pages[1].extract_text().splitlines()
                heads = [part.title for part in game.papers.reference if part.title]
                assert [head for head in heads if not any(head in line for line in lines)] == [], "each on one line"


def test_a_part_of_the_back_stays_whole_or_its_title_is_repeated() -> None:
    def back(rows: int) -> str:
        parts = tuple(
            ReferencePart(
                f"Part{n}", "Source", (), tuple((f"Row{place}", "Six words to be read here") for place in range(rows))
            )
            for n in range(4)
        )
        return page_texts(scoresheets([EXTRACT], "Letter", PRINTED_AT, 1, Reference("Game", parts)))[1]

    assert "continued" not in back(20), "each fits into a column"
    assert "Part1, continued" in back(44) and "Part0, continued" not in back(44)


def test_long_names_are_complete_on_setups_and_badges() -> None:
    name = " ".join(["Bartholomäus", "Wilhelmine", "Schwarzenberger", "Hohenzollern", "Wolf"])[:60]
    setup = TableSetup(name, f"Round 2 · {name} – {name}", BRIDGE.table_map, (), 0, ("Begin.",))
    badge = Badge(name, name, name, "https://desk.example.org/p/key")
    for size in (*PAPERS, "A5"):
        (page,) = page_texts(as_pdf(draw_table_setups, size, [setup]))
        (worn,) = page_texts(as_pdf(draw_badges, size, [badge]))
        assert page.count(name) >= 3 and worn.count(name) >= 3 and "…" not in worn, size
        assert "…" not in page.partition("Begin.")[0], "only the footer may be shortened"


def test_scoresheets_with_backs_begin_on_a_leaf_of_their_own_in_a_pack() -> None:
    halves: tuple[Literal[1, 2], ...] = (1, 2)
    for each, number in product(halves, (1, 2, 5)):
        sheets = [a_scoresheet(table, "Ada") for table in range(1, number + 1)]

        def draw(paper: Paper, before: int) -> None:
            for _ in range(before):
                draw_pairings_by_table(paper, some_pairings(["Ada"]))
            draw_scoresheets(paper, sheets, each, REFERENCE)  # noqa: B023 - drawn at once

        for before in (1, 2):
            pages = page_texts(as_pdf(draw, "A4", before))
            fronts = [place for place, text in enumerate(pages) if "A agrees" in text]
            assert fronts and {place % 2 for place in fronts} == {0}, (each, number)
            assert all("Back of round" in pages[place + 1] for place in fronts), (each, number)
