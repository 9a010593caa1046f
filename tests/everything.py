"""Runs every check and prints its time, until one fails. ``./run test`` installs everything and then runs this."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from service.checkout import AS_ROOT, BINARIES, ROOT, apt_install, pip_wheel, run_quietly

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_PACKAGES = ("chromium", "chromium-headless-shell", "libatomic1", "fonts-dejavu-core")
BIN = Path(sys.executable).parent
FAST = "not long and not sweep and not browser and not postgres"
PROFILES = {"--sweeps": "sweep and not long", "--long": ""}
FAST_CORE = ["-m", f"{FAST} and not slow"]
# With worksteal the tests of a module mostly run in one process, which then creates their shared fixtures only once.
# On two cores two more processes work while others wait for browsers and servers; fast tests wait for neither.
PROCESSES = ["-n", "4", "--dist", "worksteal"]
FAST_PROCESSES = ["-n", "2", "--dist", "worksteal"]
CHAOS = ["-m", "", "tests/chaos", "-v"]
STYLE = {
    "Style (ruff check)": [sys.executable, "-m", "ruff", "check", "."],
    "Format (ruff format)": [sys.executable, "-m", "ruff", "format", "--check", "."],
}
TOOLS = STYLE | {
    "Templates (djlint)": [sys.executable, "-m", "djlint", "--lint", "--quiet", "events"],
    "Import contracts (lint-imports)": [sys.executable, str(BIN / "lint-imports")],
    "Types (mypy)": [sys.executable, "-m", "mypy"],
}
TYPES_OF_TESTS = {"Types of the tests (mypy)": [sys.executable, "-m", "mypy", "tests"]}
BEGAN = time.monotonic()


def main(arguments: list[str]) -> None:
    """Check the code and run the tests. Arguments that are not options of ours go to pytest."""
    for name in [*(n for n in os.environ if n.startswith("OVERSEER_")), "DATABASE_URL", "HOST", "PORT"]:
        os.environ.pop(name, None)  # no check uses the data or the settings of a real installation
    if "--cluster" in arguments:
        install_cluster()
    elif "--fast" not in arguments:
        install_tested()
    cache_bytecode()
    fast, profile = "--fast" in arguments, next((name for name in PROFILES if name in arguments), None)
    chosen = [argument for argument in arguments if argument not in ("--fast", *PROFILES)]
    named = "-k" in chosen or any(Path(text.partition("::")[0]).exists() for text in chosen)
    if "--cluster" in arguments:
        check("Several hosts", [sys.executable, "-m", "tests.cluster.trial"])
        say(f"\nAll checks passed in {seconds(BEGAN)}. The figures are in docs/assurance/cluster.md.")
        return
    if "--chaos" in arguments:
        with checked_code():
            pass  # the chaos tests measure times, so no check runs next to them
        check("Chaos, the full profile", [sys.executable, "-m", "pytest", *CHAOS, *chosen])
        say(f"\nAll checks passed in {seconds(BEGAN)}. The evidence is in docs/assurance/evidence.")
        return
    if fast and not chosen:
        title, options = "Fast core", [*FAST_PROCESSES, *FAST_CORE]
    elif fast:  # tests that are named run even if they are slow
        title, options = "Tests without browser and PostgreSQL", [*FAST_PROCESSES, "-m", FAST]
    else:
        title, options = "Tests", [*PROCESSES, *(["-m", PROFILES[profile]] if profile else [])]
    if named:  # the types of the whole project and its templates have nothing to do with them
        with checked_code(STYLE):
            check(title, [sys.executable, "-m", "pytest", *options, *chosen])
        say(f"\nThe named tests passed in {seconds(BEGAN)}. A pull request must pass all: ./run test")
        return
    tools = {"--sweeps": TYPES_OF_TESTS, "--long": TOOLS | TYPES_OF_TESTS}.get(profile or "", TOOLS)
    with checked_code(tools):  # --sweeps runs after ./run test, which has checked the code
        check(title, [sys.executable, "-m", "pytest", *options, *chosen])
    say(f"\nAll checks passed in {seconds(BEGAN)}.")


def install_tested() -> None:
    """Install the system packages that all checks need."""
    if not any(map(shutil.which, BROWSERS)):
        apt_install("The browser tests need Chromium", *BROWSER_PACKAGES)
    if not shutil.which("nginx", path=BINARIES):
        apt_install("The tests of deploy/ need nginx", "nginx-light")
    if not shutil.which("restic"):
        apt_install("The tests of copies elsewhere need restic", "restic")


def install_cluster() -> None:
    """Install what deploy/cluster needs; Debian starts none of it."""
    if not AS_ROOT:
        sys.exit("./run test --cluster makes networks of its own: run it as root.")
    programs = {"etcd": "etcd-server", "haproxy": "haproxy", "pgbouncer": "pgbouncer", "python3": "python3"}
    missing = [package for program, package in programs.items() if not shutil.which(program, path=BINARIES)]
    missing += [] if Path("/usr/lib/postgresql").is_dir() else ["postgresql"]
    policy = Path("/usr/sbin/policy-rc.d")  # Debian asks it before it starts a service
    ours = bool(missing) and not policy.exists()
    try:
        if ours:
            policy.write_text("#!/bin/sh\nexit 101\n")
            policy.chmod(0o755)
        if missing:
            apt_install("The trial of several hosts needs its programs", *missing)
    finally:
        if ours:
            policy.unlink()
    system_python = shutil.which("python3", path=BINARIES) or "python3"  # PostgreSQL's user may be unable to read ours
    pip = [system_python, f"{pip_wheel()}/pip", "install", "--upgrade", "--target", str(ROOT / "build" / "cluster")]
    run_quietly("Patroni could not be installed", [*pip, "-r", str(ROOT / "deploy" / "cluster" / "requirements.txt")])


def cache_bytecode() -> None:
    """Store bytecode in the environment's folder if it may not be next to the sources: it saves a hundred seconds."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(BIN.parent / "bytecode")


@contextmanager
def checked_code(tools: Mapping[str, list[str]] = TOOLS) -> Iterator[None]:
    """Start all tools at once. Report them before the block, but the last after it: types take up to a minute."""
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
    say(f"\n== {title}")
    started = time.monotonic()
    report(title, subprocess.run(command, stdin=subprocess.DEVNULL).returncode, started)


def report(title: str, status: int, started: float) -> None:
    if status:
        say(f"\nFAILED: {title} ended with status {status}, {seconds(BEGAN)} after the start.")
        sys.exit(1)
    say(f"   passed in {seconds(started)}")


def say(text: str) -> None:
    """Print text at once, before the output of the next check."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def seconds(began: float) -> str:
    return f"{time.monotonic() - began:.1f} s"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\nStopped.")
        sys.exit(130)
