"""R9, F21: a page of the database's file is damaged; no page of ours that says otherwise is served in silence.

The file is that of an event in the middle of its day. Each image has one damaged page: noise, nothing but zeros, a few
other bytes, one other bit, or another letter in a name. A server that starts with it looks first, as every start does,
and then everybody asks for their pages. Each answer must be the one that the sound file gives, or say that something is
wrong.
"""

import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from flask import Flask
from sqlalchemy.exc import DBAPIError

from app import WrongSchema, put_over
from events import keeping
from events.settings import Settings
from events.trouble import trouble_in
from models.copies import fold_log
from models.db import open_engine
from tests.chaos.acts import LONG_AGO, Scene, prepared
from tests.chaos.broken import build
from tests.chaos.hall import Browser, browser_of
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock

IMAGES: dict[Size, int] = {"short": 20, "full": 1000}
PAGE = 4096
SAYS_SO = "not stored as it was written"
"""What stands on every page of an event of which the look found a row that nobody wrote."""
ONCE = re.compile(r"(csrf_token\"[^>]* value=\"|name=\"key\"[^>]* value=\"|csrf-token\" content=\")[^\"]*")
"""What is another one on each page, and says nothing of the event."""
NO_START = 599
"""Stands for the answer of a server that refuses to start."""
READ = b"Player [0-9]|Late Larry|Olga|Iron Open|Hall [0-9]|Published|Confirmed"
"""What pages say, of people above all: every other image has the damage in a page of the file that holds some of it."""
Asked = Sequence[tuple[Browser, str]]


def run(size: Size, broken: str | None, *, pages: Flask, fresh: Callable[[], str], data: Path, seed: int) -> Outcome:
    """Damage so many images, a page each; a broken build until something is found."""
    outcome, dice = Outcome(), random.Random(seed)
    url = fresh()
    asked = _asked(prepared(url, "confirmed"))
    sound = Path(url.removeprefix("sqlite:///"))
    fold_log(sound)
    answers = _answers(pages, url, asked, data / "sound")
    assert {status for status, _ in answers} == {200}, [status for status, _ in answers]
    image = data / "image.sqlite3"
    for number in range(IMAGES[size]):
        for tail in ("-wal", "-shm"):
            image.with_name(f"{image.name}{tail}").unlink(missing_ok=True)
        shutil.copyfile(sound, image)
        how = list(WAYS)[number % len(WAYS)]
        where = f"image {number}, {how}: {_damaged(image, WAYS[how], dice, named=number % 2 == 0)}"
        outcome.counts["images"] += 1
        wrong = _served(pages, image, asked, answers, data / "of image", broken, outcome)
        outcome.wrong += [f"{where}: {one}" for one in wrong]
        if broken is not None and outcome.wrong:
            break
    return outcome


def _asked(scene: Scene) -> Asked:
    """Who asks for what: a stranger, a player, the organiser."""
    at, stranger = f"/e/{scene.slug}", browser_of({})
    return [
        *((stranger, path) for path in ("/", at, f"{at}/rounds/1", f"{at}/standings", f"{at}/lists")),
        (scene.a, f"{at}/me"),
        *((scene.olga, path) for path in ("/desk", f"{at}/desk", f"{at}/desk/players", f"{at}/desk/rounds/1",
                                          f"{at}/desk/games/{scene.ids['game']}", f"{at}/desk/journal",
                                          f"{at}/desk/staff", f"{at}/desk/ways-back")),
    ]  # fmt: skip


def _noise(page: bytearray, dice: random.Random) -> None:
    page[:] = dice.randbytes(len(page))


def _zeros(page: bytearray, dice: random.Random) -> None:
    page[:] = bytes(len(page))


def _few(page: bytearray, dice: random.Random) -> None:
    begin = dice.randrange(len(page) - 16)
    page[begin : begin + 16] = dice.randbytes(16)


def _bit(page: bytearray, dice: random.Random) -> None:
    page[dice.randrange(len(page))] ^= 1 << dice.randrange(8)


def _letter(page: bytearray, dice: random.Random) -> None:
    names = [found.start() for found in re.finditer(READ, page)]
    page[dice.choice(names or range(len(page)))] = dice.choice(b"abcdefghijklmno")


WAYS: Mapping[str, Callable[[bytearray, random.Random], None]] = {
    "noise": _noise, "zeros": _zeros, "a few bytes": _few, "a bit": _bit,
    "a letter": _letter,
}  # fmt: skip


def _damaged(image: Path, way: Callable[[bytearray, random.Random], None], dice: random.Random, *, named: bool) -> str:
    """Damage one page of the file, or one of those that name somebody; which one, in words."""
    held = image.read_bytes()
    parts = [bytearray(held[begin : begin + PAGE]) for begin in range(0, len(held), PAGE)]
    number = dice.choice([n for n, page in enumerate(parts) if not named or re.search(READ, page)])
    way(parts[number], dice)
    image.write_bytes(b"".join(parts))
    return f"page {number + 1} of {len(parts)}"


def _answers(pages: Flask, url: str, asked: Asked, data: Path) -> list[tuple[int, str]]:
    """What everybody is answered by a server over this database."""
    data.mkdir(exist_ok=True)
    engine = open_engine(url)
    try:
        try:
            put_over(pages, Settings(data, url, SECRET, "127.0.0.1", 8000), engine, Clock(LONG_AGO))
        except (DBAPIError, ValueError, WrongSchema):
            return [(NO_START, "")] * len(asked)
        told = []
        for browser, path in asked:
            client = pages.test_client()
            client.set_cookie("overseer", browser.cookie)
            answer = client.get(
                path, follow_redirects=True
            )  # whose account is damaged is led to the sign-in, which says so
            told.append((answer.status_code, ONCE.sub(r"\1", answer.text)))
        return told
    finally:
        engine.dispose()


def _served(
    pages: Flask, image: Path, asked: Asked, sound: Sequence[tuple[int, str]], data: Path, broken: str | None,
    outcome: Outcome,
) -> list[str]:  # fmt: skip
    """Start over the image, and tell what is served in silence and is not what the sound file says."""
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    url = f"sqlite:///{image}"
    engine = open_engine(url)
    with build(broken):
        keeping.look(engine, data, LONG_AGO)
    engine.dispose()
    known = trouble_in(data)
    outcome.counts["found, and nothing served" if known and known.closed else
                   "found, and told on the event's pages" if known else "not found"] += 1  # fmt: skip
    wrong = []
    for (_, path), was, now in zip(asked, sound, _answers(pages, url, asked, data), strict=True):
        if now == was:
            outcome.counts["pages as they were"] += 1
        elif now[0] >= 500 or SAYS_SO in now[1]:
            outcome.counts["pages that say so"] += 1
        else:
            wrong.append(f"{path} is answered {now[0]} and says something else, in silence")
    return wrong
