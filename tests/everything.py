"""Every check, with its time; the first that fails ends it. Run by ``./run test``, which installs first."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BIN = Path(sys.executable).parent
# What proves at length what the others prove in short is left out unless it is asked for.
LEFT_OUT = "not long"
FAST = "not long and not browser and not postgres"
# What a developer runs while working; folders of which nothing is in it need not even be read.
FAST_CORE = ["-m", f"{FAST} and not slow", "--ignore=tests/browser", "--ignore=tests/chaos"]
# Each process keeps to its share of the tests for as long as it can: what a module's tests share, a server or a page
# full of events, is then made once. A third one works while browsers and servers are waited for.
SHARED_OUT = ["-n", "3", "--dist", "worksteal"]
# The full profile of what breaks the service on purpose: alone on the machine, for as long as it takes.
CHAOS = ["tests/chaos", "-v"]
BEGAN = time.monotonic()


def main(arguments: list[str]) -> None:
    """Check the code, run the tests with these arguments for pytest, play the demonstration."""
    for name in [*(n for n in os.environ if n.startswith("OVERSEER_")), "DATABASE_URL", "HOST", "PORT"]:
        os.environ.pop(name, None)  # a check never meets the data or the settings of a real installation
    keep_what_is_compiled()
    fast, at_length = "--fast" in arguments, "--long" in arguments
    chosen = [argument for argument in arguments if argument not in ("--fast", "--long")]
    if "--chaos" in arguments:
        with checked_code():
            pass  # what follows is alone on the machine
        check("Chaos, the full profile", [sys.executable, "-m", "pytest", *CHAOS, *chosen])
        say(f"\nAll checks passed in {seconds(BEGAN)}. The evidence is in docs/assurance/evidence.")
        return
    if fast:
        # Tests that are asked for by name or place run, slow or not.
        title, left_out = ("Tests without browser and PostgreSQL", ["-m", FAST]) if chosen else ("Fast core", FAST_CORE)
    else:
        title, left_out = "Tests", [] if at_length else ["-m", LEFT_OUT]
    with checked_code():
        check(title, [sys.executable, "-m", "pytest", *SHARED_OUT, *left_out, *chosen])
    with tempfile.TemporaryDirectory(prefix="overseer-demo-") as data:
        os.environ["OVERSEER_DATA"] = data
        command = [sys.executable, str(BIN / "overseer"), "demo", "--players", "24", "--rounds", "4", "--seed", "7"]
        check("Demonstration event", command)
    say(f"\nAll checks passed in {seconds(BEGAN)}.")


def keep_what_is_compiled() -> None:
    """Where Python writes no bytecode next to the sources, keep it in the environment's own folder.

    Else every process reads all sources anew, the tests with their assertions rewritten: a hundred seconds in all.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(BIN.parent / "bytecode")


@contextmanager
def checked_code() -> Iterator[None]:
    """Style, templates and import contracts together, in order; then the block, and types, which take longest, with it.

    Types keep one core busy for a minute, and the rest would wait for them.
    """
    tools = {
        "Style (ruff check)": [sys.executable, "-m", "ruff", "check", "."],
        "Format (ruff format)": [sys.executable, "-m", "ruff", "format", "--check", "."],
        "Templates (djlint)": [sys.executable, "-m", "djlint", "--lint", "--quiet", "events"],
        "Import contracts (lint-imports)": [sys.executable, str(BIN / "lint-imports")],
        "Types (mypy)": [sys.executable, "-m", "mypy"],
    }
    started = time.monotonic()
    running: list[tuple[str, subprocess.Popen[str]]] = []
    try:
        for title, command in tools.items():
            pipe = subprocess.PIPE
            tool = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT, text=True)
            running.append((title, tool))
        for last, (title, tool) in enumerate(running, 1 - len(running)):
            if last == 0:
                yield
            said, _ = tool.communicate()
            say(f"\n== {title}\n{said.rstrip()}")
            report(title, tool.returncode, started)
    finally:
        for _, tool in running:
            if tool.poll() is None:
                tool.terminate()
                tool.communicate()


def check(title: str, command: list[str]) -> None:
    """Run one check with its output shown."""
    say(f"\n== {title}")
    started = time.monotonic()
    report(title, subprocess.run(command, stdin=subprocess.DEVNULL).returncode, started)


def report(title: str, status: int, started: float) -> None:
    """Say how a check ended; one that failed ends everything."""
    if status:
        say(f"\nFAILED: {title} ended with status {status}, {seconds(BEGAN)} after the start.")
        sys.exit(1)
    say(f"   passed in {seconds(started)}")


def say(text: str) -> None:
    """Print it now: what a check prints itself must not come before."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def seconds(began: float) -> str:
    """The time since a moment, for people."""
    return f"{time.monotonic() - began:.1f} s"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\nStopped.")
        sys.exit(130)
