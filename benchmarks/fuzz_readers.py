"""Coverage-guided fuzzing of every reader of untrusted bytes or text, for a number of inputs or of seconds.

    pip install atheris && python benchmarks/fuzz_readers.py TARGET [RUNS] [SECONDS] [SEED]

Stops and saves the input if a reader raises anything but its documented error, or takes more than a second. With
``--control`` each documented error is replaced by a ZeroDivisionError, so the run must stop. The test suite has
bounded, random versions. Results are in docs/assurance/evidence/fuzz.txt.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import atheris

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
with atheris.instrument_imports(include=["validators", "events", "xml.etree", "zipfile", "defusedxml"]):
    from events.accounts.queries import player_id_in
    from events.messages.text import filled, filled_line, unknown
    from events.play.errors import Refused
    from events.setup.archive_file import UnreadableArchive, read_archive
    from events.tournament.pairing.certificate import read_pairings, to_document
    from events.tournament.pairing.files import Unreadable, read_request
    from events.web.parsing import (
        code_typed,
        forbidden_character,
        name_key,
        numbers_in,
        read_address,
        search_key,
        slug_of,
        table_typed,
        tidy,
        visible,
    )
    from validators import SYSTEMS
    from validators.contract import Terms, UnreadableEdition, UnreadableForce
    from validators.scenario import UnreadableScenario

Seeds = list[bytes]
MOST_SECONDS = 1.0
"""The most seconds for one input."""
GAMES = tuple(SYSTEMS.values())


def force(data: bytes) -> None:
    """A force file; the first byte chooses the game. A document that was read must be read again as itself."""
    system = GAMES[data[0] % len(GAMES)] if data else GAMES[0]
    edition = system.editions[0]
    try:
        imported = system.forces.files.import_("fuzzed", data[1:], edition)
    except UnreadableForce:
        return
    assert system.forces.read(imported.document, edition) == imported.document


def force_used(data: bytes) -> None:
    """The verdict, the builder's page and every export of a force that was read.

    Separate from ``force``, because these take milliseconds and would slow the reader down.
    """
    system = GAMES[data[0] % len(GAMES)] if data else GAMES[0]
    edition = system.editions[0]
    try:
        document = system.forces.files.import_("fuzzed", data[1:], edition).document
    except UnreadableForce:
        return
    terms = Terms(edition, system.default_size)
    system.checks.check(document, terms)
    system.forces.builder(document, terms, {})
    for known in system.forces.files.formats:
        system.forces.files.export(document, edition, known.id)


def edition(data: bytes) -> None:
    """An edition file; the first byte chooses the game. An edition that was read must be written and read as itself."""
    files = GAMES[data[0] % len(GAMES)].edition_files if data else None
    if files is None:
        return
    try:
        info = files.read(data[1:])
    except UnreadableEdition:
        return
    assert files.read(files.write(info)) == info


def scenario(data: bytes) -> None:
    """A scenario file; the first byte chooses the game. A scenario that was read must be read again as itself."""
    files = GAMES[data[0] % len(GAMES)].scenario_files if data else None
    if files is None:
        return
    try:
        found = files.import_(data[1:])
    except UnreadableScenario:
        return
    assert files.read(json.loads(json.dumps(found.document))) == found


def archive(data: bytes) -> None:
    """An event's archive."""
    try:
        read_archive(data)
    except UnreadableArchive:
        return


def pairings(data: bytes) -> None:
    """A file of pairings, or a request for a draw."""
    with suppress(Unreadable):
        read_request(data)
    try:
        file = read_pairings(data)
    except Unreadable:
        return
    assert read_pairings(json.dumps(to_document(file)).encode()) == file


