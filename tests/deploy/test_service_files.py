"""The systemd unit and the Containerfile in deploy/: what they name exists, and the command runs as another user."""

import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.browser.server import free_port
from tests.deploy.test_proxies import WITHIN, end, wait_for

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "overseer.service"
CONTAINER = ROOT / "deploy" / "Containerfile"


def unit() -> ConfigParser:
    """The unit's sections. Of a repeated key the last counts, which is enough here."""
    read = ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # configparser's own way to keep capitals
    read.read(UNIT)
    return read


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="overseer-deploy-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_systemd_accepts_the_unit(open_folder: Path) -> None:
    program = shutil.which("systemd-analyze")
    assert program, "Install systemd: the unit is checked by systemd-analyze"
    script = open_folder / "overseer"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    copy = open_folder / "overseer.service"
    text = UNIT.read_text()
    assert "ExecStart=/opt/overseer/.venv/bin/overseer serve" in text

    def verify(content: str) -> str:
        copy.write_text(content)
        done = subprocess.run([program, "verify", "--man=no", str(copy)], capture_output=True, text=True)
        return "\n".join(line for line in done.stderr.splitlines() if str(copy) in line or "overseer.service" in line)

    sound = text.replace("/opt/overseer/.venv/bin/overseer", str(script))
    assert verify(sound) == ""
    assert "Unknown key" in verify(sound.replace("UMask=", "Umask=")), "the control"


@pytest.mark.proves("attack 61")
def test_the_unit_keeps_files_private_and_restarts_the_service() -> None:
    service = unit()["Service"]
    assert service["User"] not in ("", "root")
    assert (service["UMask"], service["StateDirectoryMode"], service["Restart"]) == ("0077", "0700", "always")
    assert service["ProtectSystem"] == "strict" and service["NoNewPrivileges"] == "yes" and service["MemoryMax"]
    assert service["Environment"] == f"OVERSEER_DATA=/var/lib/{service['StateDirectory']}"


@pytest.mark.proves("attack 61")
def test_the_unit_s_command_runs_as_an_unprivileged_user(open_folder: Path) -> None:
    """With the unit's umask, and nothing of this process's environment. Debian's Python, which every user can run."""
    words = unit()["Service"]["ExecStart"].split()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = scripts[Path(words[0]).name].partition(":")
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    data, port = open_folder / "data", free_port()
    data.mkdir(mode=0o700)
    who: dict[str, object] = {}
    python = sys.executable
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(data, nobody.pw_uid, nobody.pw_gid)
        who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        python = f"/usr/bin/python3.{sys.version_info.minor}"
    program = f"import sys; sys.argv[0] = 'overseer'; from {module} import {function}; {function}()"
    with (open_folder / "said").open("w") as said:
        process = subprocess.Popen(
            [python, "-c", program, *words[1:]], cwd="/", stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            umask=0o077,
            env={"PYTHONPATH": f"{ROOT}:{packages}", "PYTHONDONTWRITEBYTECODE": "1", "OVERSEER_DATA": str(data),
                 "PORT": str(port), "PATH": os.defpath}, **who,  # type: ignore[call-overload]
        )  # fmt: skip
    try:
        wait_for(port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=WITHIN) as answer:
            assert answer.status == 200
        assert Path(f"/proc/{process.pid}").stat().st_uid == data.stat().st_uid
        exposed = [path.name for path in data.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]
        assert (data / "overseer.sqlite3").exists() and exposed == []
    finally:
        end(process)


def test_everything_that_the_containerfile_names_exists() -> None:
    """No container is built here: the tests' machine has no container service."""
    text = CONTAINER.read_text().replace("\\\n", " ")
    steps = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
    copied = [source for step, rest in steps if step == "COPY" for source in rest.split()[:-1]]
    assert [source for source in copied if not (ROOT / source).exists()] == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {name.rstrip("*") for name in packages["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert wanted | {"app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"} <= set(copied)
    (command,) = [json.loads(rest) for step, rest in steps if step == "CMD"]
    assert command[0] in packages["project"]["scripts"]
    (python,) = re.findall(r"FROM python:(\d+\.\d+)", text)
    assert python == packages["project"]["requires-python"].strip(">=")
    (values,) = [rest for step, rest in steps if step == "ENV"]
    settings = (ROOT / "service" / "settings.py").read_text()
    assert all(f'"{name}"' in settings for name in re.findall(r"(\w+)=", values))


def test_settings_of_several_hosts_are_settings_of_overseer() -> None:
    lines = (ROOT / "deploy" / "cluster" / "overseer.env").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    settings = (ROOT / "service" / "settings.py").read_text()
    assert [name for name in values if f'"{name}"' not in settings] == []
    assert "target_session_attrs=read-write" in values["DATABASE_URL"]
