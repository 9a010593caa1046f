"""The campaign book and rosters as PDF: their contents, nothing that overlaps, and their permissions."""

import re
import zipfile
from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader

from events.seasons import campaign_actions as campaigns
from models.play import Player
from models.settings import ListsShown
from tests.kit.boxes import faults
from tests.kit.papers import page_texts, places
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.seasons.earning import Table, campaign_of, earning

__all__ = ["earning"]
pytestmark = pytest.mark.usefixtures("earning")
AT = "/e/iron-open/campaign"
LONG = "Maximiliane von Hohenlohe-Langenburg und zu Schillingsfürst1"


def words(document: bytes) -> str:
    """The text of a PDF that keeps strictly to the format and in which nothing overlaps."""
    assert list(faults(document)) == []
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(document), strict=True).pages)


def test_pack_of_a_campaigns_round_has_its_groups_and_its_book(stage: Stage, olga: Person) -> None:
    campaign_of(stage, stage.event(), "Ada", "Bo")
    said = words(olga.ask("GET", "/e/iron-open/desk/rounds/1/pack.pdf").data)
    assert all(part in said for part in ("Ada: Roster", "Bo: Roster", "Campaign book"))
    with zipfile.ZipFile(BytesIO(olga.ask("GET", "/e/iron-open/desk/rounds/1/pack.zip").data)) as pack:
        pages = {name.rpartition("/")[2]: pack.read(name).decode() for name in pack.namelist() if "/pages/" in name}
    assert 'href="campaign.html"' in pages["index.html"] and "campaign-groups-1.html" in pages["campaign.html"]
    assert 'href="season.html"' in pages["index.html"]


def test_campaign_book_has_every_part_and_nothing_overlaps(stage: Stage, visitor: Person) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    (game, *_) = campaign_of(stage, event, LONG, LONG[:-1] + "2", LONG[:-1] + "3")
    stage.decide(event, game, 3, 1)
    for player in stage.all(Player):
        if player.id in (game.a_id, game.b_id):
            stage.do(event, campaigns.begin_steps, player)
    parts = {"Campaign book", "Caps at the start", "Map", "Standings", "Battles", "3 : 1", "Fallen", "Nick"}
    parts |= {
        "Died in round 1",
        "The founding",
        "Won",
        "15 +5",
        "Learned: Level 15 (Piper",
        "Injuries: Piper",
        "Piper (Scarred)",
        "Held by",
        "1 Place 0",
        "Old Longfellow (Died",
    }
    for paper in ("a5", "letter"):
        got = visitor.ask("GET", f"{AT}/book.pdf?paper={paper}")
        said = " ".join(words(got.data).split())
        assert [part for part in parts if part not in said] == [], paper
    note = re.findall(r"Standings (.*?) Rank Group", said)
    assert [one.startswith("Ranked in this order: Points, VP") for one in note] == [True], "below the short heading"
    assert re.findall(r"Battles (.*?) Maxi", said) == ["Round 1 · Defend Your Stash"], "once for all its games"
    number = next(n for n, text in enumerate(page_texts(got.data)) if "Battles" in text)
    (((middle, _),), ((vp, _),)) = places(got.data, number, "beat", "3 : 1")
    assert middle > 0.3 * 612 and vp - middle > 0.3 * 612, "both groups of a battle have room"


def test_roster_prints_the_group_without_its_fallen(stage: Stage, visitor: Person) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    campaign_of(stage, event, LONG, "Bo")
    player = stage.one(Player, name=LONG)
    page = visitor.open(f"{AT}/groups/{player.id}")
    assert "Old Longfellow" in page.part("#members details") and "Piper" not in page.part("#members details")
    got = visitor.ask("GET", str(page.soup.select("a[href*='force.pdf']")[0]["href"]))
    said = " ".join(words(got.data).split())
    assert "Before the first game · rating 10 · 0–0–0" in said
    assert f"{LONG}: Roster" in said and f"{LONG}: Characters" in said, "each sheet says what it is"
    assert "Old Longfellow" not in said, "gone"
    assert "Carries; Notes Changes" in said, "there is space to note what changes"


def test_group_on_paper_says_whose_steps_are_missing(stage: Stage, visitor: Person) -> None:
    event = stage.event(ends_on=date(2027, 3, 1))
    (game, *_) = campaign_of(stage, event, "Ada", "Bo")
    player = stage.one(Player, name="Ada")
    asked = f"/e/iron-open/players/{player.id}/force.pdf"
    stage.decide(event, game, 3, 1)
    assert "As founded; the steps of round 1 are not begun" in words(visitor.ask("GET", asked).data)
    stage.do(event, campaigns.begin_steps, player)
    book = words(visitor.ask("GET", asked).data)
    assert "After round 1, its steps are open" in book
    assert not re.search(r"its steps are open · rating \d+ · \d", book), "no record that counts a game more"


def test_secret_group_is_in_no_card_or_book_for_visitors(stage: Stage, visitor: Person) -> None:
    event = stage.event(ends_on=date(2027, 3, 1), lists_shown=ListsShown.AFTER_EVENT)
    campaign_of(stage, event, "Ada", "Bo")
    player = stage.one(Player, name="Ada")
    assert visitor.ask("GET", f"/e/iron-open/players/{player.id}/force.pdf").status_code == 404
    pages = PdfReader(BytesIO(visitor.ask("GET", f"{AT}/book.pdf").data)).pages
    said = " ".join(page.extract_text() for page in pages)
    assert "secret" in said
    assert "Learned" not in said and "The founding" not in said


def test_members_are_counted_by_models_not_by_lines(stage: Stage, visitor: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    player = table.players["Ada"]
    units = [unit for unit in table.group("Ada").units if not unit.gone]
    models = sum(unit.alive for unit in units)
    assert models > len(units)
    tiles = visitor.open(f"{AT}/groups/{player.id}").soup.select("dl.tiles > div")
    assert [tile.dd.text for tile in tiles if tile.dt and tile.dd and tile.dt.text == "Members"] == [str(models)]
    book = " ".join(words(visitor.ask("GET", f"{AT}/book.pdf").data).split())
    listed = re.findall(r"Members (.*?) (?:Opponent|Game)", book)
    assert [sum(int(n or 1) for n in re.findall(r"(?:^|; )(?:(\d+) × )?", one)) for one in listed] == [models] * 2
    assert "squadleader;" in listed[0] and "(Squadleader)" not in book, "the rank is said once"
