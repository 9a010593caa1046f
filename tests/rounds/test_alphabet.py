"""Lists of names for readers: one alphabet on pages and paper."""

from tests.kit.papers import texts
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Stage

NAMES = ("Zoe", "Öz Ürün", "Łukasz", "Lund", "oyelaran", "Ada")
SORTED = ["Ada", "Łukasz", "Lund", "oyelaran", "Öz Ürün", "Zoe"]


def test_every_list_of_names_has_one_alphabet(
    enter: Enter, stage: Stage, event: Event, olga: Person, visitor: Person
) -> None:
    enter(event, *NAMES)
    stage.publish(event, 1)
    round_page = visitor.open("/e/iron-open/rounds/1?order=name")
    journal = olga.open("/e/iron-open/desk/journal")
    (check_in,) = texts(olga.open("/e/iron-open/desk/check-in.pdf"))
    lists = {
        "by name": [row[0] for row in round_page.rows("table")],
        "desk": [row[0] for row in olga.open("/e/iron-open/desk/players").rows("table")],
        "journal": [tag.text for tag in journal.soup.select("select[name=player] option")],
        "check-in": sorted(NAMES, key=check_in.index),
    }
    for name, found in lists.items():
        told = [next(text for text in NAMES if text in said) for said in found if any(text in said for text in NAMES)]
        assert told == SORTED, name
