"""Text that nobody types by accident: refused with words and nothing stored, or shown as it is and never run."""

import pytest
from flask import Flask
from sqlalchemy import inspect

from models.event import Event
from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage

REGISTER = "/e/iron-open/register"
UNPRINTABLE = {
    "NUL": "Ada\x00Lovelace",
    "escape": "\x1b[31mAda",
    "right-to-left override": "Ada \u202eeca\u202c",
}
TOO_LONG = {"10,000 letters": "x" * 10_000, "10,000 emoji": "🤖" * 10_000, "one over": "x" * 81}
UNSEEN = {
    "nothing": "",
    "spaces": "   \t ",
    "zero-width": "\u200b\u200d\u2060",
    "wide spaces": "\u3000\u00a0",
    "blanks that count as letters": "\u3164\u2800\uffa0",
    "one-way marks": "\u200f\u200e",
}
MARKUP = (
    "<script>alert(1)</script>",
    "{{1234*5678}}{% x %}${1234*5678}",
    '"><img src=x onerror=alert(1)>',
    "' OR 1=1; DROP TABLE player; --",
    "%s%n%(name)s{0}",
    "=HYPERLINK(1)",
    "\ufffdA\ufffd",
    "Zoë 李 🤖 שלום",
    "Z̸̢̛͖̼a̷͉l̶̡g̵o",
)


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
@pytest.mark.parametrize("name", [*UNPRINTABLE.values(), *TOO_LONG.values(), *UNSEEN.values()],
                         ids=[*UNPRINTABLE, *TOO_LONG, *UNSEEN])  # fmt: skip
@pytest.mark.both_databases
def test_a_name_that_cannot_be_printed_or_read_is_refused(
    visitor: Person, stage: Stage, event: Event, name: str, database_url: str
) -> None:
    visitor.open(REGISTER)
    before = stage.digest()
    page = visitor.press("Register", name=name, club="Reds")
    assert page.status == 422
    assert page.error_at("name"), "the reason stands at the field"
    assert page.errors, "and at the top"
    assert page.value("club") == "Reds"
    assert stage.digest() == before


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\t", "\x85", "\u2028", "\u2029", "\x1f", "\u3000"])
def test_whatever_breaks_a_line_becomes_a_space(visitor: Person, stage: Stage, event: Event, break_: str) -> None:
    visitor.open(REGISTER)
    visitor.press("Register", name=f"{break_}Ada{break_}{break_}Lovelace{break_}")
    assert stage.one(Player).name == "Ada Lovelace"


@pytest.mark.proves("attack 41")
@pytest.mark.parametrize("club", [UNPRINTABLE["NUL"], UNPRINTABLE["right-to-left override"], "x" * 10_000],
                         ids=["NUL", "override", "long"])  # fmt: skip
def test_the_same_holds_for_the_club(visitor: Person, stage: Stage, event: Event, club: str) -> None:
    visitor.open(REGISTER)
    before = stage.digest()
    page = visitor.press("Register", name="Ada", club=club)
    assert (page.status, bool(page.error_at("club")), page.value("name")) == (422, True, "Ada")
    assert stage.digest() == before


@pytest.mark.proves("attack 41")
@pytest.mark.parametrize("raw", [b"name=A%ED%A0%80da", b"name=A%FFda", b"name=A%C0%80da"])
def test_bytes_that_are_no_text_come_to_no_harm(visitor: Person, stage: Stage, event: Event, raw: bytes) -> None:
    """A browser never sends half a surrogate or broken UTF-8: read with stand-ins, and those can be printed."""
    token = str(visitor.open(REGISTER).value("csrf_token")).encode()
    answer = visitor.http.post(
        REGISTER, data=raw + b"&club=&faction=&csrf_token=" + token, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in (302, 422)
    for player in stage.all(Player):
        player.name.encode()
        assert "\x00" not in player.name
    assert visitor.open("/e/iron-open").status == 200


@pytest.mark.proves("attack 27", "attack 29", "ASVS 1.2.1", "ASVS 1.3.7")
@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_a_name_is_text_on_every_page(
    app: Flask, olga: Person, stage: Stage, event: Event, name: str
) -> None:
    player = Person(app)
    player.open(REGISTER)
    assert player.press("Register", name=name, club=name).path == "/e/iron-open/me/link"
    (row,) = stage.all(Player)
    olga.open("/e/iron-open/desk/players")
    olga.press("Check in")
    stage.enter(event, "Bo")
    (game,) = stage.publish(event, 1)
    shown = " ".join(name.split())
    desk = "/e/iron-open/desk"
    for address in ("/e/iron-open", "/e/iron-open/rounds/1", "/e/iron-open/rounds/1?order=name",
                    f"/e/iron-open/players/{row.id}", f"{desk}/players", f"{desk}/players/{row.id}",
                    f"{desk}/players/{row.id}/force", f"{desk}/lists", f"{desk}/rounds/1", f"{desk}/games/{game.id}",
                    f"{desk}/journal", desk, f"/g/{game.code}"):  # fmt: skip
        page = olga.open(address)
        assert page.status == 200, address
        assert shown in page.text, address
        assert "7006652" not in page.text.replace(shown, ""), f"{address} worked out a template"
        assert not page.soup.find("img"), address
        assert all(script.get("src") for script in page.soup.find_all("script")), address
    assert shown in player.open("/e/iron-open/me").text
    assert inspect(stage.s.connection()).has_table("player")


@pytest.mark.proves("attack 27", "attack 28", "ASVS 1.3.1")
def test_markup_in_an_event_is_text_too(olga: Person, visitor: Person, stage: Stage) -> None:
    olga.open("/desk/new")
    olga.press("Make the event", name=MARKUP[0], place=MARKUP[2], starts_on="2026-12-05")
    olga.press("Open registration")
    slug = stage.one(Event).slug
    olga.open(f"/e/{slug}/desk/settings")
    assert olga.press("Save", description="<b>bold</b>\n</p><script>x</script>\n{{7*7}}").flashes == "Saved."
    page = visitor.open(f"/e/{slug}")
    assert "<b>bold</b>" in page.text
    assert "{{7*7}}" in page.text
    assert MARKUP[0] in visitor.open("/").text
    for address in ("/", f"/e/{slug}"):
        soup = visitor.open(address).soup
        assert all(script.get("src") for script in soup.find_all("script"))
        assert not soup.find(["img", "b"])
