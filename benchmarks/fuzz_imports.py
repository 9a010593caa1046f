"""Coverage-guided fuzzing of the force importers, for as long as wished; the suite runs a bounded, random one.

    pip install atheris && python benchmarks/fuzz_imports.py [SECONDS] [FOLDER WITH SEEDS...]

An exception that is not UnreadableForce, a document that is not canonical, or a file that takes over two seconds ends
it and leaves the input behind. The seeds of every format are written to a temporary folder first.
"""

import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
with atheris.instrument_imports(include=["validators", "xml.etree", "zipfile", "defusedxml"]):
    from validators import SYSTEMS
    from validators.contract import Terms, UnreadableForce

SYSTEM = SYSTEMS["battle_mode"]
EDITION = SYSTEM.editions[0]


def judge(data: bytes) -> None:
    """One file."""
    try:
        imported = SYSTEM.forces.files.import_("fuzzed", data, EDITION)
    except UnreadableForce:
        return
    assert SYSTEM.forces.read(imported.document, EDITION) == imported.document
    assert SYSTEM.checks.check(imported.document, Terms(EDITION, 500)).total == imported.total
    for known in SYSTEM.forces.files.formats:
        SYSTEM.forces.files.export(imported.document, EDITION, known.id)


def main() -> None:
    """Fuzz until the time is up or something breaks."""
    from tests.validators.imports.test_import_fuzzed import SAMPLES  # noqa: PLC0415 - must come after instrumenting

    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    with tempfile.TemporaryDirectory(prefix="overseer-fuzz-") as seeds:
        for name, data in SAMPLES.items():
            Path(seeds, name.replace(" ", "-")).write_bytes(data)
        options = [f"-max_total_time={seconds}", "-timeout=2", "-max_len=20000", "-rss_limit_mb=1024"]
        atheris.Setup([sys.argv[0], *options, seeds, *sys.argv[2:]], judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