def words(data: bytes) -> None:
    """Parsers of typed fields, and of the tokens in private links."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace") if data[:1] >= b"\x80" else ""
    forbidden_character(text, lines=True)
    key = name_key(tidy(text))
    assert len(key) <= 160
    search_key(text)
    visible(text)
    slug_of(text)
    table_typed(text)
    code_typed(text)
    unknown(text)
    assert "\n" not in filled_line(text, {"name": "x"})
    filled(text, {"name": text})
    player_id_in(text)
    for reader, refusal in ((read_address, Refused), (numbers_in, ValueError)):
        try:
            reader(text)
        except refusal:
            continue


def form(data: bytes) -> None:
    """A builder's form, as lines of field=value, for a sample force; the first byte chooses the game."""
    system = GAMES[data[0] % len(GAMES)] if data else GAMES[0]
    pieces = data[1:].decode("utf-8", "replace").split("\n")
    fields: dict[str, list[str]] = {}
    for piece in pieces[:60]:
        name, _, value = piece.partition("=")
        fields.setdefault(name, []).append(value)
    edition = system.editions[0]
    try:
        document = system.forces.edit(FORCES[system.id], fields, edition)
    except UnreadableForce:
        return
    assert system.forces.read(json.loads(json.dumps(document)), edition) == document


FORCES = {s.id: s.forces.sample(Terms(s.editions[0], s.default_size), s.editions[0].factions[0], 1) for s in GAMES}
REFUSALS = (UnreadableForce, UnreadableEdition, UnreadableScenario, UnreadableArchive, Unreadable, Refused)


def force_seeds() -> Seeds:
    """A sample force of each game in each of its formats."""
    return [
        bytes([n]) + system.forces.files.export(FORCES[system.id], system.editions[0], known.id)
        for n, system in enumerate(GAMES)
        for known in system.forces.files.formats
    ]


def edition_seeds() -> Seeds:
    """The shipped editions."""
    return [bytes([n]) + s.edition_files.write(s.editions[0]) for n, s in enumerate(GAMES) if s.edition_files]


def scenario_seeds() -> Seeds:
    """The shipped scenarios."""
    return [
        bytes([n]) + json.dumps(one.document).encode()
        for n, s in enumerate(GAMES)
        if s.scenario_files
        for one in s.scenarios
    ]


def form_seeds() -> Seeds:
    """Forms as the builders' pages send them."""
    return [
        bytes([n]) + b"do=add\nadd_model=x\nm0.count=2\nm0.add_item=y\nname=z\nfaction=x" for n in range(len(GAMES))
    ]


def file_seeds() -> Seeds:
    """The schemas of file formats in docs/."""
    return [path.read_bytes() for path in sorted(ROOT.glob("docs/*.schema.json"))] + [b'{"format": "x", "version": 1}']


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], Seeds]]] = {
    "archive": (archive, file_seeds),
    "edition": (edition, edition_seeds),
    "force": (force, force_seeds),
    "force_used": (force_used, force_seeds),
    "form": (form, form_seeds),
    "pairings": (pairings, file_seeds),
    "scenario": (scenario, scenario_seeds),
    "words": (words, lambda: [b"Ada Lovelace", b"{name} 1-5, 7", b"a@mail.example"]),
}


def timed(target: Callable[[bytes], None], data: bytes) -> None:
    """Run the target on one input. Measures processor time, which other work on the machine does not change."""
    began = time.process_time()
    target(data)
    taken = time.process_time() - began
    assert taken < MOST_SECONDS, f"{taken:.1f} s"


def main() -> None:
    """Fuzz one target until its runs are done or something breaks."""
    arguments = [one for one in sys.argv[1:] if one != "--control"]
    target, seeds_of = TARGETS[arguments[0]]
    runs, seconds, dice = (arguments[1:] + ["1000000", "100000", "7"][len(arguments) - 1 :])[:3]
    if "--control" in sys.argv:
        refusal: Any
        for refusal in REFUSALS:
            globals()[refusal.__name__] = ZeroDivisionError
    with tempfile.TemporaryDirectory(prefix="overseer-fuzz-") as folder:
        for number, seed in enumerate(seeds_of()):
            Path(folder, str(number)).write_bytes(seed)
        options = [f"-runs={runs}", f"-max_total_time={seconds}", "-timeout=60", "-max_len=8192", "-rss_limit_mb=1024",
                   f"-seed={dice}", "-print_final_stats=1"]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, folder], lambda data: timed(target, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
