"""Every sheet that the print room offers, for every game: no text overlaps, leaves its cell, or is too small."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random

import pypdfium2 as pdfium
import pytest

from events.results.disputes import bounds_of
from events.setup import pairing_actions
from events.store.roles import roles_answered
from events.store.verdicts import terms_of
from events.web.answers import PAPERS
from languages.catalogues import translated
from models.play import Game, ReportSide
from service.commands.demo import possible_answers
from tests.kit.boxes import faults
from tests.kit.person import Page, Person
from tests.kit.profiles import full_run
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Event, Stage
from tests.kit.team_events import enter_teams, team_event
from validators import SYSTEMS
from validators.scenario import Scenario

AWKWARD_NAMES = (
    "W" * 60, "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenfonds", "山田太郎一二三四五六七八九十" * 3,
    "محمد بن عبد الله الطويل 12", "יוסף כהן 3-1 5%", "สมชาย ใจดีผู้ยิ่งใหญ่แห่งแดนร้าง", "अर्जुन शर्मा क्षत्रिय",
    "김민수 박지훈 황무지의 방랑자", "Z̧̃ǫ̃é̂ Ł̣̂ę̂ĉ̣ḳ̂ậ", "🦊 Fox 🏳️‍🌈 ☠️ Bones", "A",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb c",
    "Yamada 山田 Taro 太郎 the Unbreakable Wanderer of the East", "Ada \u200fאדה (the second)", "12345 67890",
    "O’Brien-Featherstonehaugh’s “Rock ’n’ Roll”",
)  # fmt: skip
CLUB = "The Honourable Society of Wasteland Wargamers of Upper Silesia"
WAYS = ("each=1", "each=2&back=reference")
"""Of printing scoresheets; A5 has room for one."""
PDFS, PACK = 'a[href*=".pdf"]', "/pack.pdf"
"""All papers of a round in one are looked at one by one; of round 1 only the records."""


def _reported(stage: Stage, event: Event, game: Game, scenario: Scenario, dice: Random) -> None:
    bounds = bounds_of(stage.s, event, game, scenario)
    answers = possible_answers(event, scenario, dice, bounds, roles_answered(scenario, game))
    stage.report(event, game, ReportSide.ORGANISER, answers, version=game.version)


def _event(stage: Stage, system_id: str, names: Sequence[str]) -> Event:
    """Players with lists who have played round 1; in round 2 each table draws its scenario."""
    system = SYSTEMS[system_id]
    pool = [scenario.id for scenario in system.scenarios]
    name, rounds = "The Autumn Wasteland Open of the Honourable Society", min(3, len(pool))
    event = stage.event(name, game=system_id, rounds=rounds, scenario_pool=tuple(pool))
    stage.do(event, pairing_actions.set_room, scenario_per_table=True)
    terms = terms_of(event)
    for place, player in enumerate(stage.enter(event, *names, club=CLUB)):
        factions = terms.edition.factions
        stage.force(event, player, system.forces.sample(terms, factions[place % len(factions)], place))
    dice, known = Random(system_id), {scenario.id: scenario for scenario in system.scenarios}
    for game in stage.publish(event, 1):
        assert game.scenario is not None
        _reported(stage, event, game, known[game.scenario], dice)
    stage.publish(event, 2)
    return event


def _sheets(room: Page) -> list[str]:
    """The addresses of all sheets that the print room offers, each in all ways of printing it, without the paper."""
    found = []
    for address, asked in sorted({str(link["href"]).partition("?")[0::2] for link in room.soup.select(PDFS)}):
        older = "/rounds/1/" in address and not address.endswith("records.pdf")
        if older or ("/rounds/" in address and address.endswith(PACK)):
            continue
        kept = [text for text in asked.split("&") if not text.startswith(("paper=", "each=", "back="))]
        found += [f"{address}?{'&'.join([*kept, way])}" for way in (WAYS if "each=" in asked else ("",))]
    blank = room.soup.select_one("form.spare")
    assert blank is not None
    return [*found, *(f"{blank['action']}?count=1&scenario={name}&{way}" for name in ("round", "none") for way in WAYS)]


def _faults(olga: Person, event: Event, sizes: Iterator[Sequence[str]]) -> list[str]:
    found = []
    for sheet in _sheets(olga.open(f"/e/{event.slug}/desk/print")):
        for size in next(sizes):
            if size == "a5" and sheet.endswith(WAYS[1]):
                continue
            answer = olga.ask("GET", f"{sheet}&paper={size}")
            assert answer.mimetype == "application/pdf", sheet
            found += [f"{sheet} {size} {fault}" for fault in faults(answer.data)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("in_all", [False, pytest.param(True, marks=pytest.mark.long)], ids=["one size", "all sizes"])
@pytest.mark.parametrize("system_id", full_run(SYSTEMS, ["new_vegas"], SYSTEMS))
def test_every_sheet_of_a_game_fits(system_id: str, in_all: bool, olga: Person, stage: Stage) -> None:
    """Each sheet in one size and for a quarter of the names, others in the next game; with --long all in all."""
    first = list(SYSTEMS).index(system_id)
    event = _event(stage, system_id, AWKWARD_NAMES if in_all else AWKWARD_NAMES[first % 4 :: 4])
    sizes = cycle([tuple(PAPERS)] if in_all else [(paper,) for paper in (*PAPERS, *PAPERS)[first % 3 : first % 3 + 3]])
    assert _faults(olga, event, sizes) == []


@pytest.mark.slow
@pytest.mark.parametrize("code", [CODE, *(pytest.param(text, marks=pytest.mark.long) for text in translated())])
@pytest.mark.parametrize("system_id", full_run(SYSTEMS, (), SYSTEMS))
def test_every_sheet_of_a_game_fits_in_other_languages(
    system_id: str, code: str, olga: Person, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one size, of a pretend language whose texts are 40 % longer; with --long in all sizes of all languages."""
    offer_pseudo(monkeypatch)
    event = _event(stage, system_id, ("Zoë Łęcka", "Юлия Кузнецова", "山田太郎", "Ωμέγα"))
    stage.set(event, language=code)
    first = list(SYSTEMS).index(system_id) % 3
    sizes = [(paper,) for paper in (*PAPERS, *PAPERS)[first : first + 3]] if code == CODE else [tuple(PAPERS)]
    assert _faults(olga, event, cycle(sizes)) == []


def test_cards_of_skill_combat_break_no_figure_and_no_distance(olga: Person, stage: Stage) -> None:
    event = stage.event("Duel", game="skill_combat")
    terms = terms_of(event)
    for place, player in enumerate(stage.enter(event, "Ines", "Bo", "Lotte", "Ada")):
        stage.force(event, player, SYSTEMS["skill_combat"].forces.sample(terms, terms.edition.factions[place], place))
    for copy in ("judge", "player"):
        document = pdfium.PdfDocument(olga.open(f"/e/{event.slug}/desk/forces.pdf?copy={copy}").response.data)
        lines = [line for page in document for line in page.get_textpage().get_text_bounded().splitlines()]
        document.close()
        assert not {"Class", "Pistol", "hexes", "10 hexes"} & {line.strip() for line in lines}


@pytest.mark.slow
def test_team_sheets_fit(olga: Person, stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *AWKWARD_NAMES[:6])
    for size in PAPERS:
        assert list(faults(olga.ask("GET", f"/e/{event.slug}/desk/teams.pdf?paper={size}").data)) == [], size
