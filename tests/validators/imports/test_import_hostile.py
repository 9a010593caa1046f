"""Hostile files: each is refused with a reason and little memory, no file is written and no address is called."""

import json
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from tests.kit.statements import RUN_AWAY, most_memory
from tests.validators.imports.rosters import LAUGHS, SAMPLE, SETTLER, read, ros, rosz, selection, zipped
from validators.contract import UnreadableForce

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
MOST_MEMORY = 64 * 2**20
OPENED = '<selection name="Piper" type="model"><selections>'
XML = b'<?xml version="1.0" encoding="UTF-8"?>'


def patched(data: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    """An archive with some bytes of its first header of this kind changed."""
    at = data.index(signature) + offset
    return data[:at] + value + data[at + len(value) :]


def in_both_headers(offset: int, value: bytes) -> bytes:
    """The sample with some bytes changed in its first header, and in the second, where they stand two further on."""
    return patched(patched(rosz(SAMPLE), b"PK\x03\x04", offset, value), b"PK\x01\x02", offset + 2, value)


def lying_size(size: int) -> bytes:
    return in_both_headers(22, struct.pack("<I", size))


@cache
def bomb() -> bytes:
    return zipped(("list.ros", b"\0" * 200_000_000))


def symlink() -> bytes:
    return patched(rosz(b"/etc/passwd"), b"PK\x01\x02", 38, struct.pack("<I", 0o120777 << 16))


def of_game(game: object, place: str, key: str = "gameSystemName") -> bytes:
    """New Recruit's JSON of another game, which is named in the roster or next to it."""
    models = [{"name": "Piper", "type": "model"}]
    roster: dict[str, object] = {"costs": [{"name": "Caps", "value": 76}], "forces": [{"selections": models}]}
    file = {"roster": roster | {key: game}} if place == "roster" else {"roster": roster, key: game}
    return json.dumps(file).encode()


def nested_json(depth: int) -> bytes:
    opened = '{"name": "Piper", "selections": [' * depth
    return f'{{"roster": {{"forces": [{{"selections": [{opened}{"]}" * depth}]}}]}}}}'.encode()


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "billion laughs": (lambda: XML + f'<!DOCTYPE roster [<!ENTITY l0 "ha">{LAUGHS}]><roster name="&l9;"/>'.encode(),
                       "document type"),
    "external entity": (lambda: XML + b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>',
                        "document type"),
    "100,000 other tags deep": (lambda: b"<roster>" + b"<a>" * 100_000, "nested too deeply"),
    "100,000 deep in JSON": (lambda: nested_json(50_000), "nested too deeply"),
    "150,000 attributes": (lambda: b"<roster " + b" ".join(b'a%d=""' % n for n in range(150_000)) + b"/>",
                           "a single tag of more than"),
    "480,000 tags": (lambda: b"<roster>" + b"<a/>" * 480_000 + b"</roster>", "more than 120000 tags"),
    "3,001 selections": (lambda: ros(*["<selection name='x'/>"] * 3_001), "more than 3000 selections"),
    "Latin-1 that says UTF-8": (lambda: SAMPLE.replace(b"Piper", b"Pip\xe9r"), "save it as UTF-8"),
    "cut in the middle": (lambda: SAMPLE[:1500], "not well-formed XML"),
    "NUL": (lambda: SAMPLE.replace(b"Piper", b"Pi\0per"), "not UTF-8 text (byte"),
    "a drawing": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
                  "outermost tag is <svg>, not <roster>"),
    "a catalogue": (lambda: XML + b'<catalogue id="1" name="Wardens"/>', "a catalogue of a game"),
    "another game": (lambda: ros(SETTLER, game="Warhammer 40,000"), "a roster of Warhammer 40,000"),
    "another game in JSON": (lambda: of_game("Kill Team", "roster"), "a roster of Kill Team, not of"),
    "another game by a field's other name": (lambda: of_game("Kill Team", "file", "game_system"), "of Kill Team, not"),
    "another game that is an object": (lambda: of_game({"id": "7", "name": "Kill Team"}, "file", "gameSystem"),
                                       "of Kill Team, not"),
    "points, and no game": (lambda: json.dumps({"roster": {"costs": [{"name": "pts", "value": 90}], "forces": [
        {"selections": [{"name": "Warboss", "costs": [{"name": "pts", "value": 90}]}]}]}}).encode(),
        "its costs are in pts, not in Caps; this is a list of another game"),
    "an empty file": (lambda: b"", "the file: it is empty"),
    "JSON of another program": (lambda: b'{"armyName": "Orks", "units": []}',
                                "JSON of another program (with the fields armyName, units), not a force"),
    "an edition file": (lambda: b'{"system": "battle_mode", "factions": []}', "an edition file of this service, not"),
    "a scenario file": (lambda: b'{"system": "battle_mode", "setup": [], "scoring": []}', "a scenario file of this"),
    "an archive of an event": (lambda: b'{"format": "overseer-event/1", "tables": {}}', "the archive of an event"),
    "another of our games": (lambda: b'{"system": "fallout_skirmish", "models": []}', "but “fallout_skirmish”"),
    "another game as text": (lambda: b"++ Patrol (Imperium - Orks) [450 pts] ++\n\n+ HQ +\n\nWarboss [90 pts]: Klaw\n",
                             "no model in it is known"),
    "a number of 5,000 digits": (lambda: SAMPLE.replace(b"450", b"4" * 5000), "is not a whole number"),
    "1e999": (lambda: b'{"roster": {"costs": [{"name": "Caps", "value": 1e999}], "forces": [{}]}}',
              "is not a whole number"),
    "NaN": (lambda: b'{"roster": {"costs": [{"name": "Caps", "value": NaN}]}}', "NaN is not a JSON number"),
    "100 of one thing": (lambda: ros(selection("Settler", 4000, number=100, kind="model")), "is 100, at most 99"),
    "600 models": (lambda: ros(*[selection("Settler", 2400, number=60, kind="model")] * 10), "more than 200 models"),
    "201 parts of a model": (lambda: ros(selection("Settler", 40, *[selection("Jet", 1)] * 201, kind="model")),
                             "more than 200 selections"),
    "a name of 81 letters": (lambda: ros(selection("x" * 81, 40, kind="model")), "longer than 80"),
    "an escape in a name": (lambda: b'{"roster": {"forces": [{"selections": [{"name": "a\\u001b[31m"}]}]}}',
                            "that cannot be printed"),
    "half a character": (lambda: b'{"roster": {"forces": [{"selections": [{"name": "\\ud800"}]}]}}',
                         "that cannot be printed"),
    "a list for text": (lambda: b'{"roster": {"forces": [{"selections": [{"name": ["Piper"]}]}]}}', "is not text"),
    "text for a list": (lambda: b'{"roster": {"forces": "many"}}', "is not a list"),
    "no force": (lambda: b'{"roster": {}}', "is empty"), "no object": (lambda: b'{"roster": [1]}', "is not an object"),
    "200 MB in 195 KB": (bomb, "unpacks to more than 2000000 bytes"),
    "200 MB that say 100 bytes": (lambda: patched(bomb(), b"PK\x01\x02", 24, struct.pack("<I", 100)), "the archive: "),
    "says 4 GB": (lambda: lying_size(2**32 - 2), "unpacks to more than"),
    "says 10 bytes": (lambda: lying_size(10), "damaged"),
    "20,000 entries": (lambda: zipped(*[(f"{n}", b"") for n in range(20_000)]), "more than 20 files"),
    "an archive that calls itself a roster": (lambda: zipped(("list.ros", rosz(SAMPLE))), "the file: "),
    "two rosters": (lambda: zipped(("a.ros", SAMPLE), ("b.ros", SAMPLE)), "holds 2 rosters"),
    "encrypted": (lambda: in_both_headers(6, struct.pack("<H", 1)), "encrypted"),
    "packed by LZMA": (lambda: zipped(("a.ros", SAMPLE), method=zipfile.ZIP_LZMA), "an unknown method"),
    "a path from the top": (lambda: rosz(SAMPLE, "/etc/x.ros"), "leads out of the archive"),
    "a path with a drive": (lambda: rosz(SAMPLE, "C:\\x.ros"), "leads out of the archive"),
    "minus one of it": (lambda: ros(selection("Settler", 40, number=-1, kind="model")), "is −1, at least 0"),
    "an empty roster in an archive": (lambda: rosz(b""), "it is empty"),
    "spaces that make patterns slow": (lambda: b"List Total: 1 caps\n" + b" " * 3_900 + b"x", "model in it"),
    "30 selections deep": (lambda: ros(OPENED * 30 + "</selections></selection>" * 30), "nested too deeply"),
    "a path upwards": (lambda: rosz(SAMPLE, "../../x.ros"), "leads out of the archive"),
    "a link": (symlink, "leads out of the archive"),
    "a cut archive": (lambda: rosz(SAMPLE)[:-30], "damaged"),
    "a changed byte": (lambda: patched(rosz(SAMPLE), b"PK\x03\x04", 60, b"\xff\xff\xff"), "damaged"),
    "3,001 lines": (lambda: b"++ A (Survivors) [0 Caps] ++\n" + b"Piper [76 Caps]\n" * 3_001, "lines, at most 3000"),
    "a line that makes patterns slow": (lambda: b"++ A ++\n" + b"[" * 3_000 + b" 1" * 400, "model in it"),
    "900,000 spaces in UTF-16": (lambda: (" " * 900_000).encode("utf-16"), "it is empty"),
    "spaces within names": (lambda: b"++ A ++\n" + (b"Warboss" + b" " * 3_900 + b"x\n") * 50,
                            "no model in it is known"),
    "a part of nothing": (lambda: b"++ A (Survivors) [0 Caps] ++\n. . . Jet\n", "no model in it"),
    "300 KB of text": (lambda: b"hello " * 50_000, "at most 200000"),
    "an address of numbers": (lambda: b"https://example.org/?f=srv;n=A;{!id!:10};", "named by a number"),
    "a cut address": (lambda: b"https://example.org/?f=srv;n=A;{!name!:!Pip", "cut off"),
    "an address of nothing": (lambda: b"https://example.org/?f=srv;n=A;", "no model stands in it"),
    "a long address": (lambda: b"https://example.org/?f=srv;" + b"{};" * 20_000, "longer than 20000"),
}  # fmt: skip


