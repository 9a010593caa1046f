"""A round and the standings as text for chats: what everybody reads, in pieces that fit into one message."""

from hypothesis import given
from hypothesis import strategies as st

from events.public.chat_text import PIECE, chat_pieces
from models.play import Absent
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

PAGE = "/e/iron-open"


def shown(visitor: Person, address: str) -> list[str]:
    return [tag.text for tag in visitor.open(f"{PAGE}{address}").soup.select("pre")]


def test_round_has_a_line_for_each_table_with_results_so_far(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Eve")
    stage.draw(event, 1)
    assert visitor.open(f"{PAGE}/rounds/1/text").status == 404, "a draft is nobody's to read"
    games = stage.publish(event, 1)
    first, second, *_ = [game for game in games if game.b_id]
    stage.decide(event, first, 5, 3)
    stage.no_show(event, second, Absent.B)
    (text,) = shown(visitor, "/rounds/1/text")
    title, *tables = text.splitlines()
    assert title.startswith("Iron Open · Round 1 of 3")
    a, b = stage.name(first.a_id), stage.name(first.b_id)
    assert f"{first.table_number}. {a} – {b}: 5 : 3, {a} won" in tables
    assert any(line.endswith(f"{stage.name(second.b_id)} did not come") for line in tables)
    assert any(line.startswith("Bye: ") for line in tables) and len(tables) == 3
    assert shown(visitor, "/standings/text") == ["Iron Open · Standings after round 1" + "".join(
        f"\n{row.rank}. {row.name}, {row.points} {'point' if row.points == 1 else 'points'}"
        for row in stage.standings(event)
    )]  # fmt: skip
    assert visitor.open(f"{PAGE}/rounds/1").soup.select(f"a[href='{PAGE}/rounds/1/text']")


@given(st.lists(st.text(max_size=PIECE + 50).map(lambda text: text.replace("\n", " ")), max_size=30))
def test_pieces_hold_all_lines_in_order_and_fit(lines: list[str]) -> None:
    found = chat_pieces(iter(lines))
    assert all(len(text) <= PIECE for text in found)
    short = [line if len(line) <= PIECE else f"{line[: PIECE - 1]}…" for line in lines]
    assert "\n".join(found) == "\n".join(short)
