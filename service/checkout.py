"""What ``./run`` does: create .venv from the lock file, then run ``overseer`` or the tests.

More than 400 lines because nothing else is installed yet that it could import: it uses the standard library only.
"""

import argparse
import compileall
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
BIN = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = BIN / ("python.exe" if WINDOWS else "python")
STATE = VENV / "made-by-run.json"
AS_ROOT = getattr(os, "geteuid", lambda: 1)() == 0  # Windows has no such user
BINARIES = f"{os.defpath}:/usr/sbin"
LOCK, TEST_LOCK, PROJECT = "requirements.txt", "requirements-test.txt", "pyproject.toml"
NEEDED, DOWNLOADED = 400, 150
"""The megabytes that an installation takes, and those in the folder of temporary files until it is complete."""

HELP_WORDS = {"-h", "--help"}
HELP = """\
./run                 start Overseer on http://127.0.0.1:8000, with a demonstration event if there is none
./run COMMAND ...     run a command of overseer, such as demo, roster check, set-up-link or password-link;
                      ./run overseer --help lists them all
./run test            run all checks: style, types, tests, browser; about six minutes
./run test --fast     run the most important checks in a minute. Further arguments go to pytest and select tests,
                      without the browser and PostgreSQL:
                      ./run test --fast tests/tournament -k bye
./run test --sweeps   run the sweeps over pages, people and sizes, of which that takes samples; see docs/testing.md
./run test --long     run all checks with every page, person, seed and paper
./run test --chaos    run every test that breaks the service on purpose; takes hours, rewrites
                      docs/assurance/evidence
./run test --cluster  as root: play an event on three web hosts and three database machines, and lose some of them;
                      half an hour, rewrites docs/assurance/cluster.md
./run install --user overseer
                      as root, on Linux with systemd: install, make the user, and start the service at each boot
./run texts [fr ...]  before a release: count the texts that wait for translators, and print those of languages
                      named as entries for their catalogues (one that has none is begun); drop what is gone
./run release COMMIT  make dist/ of a release's commit (see CHANGELOG.md; without one, of the last): a wheel, the
                      source, and the same as a zip file, for Windows
./run --help          show this text

The first start makes .venv in this folder from requirements.txt; later ones need no network.
Settings come from the environment:
  OVERSEER_DATA    folder for all data                        (data, next to this script)
  DATABASE_URL     sqlite:///FILE or postgresql://...         (SQLite, in that folder)
  OVERSEER_SECRET  signs cookies and links                    (made once, stored in that folder)
  HOST, PORT       where to listen                            (127.0.0.1, 8000)
"""


def start(arguments: list[str]) -> None:
    try:
        main(arguments)
    except KeyboardInterrupt:
        print("\nStopped.", flush=True)
        sys.exit(130)


def main(arguments: list[str]) -> None:
    """Run the command line; replaces this process by ``overseer`` or the tests, or exits. Raises PermissionError."""
    if set(arguments[:1]) & HELP_WORDS or (arguments[:1] == ["test"] and set(arguments[1:]) & HELP_WORDS):
        print(HELP, end="")
        return
    testing = arguments[:1] == ["test"]
    if arguments[:1] == ["install"]:
        install_service(arguments[1:])
        return
    if testing:
        install("what Overseer and its tests need", LOCK, TEST_LOCK)
    else:
        install("what Overseer needs", LOCK)
    compile_code()
    if arguments[:1] == ["release"]:
        os.chdir(ROOT)
        become(str(PYTHON), "-m", "tests.releases.pack", *arguments[1:2])
    if arguments[:1] == ["texts"]:
        become(str(PYTHON), "-m", "languages.update", *arguments[1:])
    if testing:
        os.chdir(ROOT)
        become(str(PYTHON), "tests/everything.py", *arguments[1:])
    if arguments[:1] == ["overseer"]:
        arguments = arguments[1:]
    # Data stays in the checkout, wherever the script was called from.
    os.environ.setdefault("OVERSEER_DATA", str(ROOT / "data"))
    # Through the interpreter, because a script's first line may not contain spaces.
    command = [str(BIN / "overseer.exe")] if WINDOWS else [str(PYTHON), str(BIN / "overseer")]
    become(*command, *(arguments or ["serve", "--demo"]))


