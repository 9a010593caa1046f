"""Coverage-guided fuzzing of the catalogue importer, for as long as wished; the suite runs a bounded, random one.

    pip install atheris && python benchmarks/fuzz_catalogues.py [SECONDS] [FOLDER WITH SEEDS...]

A seed is a zip or a file, as an organiser would upload it. An exception that is not UnreadableEdition, an edition that
the judge of the tests refuses, or an upload that takes over two seconds ends it and leaves the input behind. Seeds of
both published shapes are written to a temporary folder first.
"""

import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
with atheris.instrument_imports(include=["validators", "xml.etree", "zipfile", "defusedxml"]):
    from tests.validators.test_catalogue_fuzzed import SAMPLES, judged


def judge(data: bytes) -> None:
    """One upload: the bytes alone, and with a sound game system."""
    judged([("fuzzed", data)])
    judged([SAMPLES["2018"][0], ("fuzzed", data)])


def main() -> None:
    """Fuzz until the time is up or something breaks."""
    from tests.validators.catalogue_writer import zipped  # noqa: PLC0415 - must come after instrumenting

    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    with tempfile.TemporaryDirectory(prefix="overseer-fuzz-") as seeds:
        for shape, files in SAMPLES.items():
            Path(seeds, f"{shape}.zip").write_bytes(zipped(*files))
            for name, data in files:
                Path(seeds, f"{shape}-{name}").write_bytes(data)
        options = [f"-max_total_time={seconds}", "-timeout=2", "-max_len=40000", "-rss_limit_mb=1024"]
        atheris.Setup([sys.argv[0], *options, seeds, *sys.argv[2:]], judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
