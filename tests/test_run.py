"""``./run`` in a small checkout, with the real script, environments and pip, but without network."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "small"
version = "1"
"""
# Builds the project without downloads; its ``overseer`` prints its arguments.
BACKEND = '''
import zipfile
FILES = {
    "small.py": """
import json, os, sys
def main():
    print(json.dumps({"arguments": sys.argv[1:], "folder": os.getcwd(), "data": os.environ.get("OVERSEER_DATA")}))
    sys.exit(int(os.environ.get("SMALL_STATUS", "0")))
""",
    "small-1.dist-info/METADATA": "Metadata-Version: 2.1\\nName: small\\nVersion: 1\\n",
    "small-1.dist-info/WHEEL": "Wheel-Version: 1.0\\nGenerator: small\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "small-1.dist-info/entry_points.txt": "[console_scripts]\\noverseer = small:main\\n",
}
def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "small-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{wheel_directory}/{name}", "w") as wheel:
        for path, text in FILES.items():
            wheel.writestr(path, text)
        wheel.writestr("small-1.dist-info/RECORD", "".join(f"{path},,\\n" for path in FILES))
    return name
'''
MADE, INSTALLED = "Making ", "Installed in "


def start(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    left_out = ("OVERSEER_", "PIP_", "VIRTUAL_ENV", "PYTHONPYCACHEPREFIX")
    plain = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    return subprocess.run(
        [checkout / "run", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, cwd="/",
        env=plain | {"PIP_NO_INDEX": "1"} | environment,
    )  # fmt: skip


def handed_over(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stdout + done.stderr
    said: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return said


def small_checkout(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "service").mkdir()
    for name in ("run", "service/__init__.py", "service/checkout.py"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "backend.py").write_text(BACKEND)
    for lock in ("requirements.txt", "requirements-test.txt"):
        (folder / lock).write_text("# nothing\n")
    return folder


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that was started once. Its path contains spaces."""
    checkout = small_checkout(tmp_path_factory.mktemp("a club's machine") / "over seer")
    first = start(checkout)
    assert MADE in first.stdout and INSTALLED in first.stdout
    assert handed_over(first)["arguments"] == ["serve", "--demo"]
    return checkout


def test_second_start_skips_the_installation_and_passes_arguments_on(ready: Path, tmp_path: Path) -> None:
    again = start(ready)
    said = handed_over(again)
    assert (said["arguments"], said["data"], said["folder"]) == (["serve", "--demo"], str(ready / "data"), "/")
    assert len(again.stdout.splitlines()) == 1
    (tmp_path / "run").symlink_to(ready / "run")
    assert handed_over(start(tmp_path))["data"] == str(ready / "data"), "a link to the script finds the checkout"
    words = ["roster", "check", "my force.json", "--size", "750", "--", "-x", "", "ä"]
    said = handed_over(start(ready, *words, OVERSEER_DATA="/elsewhere"))
    assert (said["arguments"], said["data"]) == (words, "/elsewhere")
    assert handed_over(start(ready, "overseer", "--help"))["arguments"] == ["--help"]
    assert start(ready, "roster", "check", SMALL_STATUS="2").returncode == 2


def test_help_needs_no_installation(tmp_path: Path) -> None:
    checkout = small_checkout(tmp_path / "bare")
    for words in (["-h"], ["test", "--help"]):
        done = start(checkout, *words)
        assert (done.returncode, done.stdout.startswith("./run ")) == (0, True), words
    assert not (checkout / ".venv").exists()


def test_full_disk_is_named_before_anything_is_installed(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    checkout = small_checkout(tmp_path / "small")
    copied = f"mount -t tmpfs -o size=9m full {tmp_path}/disk && cp -r {checkout} {tmp_path}/disk/over"
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    done = subprocess.run(
        [*alone, "sh", "-c", f"{copied} && cd {tmp_path}/disk/over && ./run; status=$?; ls -A; exit $status"],
        capture_output=True, text=True, env=os.environ | {"PIP_NO_INDEX": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1, f"Overseer needs 400 MB in {tmp_path}/disk/over, and 9 MB are free there. Make room, then run this again.\n",
    )  # fmt: skip
    assert ".venv" not in done.stdout


@pytest.mark.long
def test_changed_lock_is_installed_once_into_the_existing_environment(ready: Path) -> None:
    (ready / "requirements.txt").write_text("# nothing, again\n")
    mark = ready / ".venv" / "mark"
    mark.touch()
    both = [subprocess.Popen([ready / "run"], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(INSTALLED in text for text in said) == 1
    assert not [text for text in said if MADE in text] and mark.exists()
    assert INSTALLED not in start(ready).stdout


@pytest.mark.long
def test_installing_compiles_what_is_loaded_wherever_python_is_told_not_to(ready: Path) -> None:
    (ready / "service" / "commands").mkdir()
    (ready / "service" / "commands" / "main.py").write_text("")
    (ready / "loaded.py").write_text("")
    (ready / "app.py").write_text("import loaded\n\ndef shared_pages(): pass\n")
    (ready / "requirements.txt").write_text("# nothing, once more\n")
    assert INSTALLED in start(ready, PYTHONDONTWRITEBYTECODE="1").stdout
    assert [*(ready / "__pycache__").glob("loaded.*.pyc")]


@pytest.mark.long
def test_lock_that_pip_refuses_is_tried_again_at_the_next_start(ready: Path) -> None:
    for lock, said in (("no-such-package==1 --hash=sha256:" + 64 * "0", "no-such-package"), ("./", "hash")):
        (ready / "requirements.txt").write_text(f"{lock}\n")
        failed = start(ready)
        assert (failed.returncode, said in failed.stderr, "needs the Internet" in failed.stderr) == (1, True, True)
        assert start(ready).returncode == 1
    (ready / "requirements.txt").write_text("# nothing\n")
    assert handed_over(start(ready))["arguments"] == ["serve", "--demo"]


@pytest.mark.long
def test_interrupted_installation_is_repeated(ready: Path) -> None:
    """An installation killed between two steps leaves an environment that looks complete."""
    (ready / "requirements.txt").write_text("# another lock\n")
    backend = ready / "backend.py"
    backend.write_text(BACKEND + "import time; time.sleep(60)\n")
    (ready / "pyproject.toml").write_text(PYPROJECT + "# changed\n")
    killed = subprocess.Popen([ready / "run"], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.startswith("Installing Overseer itself"):
            break
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    backend.write_text(BACKEND)
    again = start(ready)
    assert ".venv again" in again.stdout
    assert handed_over(again)["arguments"] == ["serve", "--demo"]


def test_environment_of_a_moved_checkout_is_made_again(ready: Path, tmp_path: Path) -> None:
    """The scripts in a moved or copied checkout point to the old path."""
    moved = tmp_path / "moved"
    shutil.copytree(ready, moved, symlinks=True)
    first = subprocess.Popen([moved / "run"], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert first.stdout is not None
    assert ".venv again" in first.stdout.readline()  # the test above shows that it is then made
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()


READ_BY_ALL = {
    "Assign", "Attribute", "BinOp", "Call", "Compare", "Constant", "ExceptHandler", "Expr", "If", "Import",
    "ImportFrom", "Load", "Lt", "Eq", "Module", "Name", "Raise", "Slice", "Store", "Subscript", "Try", "Tuple", "alias",
}  # fmt: skip
"""Parts of Python that version 2.7 reads too, if calls have no ``flush=``."""


def test_old_python_is_refused_with_a_message(tmp_path: Path) -> None:
    """The script sees version 3.9, and its message must be printable by that version."""
    assert {type(node).__name__ for node in ast.walk(ast.parse((ROOT / "run").read_text()))} <= READ_BY_ALL
    old = "import collections, runpy, sys; sys.argv = ['./run']; "
    old += "sys.version_info = collections.namedtuple('Old', 'major minor')(3, 9); runpy.run_path('run')"
    done = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Overseer needs Python 3.11 or newer; this is 3.9 (")
    assert len(done.stderr.splitlines()) == 1


USER = "overseer-test"


@pytest.fixture
def for_all() -> Iterator[Path]:
    """A small checkout that root wrote with a closed umask, in a folder that all can open; and no user USER."""
    with tempfile.TemporaryDirectory(prefix="overseer-install-") as folder:
        Path(folder).chmod(0o755)
        checkout = small_checkout(Path(folder) / "overseer")
        shutil.copytree(ROOT / "deploy", checkout / "deploy")
        for path in [checkout, *checkout.rglob("*")]:
            path.chmod(0o700 if path.is_dir() or path.name == "run" else 0o600)
        yield checkout
        subprocess.run(["userdel", USER], capture_output=True)


def by_system(checkout: Path, *words: str, user: str = "root") -> subprocess.CompletedProcess[str]:
    """Run the script with the system's Python, as a user."""
    group = ["--init-groups"] if user == "root" else ["--clear-groups"]
    command = [
        "setpriv",
        f"--reuid={user}",
        f"--regid={user}",
        *group,
        "/usr/bin/python3",
        str(checkout / "run"),
        *words,
    ]
    return subprocess.run(
        command, capture_output=True, text=True, env={"PATH": os.defpath, "PIP_NO_INDEX": "1"}, cwd="/"
    )


@pytest.mark.long
def test_root_installs_for_another_user(for_all: Path) -> None:
    """Needs root, Debian's Python with venv, and makes a user for the time of the test."""
    subprocess.run(["useradd", "--system", USER], check=True)
    for_all.chmod(0o755)
    refused = by_system(for_all, "serve", user=USER)
    assert refused.returncode and "Traceback" not in refused.stderr + refused.stdout
    (for_all / "run").chmod(0o755)
    for word in ("serve", "install"):
        assert f"sudo {for_all}/run install --user {USER}" in by_system(for_all, word, user=USER).stderr
    root = for_all.parent / "image"
    done = by_system(for_all, "install", "--user", USER, "--root", str(root))
    assert done.returncode == 0, done.stdout + done.stderr
    unit = (root / "etc/systemd/system/overseer.service").read_text()
    assert f"User={USER}\nGroup={USER}\n" in unit and f"ExecStart={for_all}/.venv/bin/overseer serve" in unit
    data = root / "var/lib/overseer"
    assert (data.owner(), data.stat().st_mode & 0o777) == (USER, 0o700)
    assert handed_over(by_system(for_all, user=USER))["arguments"] == ["serve", "--demo"]
    hidden, python = for_all.parent / "hidden", for_all / ".venv" / "bin" / "python"
    hidden.mkdir(mode=0o700)
    python.rename(hidden / "python")
    python.symlink_to(hidden / "python")
    assert f"sudo {for_all}/run install --user {USER}" in by_system(for_all, "serve", user=USER).stderr
    for_all.parent.chmod(0o700)
    shut = by_system(for_all, "install", "--user", USER, "--root", str(root))
    assert f"below {for_all.parent}, which {USER} cannot read" in shut.stderr