def refused(data: bytes) -> str:
    with pytest.raises(UnreadableForce) as refusal:
        pytest.fail(str(read(data)))
    return str(refusal.value)


@pytest.mark.proves(
    "attack 36", "attack 37", "attack 40", "F24", "ASVS 1.5.1", "ASVS 5.2.2", "ASVS 5.2.3", "ASVS 5.3.2"
)
def test_hostile_files_are_refused_and_take_little_memory() -> None:
    for name, (make, words) in HOSTILE.items():
        data, started = make(), time.process_time()
        refusal = refused(data)
        assert time.process_time() - started < RUN_AWAY, name
        assert words in refusal and len(refusal) < 400, name
    for name in (
        "150,000 attributes", "200 MB that say 100 bytes", "20,000 entries", "480,000 tags", "100,000 deep in JSON",
    ):  # fmt: skip
        assert most_memory(partial(refused, HOSTILE[name][0]())) < MOST_MEMORY, name


@pytest.mark.proves("attack 36", "attack 37", "attack 49", "ASVS 1.5.1", "ASVS 5.3.2")
def test_no_file_is_written_and_no_address_is_called() -> None:
    """Read the hostile files of usual size under an audit hook that notes files opened for writing, and sockets."""
    script = """
import json, sys
from tests.validators.imports.rosters import SAMPLE, read, rosz
from tests.validators.imports.test_import_hostile import HOSTILE
from validators.contract import UnreadableForce
files = [make() for name, (make, _) in HOSTILE.items() if name[0] not in "123456789"] + [SAMPLE, rosz(SAMPLE)]
seen = []
def hook(event, arguments):
    if event.startswith("socket.") or (event == "open" and arguments[1] != "r" and arguments[2] & 3):
        seen.append(event)
    if event in ("os.mkdir", "subprocess.Popen", "tempfile.mkstemp", "tempfile.mkdtemp"):
        seen.append(event)
sys.addaudithook(hook)
for data in files:
    try:
        read(data)
    except UnreadableForce:
        pass
print(json.dumps(seen))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True, text=True)
    assert json.loads(done.stdout) == []


def test_largest_force_is_read() -> None:
    """Each bound is nearly reached, each part is unknown, and each model's cost is wrong."""
    things = [[selection(f"Thing {n}-{k}", 1) for k in range(30)] for n in range(90)]
    settlers = [selection("Settler", 7, *held, number=2, kind="model") for held in things]
    imported = read(ros(*settlers, total=1))
    assert (len(imported.document["models"]), len(imported.lines)) == (180, 90 * 31)
    assert imported.open > 90 * 30
