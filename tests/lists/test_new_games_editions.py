"""An armoury of the club's own for the SNAFU game and skill combat: previewed, stored, read by everybody."""

import json

import pytest

from models.edition import OwnEdition
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.validators.test_new_games_editions import document_of


@pytest.mark.parametrize(
    ("game", "slug", "shipped"), [("new_vegas", "new-vegas", "snafu"), ("skill_combat", "skill-combat", "as-printed")]
)
def test_armoury_with_another_weapon_is_stored_and_compared(
    olga: Person, visitor: Person, stage: Stage, game: str, slug: str, shipped: str
) -> None:
    rules = f"/rules/{slug}"
    assert visitor.open(rules).soup.select(f'a[href="{rules}/editions/{shipped}"]')
    page = visitor.open(f"{rules}/editions/{shipped}")
    assert page.status == 200 and "Minigun" in page.text
    document = document_of(game)
    olga.open(f"/desk/editions/{slug}/new")
    bad = json.dumps(document | {"weapons": 7}, indent=1).encode()
    page = olga.press("Read the files", files=("club.json", bad))
    assert page.status == 422 and "weapons: is not a list" in page.part("#faults")
    olga.open(f"/desk/editions/{slug}/new")
    page = olga.press("Read the files", files=("club.json", json.dumps(document).encode()))
    assert page.status == 200, page.text
    assert [row[1:3] for row in page.rows("#look table.changes")] == [["Gauss Rifle", "added"]]
    page = olga.press("Store this edition")
    assert (page.status, page.path) == (200, f"{rules}/editions/club")
    assert stage.one(OwnEdition).system == game
    page = visitor.open(f"{rules}/editions/club?against={shipped}")
    assert "Gauss Rifle" in page.part("#list-1")
    assert page.rows("#difference table.changes")[0][1:3] == ["Gauss Rifle", "added"]
    assert "Gauss Rifle" in visitor.http.get(f"{rules}/editions/club/file.json").get_data(as_text=True)
