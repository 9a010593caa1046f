"""Coverage-guided fuzzing of every reader of untrusted bytes or text, for a number of inputs or of seconds.

    pip install atheris && python -m benchmarks.fuzz_readers TARGET [RUNS] [SECONDS] [SEED]

Stops and saves the input if a reader raises anything but its documented error, or takes more than a second. With
``--control`` no error is allowed, so the run must stop. The test suite has bounded, random versions. Results are in
docs/assurance/evidence/fuzz.txt.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import atheris

ROOT = Path(__file__).parents[1]
with atheris.instrument_imports(include=["validators", "events", "xml.etree", "zipfile", "defusedxml"]):
    from events.messages.text import filled, filled_line, unknown
    from events.setup.archive_file import UnreadableArchive, read_archive
    from events.store.errors import Refused
    from events.tournament.pairing.certificate import certificate_document, read_pairings
    from events.tournament.pairing.files import Unreadable
    from events.visitors.queries import id_in_token
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

MOST_SECONDS = 1.0
"""The most seconds for one input."""
GAMES = tuple(SYSTEMS.values())
FORCES = [s.forces.sample(Terms(s.editions[0], s.default_size), s.editions[0].factions[0], 1) for s in GAMES]
REFUSALS = (UnreadableForce, UnreadableEdition, UnreadableScenario, UnreadableArchive, Unreadable, Refused)


@dataclass(frozen=True)
class Target:
    """A reader, what is checked of all that it accepts, and the first inputs."""

    read: Callable[[bytes], Any]
    """May raise an error of REFUSALS."""
    check: Callable[[Any], None]
    """May raise nothing."""
    seeds: list[bytes]


def game_of(data: bytes) -> int:
    """The number of the game that the first byte chooses."""
    return data[0] % len(GAMES) if data else 0


def read_force(data: bytes) -> tuple[int, Any]:
    """A force file."""
    game = game_of(data)
    system = GAMES[game]
    return game, system.forces.files.import_("fuzzed", data[1:], system.editions[0]).document


def edit_force(data: bytes) -> tuple[int, Any]:
    """A builder's form, as lines of field=value, for a sample force."""
    game = game_of(data)
    fields: dict[str, list[str]] = {}
    for piece in data[1:].decode("utf-8", "replace").split("\n")[:60]:
        name, _, value = piece.partition("=")
        fields.setdefault(name, []).append(value)
    return game, GAMES[game].forces.edit(FORCES[game], fields, GAMES[game].editions[0])


def check_force(found: tuple[int, Any]) -> None:
    """The document must be read again as itself."""
    system, document = GAMES[found[0]], found[1]
    assert system.forces.read(json.loads(json.dumps(document)), system.editions[0]) == document


def use_force(found: tuple[int, Any]) -> None:
    """Make the verdict, the builder's page and every export. They take milliseconds, so they are a target apart."""
    system, document = GAMES[found[0]], found[1]
    terms = Terms(system.editions[0], system.default_size)
    system.checks.check(document, terms)
    system.forces.builder(document, terms, {})
    for known in system.forces.files.formats:
        system.forces.files.export(document, terms.edition, known.id)


def read_edition(data: bytes) -> tuple[Any, Any]:
    """An edition file; some games have none."""
    files = GAMES[game_of(data)].edition_files
    return files, files.read(data[1:]) if files else None


def check_edition(found: tuple[Any, Any]) -> None:
    """The edition must be written and read as itself."""
    files, info = found
    assert files is None or files.read(files.write(info)) == info


def read_scenario(data: bytes) -> tuple[Any, Any]:
    """A scenario file; some games have none."""
    files = GAMES[game_of(data)].scenario_files
    return files, files.import_(data[1:]) if files else None


def check_scenario(found: tuple[Any, Any]) -> None:
    """The scenario must be read again as itself."""
    files, scenario = found
    assert files is None or files.read(json.loads(json.dumps(scenario.document))) == scenario


def check_pairings(file: Any) -> None:
    """The file must be written and read as itself."""
    assert read_pairings(json.dumps(certificate_document(file)).encode()) == file


def as_text(data: bytes) -> str:
    """Typed text, which may contain lone surrogates."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def check_words(text: str) -> None:
    """Parsers of typed fields, and of the tokens in private links."""
    forbidden_character(text, lines=True)
    assert len(name_key(tidy(text))) <= 160
    for parse in (search_key, visible, slug_of, table_typed, code_typed, unknown, id_in_token):
        parse(text)
    assert "\n" not in filled_line(text, {"name": "x"})
    filled(text, {"name": text})
    with suppress(Refused):
        read_address(text)
    with suppress(ValueError):
        numbers_in(text)


FORCE_SEEDS = [
    bytes([n]) + s.forces.files.export(FORCES[n], s.editions[0], known.id)
    for n, s in enumerate(GAMES)
    for known in s.forces.files.formats
]
FORM_SEED = b"do=add\nadd_model=x\nm0.count=2\nm0.add_item=y\nname=z\nfaction=x"
FILE_SEEDS = [path.read_bytes() for path in sorted(ROOT.glob("docs/*.schema.json"))] + [
    b'{"format": "x", "version": 1}'
]
EDITION_SEEDS = [bytes([n]) + s.edition_files.write(s.editions[0]) for n, s in enumerate(GAMES) if s.edition_files]
SCENARIO_SEEDS = [
    bytes([n]) + json.dumps(scenario.document).encode()
    for n, s in enumerate(GAMES)
    if s.scenario_files
    for scenario in s.scenarios
]
TARGETS = {
    "archive": Target(read_archive, lambda found: None, FILE_SEEDS),
    "edition": Target(read_edition, check_edition, EDITION_SEEDS),
    "force": Target(read_force, check_force, FORCE_SEEDS),
    "force_used": Target(read_force, use_force, FORCE_SEEDS),
    "form": Target(edit_force, check_force, [bytes([n]) + FORM_SEED for n in range(len(GAMES))]),
    "pairings": Target(read_pairings, check_pairings, FILE_SEEDS),
    "scenario": Target(read_scenario, check_scenario, SCENARIO_SEEDS),
    "words": Target(as_text, check_words, [b"Ada Lovelace", b"{name} 1-5, 7", b"a@mail.example"]),
}


def run(target: Target, allowed: tuple[type[Exception], ...], data: bytes) -> None:
    """Run the target on one input. Measures processor time, which other work on the machine does not change."""
    began = time.process_time()
    try:
        found = target.read(data)
    except allowed:
        pass
    else:
        target.check(found)
    taken = time.process_time() - began
    assert taken < MOST_SECONDS, f"{taken:.1f} s"


def main() -> None:
    """Fuzz one target until its runs are done or something breaks."""
    arguments = [text for text in sys.argv[1:] if text != "--control"]
    target, allowed = TARGETS[arguments[0]], () if "--control" in sys.argv else REFUSALS
    runs, seconds, dice = (arguments[1:] + ["1000000", "100000", "7"][len(arguments) - 1 :])[:3]
    with tempfile.TemporaryDirectory(prefix="overseer-fuzz-") as folder:
        for number, seed in enumerate(target.seeds):
            Path(folder, str(number)).write_bytes(seed)
        options = [f"-runs={runs}", f"-max_total_time={seconds}", "-timeout=60", "-max_len=8192", "-rss_limit_mb=1024",
                   f"-seed={dice}", "-print_final_stats=1"]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, folder], lambda data: run(target, allowed, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
