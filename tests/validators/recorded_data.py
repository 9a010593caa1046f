"""What second, independent implementations of the games' rules agreed to, before records took their place.

They stand in the history: commit b882240b2, tests/validators/simple_*.py and skirmish_second_*.py.
"""

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"


@cache
def recorded(name: str) -> Any:
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


def names_of(start: str) -> list[str]:
    return sorted(path.name.removesuffix(".json.xz") for path in FOLDER.glob(f"{start}*"))
