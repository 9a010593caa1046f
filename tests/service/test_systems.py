"""Other systems than this one: Windows without the modules of Unix, and wheels of every pin for each."""

import ast
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from service import unix, windows
from tests.browser.server import environment, free_port
from tests.kit import sources
from tests.kit.promises import ROOT

MODULES = ("fcntl", "grp", "gunicorn", "pty", "pwd", "pysqlite3", "resource", "syslog", "termios")
FUNCTIONS = ("fork", "getuid", "geteuid", "getgid", "getegid", "chown", "fchown", "fchmod", "killpg", "nice", "setsid",
             "getpgid", "mkfifo", "register_at_fork")  # fmt: skip
AS_ON_WINDOWS = f"""
import os, subprocess, sys, tempfile, signal
for name in {MODULES}:
    sys.modules[name] = None
for name in {FUNCTIONS}:
    if name in vars(os):
        delattr(os, name)
del signal.SIGKILL, signal.SIGHUP, signal.SIGALRM
from service.commands.main import main
main()
"""
SEARCHED = re.compile(rf"\b(?:{'|'.join((*MODULES, *FUNCTIONS))})\b")
UNIX_ONLY = {"service/unix.py", "service/commands/unix_server.py"}


def test_modules_of_unix_are_loaded_in_two_files_only() -> None:
    names = set(MODULES) - {"pysqlite3"}
    found = set()
    for path in [*(ROOT / name for name in sources.committed() if name.endswith(".py")), ROOT / "run"]:
        place = path.relative_to(ROOT).as_posix()
        if place.startswith(("tests/", "benchmarks/")):
            continue
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if SEARCHED.search(text) else ():
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            of_os = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
            modules += ["fcntl"] if of_os and isinstance(node, ast.Attribute) and node.attr in FUNCTIONS else []
            if names & {module.partition(".")[0] for module in modules}:
                found.add(place)
    assert found == UNIX_ONLY
    same = [{name for name in vars(system) if callable(getattr(system, name)) and name.islower()}
            for system in (unix, windows)]  # fmt: skip
    assert {"lock_file", "lock_process", "own_addresses", "me", "user_name"} <= same[0] & same[1]


@pytest.mark.long
def test_service_runs_without_modules_of_unix(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    settings = environment(data, port) | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-c", AS_ON_WINDOWS]

    def overseer(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*command, *words], env=settings, capture_output=True, text=True)

    with subprocess.Popen([*command, "serve", "--demo"], env=settings, stderr=subprocess.PIPE, text=True) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            assert [answer(address + page, server) for page in ("/healthz", "/readyz", "/")] == [200] * 3
            backup = overseer("backup")
            assert backup.returncode == 0, backup.stderr
            refused = overseer("restore", "newest", "--yes")
            assert "Stop it first" in refused.stderr, refused.stderr
            assert (data / "overseer.sqlite3").read_bytes()[18] == 1, "no log, as this SQLite is too old for it"
        finally:
            server.terminate()  # a background job of a shell ignores SIGINT
        assert server.stderr is not None and "Traceback" not in server.stderr.read()
    restored = overseer("restore", "newest", "--yes")
    assert restored.returncode == 0, restored.stderr


def answer(address: str, server: "subprocess.Popen[str]") -> int:
    """The status of a page, as soon as there is one; 503 is a proxy's, before the server behind it runs."""
    until = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=20) as page:  # noqa: S310 - of this machine
                return int(page.status)
        except urllib.error.HTTPError as refused:
            if refused.code != 503:
                return refused.code
        except OSError:
            pass
        assert server.poll() is None and time.monotonic() < until
        time.sleep(0.1)


SYSTEMS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pin_has_a_wheel(system: str, tmp_path: Path) -> None:
    """But font-roboto, which is data. Asks the package index.

    Intel Macs are left out: cryptography and two others have no wheels for them.
    """
    for python in ("3.11", "3.12", "3.13", "3.14"):
        command = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "install",
            "--dry-run",
            "--python-platform",
            system,
            "--python-version",
            python,
        ]
        command += ["--only-binary", ":all:", "--no-binary", "font-roboto", "--no-deps", "--require-hashes"]
        command += ["-r", "requirements.txt", "--target", str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, f"{system}, Python {python}: {done.stderr}"
