"""Readers of what strangers send work in proportion to its length."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest

from tests.kit.profiles import full_run
from tests.kit.strangers import READERS, SHAPES, Reader

SIZE, LONG = 500, 20_000
MOST = 2.5
"""How much more work twice the length may be."""
SEARCHES = ("count", "index", "remove", "insert")
"""Methods that go through their whole list or text in one step."""
SOON = 0.1
"""Processor seconds in which nothing is compared."""


def steps(read: Callable[[str], object], text: str) -> int:
    """Lines of Python, calls of functions in C, and what searches go through."""
    made = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal made
        made += 1
        return line

    def call(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal made
        if event == "c_call":
            made += 1
            if argument.__name__ in SEARCHES and isinstance(argument.__self__, list | tuple | str | bytes):
                made += len(argument.__self__)

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(line)
    sys.setprofile(call)
    try:
        with suppress(Exception):  # refusals of every reader; what they are is tested where they are read
            read(text)
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return made


def seconds(read: Callable[[str], object], text: str) -> float:
    """Of the processor, in which normal forms and expressions are read by C, without a step of Python."""
    began = time.process_time()
    with suppress(Exception):
        read(text)
    return time.process_time() - began


def slow_shapes(read: Reader) -> list[str]:
    slow = []
    for name, shape in SHAPES.items():
        some, twice = (steps(read, shape(size)) for size in (SIZE, 2 * SIZE))
        if twice > MOST * some:
            slow.append(f"{name}: {some} steps, then {twice}")
        before, after = (seconds(read, shape(size)) for size in (LONG, 2 * LONG))
        if after > max(MOST * before, SOON):
            slow.append(f"{name}: {before:.2f} s, then {after:.2f} s")
    return slow


@pytest.mark.proves("attack 92")
@pytest.mark.parametrize("name", full_run(READERS, READERS.keys() - {"force of battle_mode"}, READERS))
def test_twice_the_length_is_at_most_twice_the_work(name: str) -> None:
    assert slow_shapes(READERS[name]) == []
