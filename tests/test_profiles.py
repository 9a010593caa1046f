"""The fast core stays fast: what makes it slow is named, and nothing else is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.profiles import OF_ALL, OF_ONE, TOOK, USUAL, Watch, piece

ROOT = Path(__file__).parents[1]


def told(took: dict[str, float], slowness: float = 1.0) -> list[str]:
    """What is said of a run in which these tests took that long, on a machine so many times as slow as usual."""
    watch = Watch(judges=True)
    watch.pieces += [slowness * USUAL] * 3
    for name, seconds in took.items():
        watch.took[name] += seconds * slowness
    return watch.judged()


def test_a_core_within_its_bounds_is_told_in_a_line() -> None:
    few = {f"tests/test_a.py::test_{number}": 0.9 * OF_ONE for number in range(9)}
    assert told(few) == ["The fast core took 12 CPU seconds, on a machine 1.0 times as slow as usual."]
    assert len(told(few, slowness=2.4)) == 1


def test_a_test_that_takes_too_long_is_named() -> None:
    said = told({"tests/test_a.py::test_quick": 0.1, "tests/test_a.py::test_long": 1.2 * OF_ONE})
    assert said[1:] == [
        "TOO SLOW: tests/test_a.py::test_long took 1.8 with all its cases. Make it faster, or mark it slow"
    ]


def test_what_was_chosen_to_be_in_the_core_may_cost() -> None:
    assert told({"tests/views/test_a.py::test_every_page": 4 * OF_ONE})[1:] == []


def test_many_small_tests_are_too_many() -> None:
    said = told({f"tests/test_a.py::test_{number}": 0.9 * OF_ONE for number in range(round(OF_ALL / OF_ONE * 1.2))})
    assert len(said) == 2
    assert said[1].startswith(
        f"TOO SLOW: it may take {OF_ALL:.0f}. Mark tests slow, or make them faster; the longest: "
    )


@pytest.mark.slow
def test_a_run_with_a_slow_test_in_the_core_fails(tmp_path: Path) -> None:
    # Its pace is asked once, so that what it takes beyond the bound is more than a pace can change between two moments.
    work = "    while time.process_time() < 3.5 * OF_ONE:\n        pass\n"
    long = "import time\nimport pytest\nfrom tests.profiles import OF_ONE\n\n"
    shared = f"@pytest.fixture(scope='session')\ndef shared():\n    yield\n{work}def test_last(shared):\n    pass\n"
    (tmp_path / "test_shared.py").write_text(long + shared)
    long += f"def test_long():\n{work}"
    (tmp_path / "test_work.py").write_text(long)
    (tmp_path / "test_marked.py").write_text(long + "pytestmark = pytest.mark.slow\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    run = [sys.executable, "-m", "pytest", "-p", "tests.profiles", "--whole-core", "-p", "no:cacheprovider", "-n", "1"]
    done = [
        subprocess.run([*run, tmp_path / name], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        for name in ("test_marked.py", "test_shared.py", "test_work.py")
    ]
    said = "".join(one.stdout for one in done)
    assert [one.returncode for one in done] == [0, 0, 1], said
    assert said.count("1 passed") == len(done)
    assert "TOO SLOW: test_work.py::test_long took " in said


def test_each_test_bears_the_mark_of_its_folder(request: pytest.FixtureRequest) -> None:
    """What is in no folder of slow tests is in the core, this one too; its time is then in its last report."""
    marks = {mark.name for mark in request.node.iter_markers()}
    assert marks & {"slow", "browser"} == set()
    assert TOOK not in dict(request.node.user_properties), "not before its end"
    assert 0 < piece() < 1