def become(*command: str) -> NoReturn:
    """Replace this process by a command; on Windows, which cannot, run it and end with its status."""
    if WINDOWS:
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def install(what: str, *locks: str) -> bool:
    """Install a lock file's packages and the project into ``.venv``; returns False if that was done before.

    The last of ``locks`` is installed, which has all that the others have.
    """
    lock = locks[-1]
    wanted = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in (*locks, PROJECT)}
    if wanted.items() <= state().items():
        return False
    if not os.access(ROOT, os.W_OK):
        raise PermissionError(ROOT)
    if not state():
        for folder, needed in ((ROOT, NEEDED), (tempfile.gettempdir(), DOWNLOADED)):
            if (free := shutil.disk_usage(folder).free // 1_000_000) < needed:
                lack = f"Overseer needs {needed} MB in {folder}, and {free} MB are free there."
                sys.exit(f"{lack} Make room, then run this again.")
    os.umask(0o022)  # the service's user reads what root installs
    began = time.monotonic()
    with one_at_a_time():
        if wanted.items() <= state().items():
            return False
        if not state():
            make_venv()
        before = state()
        remember({})  # until all is installed, so that an interrupted installation is repeated
        try:
            if before.get(lock) != wanted[lock]:
                pip_install(f"Installing {what}", "--require-hashes", "--no-deps", "--no-compile", "-r", lock)
            if before.get(PROJECT) != wanted[PROJECT]:
                pip_install("Installing Overseer itself", "--no-deps", "--no-build-isolation", "-e", ".")
        except PipRefused as refused:
            remember({**before, lock: "?", PROJECT: "?"})  # pip has undone its own changes
            sys.exit(str(refused))
        remember({**before, **place(), **wanted})
        print("Preparing the program; on a slow machine this takes a minute ...", flush=True)
        load_once()
    print(f"Installed in {seconds(began)}; the next start skips this.", flush=True)
    return True


def install_service(arguments: list[str]) -> None:
    """Install for a service with a user of its own: the program, the user, the data folder and systemd's unit."""
    parser = argparse.ArgumentParser(prog="./run install", description=install_service.__doc__)
    parser.add_argument("--user", default="overseer", help="the service's user, made if there is none (overseer)")
    parser.add_argument("--root", type=Path, default=Path("/"), help="put etc and var below this folder, for an image")
    given = parser.parse_args(arguments)
    if not AS_ROOT:
        sys.exit(f"This needs root:\n\n    sudo {ROOT}/run install --user {given.user}\n")
    if len(str(ROOT).split()) > 1:
        sys.exit(f"systemd needs a folder without spaces: move {ROOT} to /opt/overseer.")
    for path in (ROOT, Path(sys.executable).resolve().parent):
        if shut := next((one for one in (path, *path.parents) if one.stat().st_mode & 0o5 != 0o5), None):
            if shut == ROOT:
                continue  # opened below
            what = "Python is" if path != ROOT else "Overseer is"
            way = "with /usr/bin/python3" if path != ROOT else "after you have moved it to /opt/overseer"
            sys.exit(f"{what} below {shut}, which {given.user} cannot read. Run this again {way}.")
    if subprocess.run(["id", given.user], capture_output=True).returncode:
        home = ["--home-dir", "/var/lib/overseer", "--shell", "/usr/sbin/nologin"]
        run_quietly(f"{given.user} could not be made", ["useradd", "--system", *home, given.user])
    install("what Overseer needs", LOCK)
    compile_code()
    ours = [str(path) for path in ROOT.iterdir() if path.name not in ("data", ".git")]
    run_quietly("the rights could not be set", ["chmod", "-R", "a+rX", *ours])
    ROOT.chmod(ROOT.stat().st_mode | 0o055)
    overseer = [str(PYTHON), str(BIN / "overseer")]
    as_user = ["setpriv", f"--reuid={given.user}", f"--regid={given.user}", "--clear-groups"]
    run_quietly(f"{given.user} cannot run Overseer", [*as_user, *overseer, "--version"])
    data, unit = (given.root / place for place in ("var/lib/overseer", "etc/systemd/system/overseer.service"))
    data.mkdir(parents=True, exist_ok=True)
    shutil.chown(data, given.user, given.user)
    data.chmod(0o700)
    text = (ROOT / "deploy" / "overseer.service").read_text(encoding="utf-8").replace("/opt/overseer", str(ROOT))
    unit.parent.mkdir(parents=True, exist_ok=True)
    unit.write_text(re.sub("(?m)^(User|Group)=.*", rf"\1={given.user}", text), encoding="utf-8")
    print(f"{given.user} can run Overseer, its data is in {data}, and systemd's unit is {unit}.", flush=True)
    if Path("/run/systemd/system").is_dir() and given.root == Path("/"):
        for words in (["daemon-reload"], ["enable", "overseer"], ["restart", "overseer"]):
            run_quietly("the service could not be started", ["systemctl", *words])
        print("It runs. To become the first organiser, open the link in /var/lib/overseer/set-up-link within an hour.")
    else:
        print(f"Without systemd, start it by:\n\n    OVERSEER_DATA={data} {shlex.join([*as_user, *overseer])} serve\n")


def compile_code() -> None:
    """Compile new code. A service's user may not write here, and would compile it at every start."""
    for folder in ("events", "languages", "migrations", "models", "pdf", "service", "validators"):
        compileall.compile_dir(ROOT / folder, quiet=2)
    compileall.compile_file(ROOT / "app.py", quiet=2)


def load_once() -> None:
    """Load the program, which compiles what it uses of its packages (half of them), and cuts the typeface of pages."""
    loaded = "import app, service.commands.main; app.shared_pages()"
    storing = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as pip would
    subprocess.run([PYTHON, "-c", loaded], cwd=ROOT, env=storing, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class PipRefused(Exception):
    """pip failed and installed nothing; the message contains its output."""


def place() -> dict[str, str]:
    """This folder's path and the Python version, on which ``.venv`` depends."""
    return {"folder": str(ROOT), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


def state() -> dict[str, str]:
    """The hashes of the files installed in ``.venv``; empty if it is incomplete, from another folder, or cannot run."""
    try:
        found = json.loads(STATE.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and place().items() <= found.items() and os.access(PYTHON, os.X_OK) else {}


def remember(found: Mapping[str, str]) -> None:
    """Store the state of ``.venv``, completely or not at all."""
    fresh = STATE.with_suffix(".new")
    fresh.write_text(json.dumps(found, indent=1))
    fresh.replace(STATE)


def make_venv() -> None:
    """Create an empty environment; replaces an existing one."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        package = f"python3.{sys.version_info.minor}-venv"
        apt_install("Python's venv module is missing", package)
    print(f"Making {VENV}{' again' if VENV.exists() else ''} ...", flush=True)
    began = time.monotonic()
    run_quietly("making the environment failed", [sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)])
    remember(place())
    print(f"  done in {seconds(began)}", flush=True)


def pip_install(title: str, *arguments: str) -> None:
    """Run pip in ``.venv`` and show its progress; if it fails, its output."""
    if arguments[0] == "--require-hashes":
        count = sum("==" in line and not line[0].isspace() for line in (ROOT / arguments[-1]).read_text().splitlines())
        title += f" ({count} packages, each checked against its hash)"
    print(f"{title} ...", flush=True)
    began, said, number = time.monotonic(), [], 0
    command = [str(PYTHON), f"{pip_wheel()}/pip", "--disable-pip-version-check", "--no-input", "install", *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            first, _, rest = line.strip().partition(" ")
            if first in ("Collecting", "Requirement"):
                number += 1
                show_step(f"{number:3d}  {rest.removeprefix('already satisfied: ').split(' ')[0]}", number)
            elif line.startswith("Installing collected"):
                show_step("downloaded; installing into .venv", 0)
    if pip.returncode < 0:
        sys.exit(f"{title}: pip was killed (signal {-pip.returncode}).")
    if pip.returncode:
        raise PipRefused(
            f"{''.join(said[-30:])}\n{title}: pip failed, see above. The first start needs the Internet. "
            "Correct the cause, then run this again."
        )
    print(f"{CLEAR}  done in {seconds(began)}", flush=True)


def pip_wheel() -> Path:
    """The file from which Python's ``ensurepip`` would install pip: pip runs in it, and need not be installed."""
    places = [Path(place) / "_bundled" for place in importlib.import_module("ensurepip").__path__]
    places += [Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or "/usr/share/python-wheels")]  # Debian's
    return next(wheel for place in places for wheel in sorted(place.glob("pip-*.whl")))


CLEAR = "\r\033[K" if sys.stdout.isatty() else ""


def show_step(text: str, number: int) -> None:
    """Show progress: one changing line on a terminal, every tenth step in a log."""
    if CLEAR:
        print(f"{CLEAR}  {text}", end="", flush=True)
    elif number % 10 == 0:
        print(f"  {text}", flush=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Make a second ``./run`` wait before it installs into the same ``.venv``. The lock ends with the process."""
    with closing(sqlite3.connect(ROOT / ".venv.lock", timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            print("Another ./run is installing; waiting for it ...", flush=True)
            lock.execute("PRAGMA busy_timeout = 3600000")
            lock.execute("BEGIN EXCLUSIVE")
        yield


def apt_install(reason: str, *packages: str) -> None:
    """Install system packages as root; other users get the command to type, and the script exits."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not AS_ROOT or shutil.which("apt-get") is None:
        sudo = "" if AS_ROOT else "sudo "
        typed = f"{sudo}apt-get update && {sudo}{shlex.join(command)}"
        sys.exit(f"{reason}. Install it, then run this again:\n\n    {typed}\n")
    print(f"{reason}: {shlex.join(command)} ...", flush=True)
    began = time.monotonic()
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    # An unreachable source matters only if the package is not found without it.
    subprocess.run(["apt-get", "update", "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    run_quietly(f"{packages[0]} could not be installed", command)
    importlib.invalidate_caches()
    print(f"  done in {seconds(began)}", flush=True)


def run_quietly(failure: str, command: list[str]) -> str:
    """Run a command and return its output; if it fails, show that and exit."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{failure}: {shlex.join(command)} ended with status {done.returncode}.")
    return done.stdout


def seconds(began: float) -> str:
    """The time since ``began``, as text."""
    return f"{time.monotonic() - began:.1f} s"
