"""What ``./run release`` makes: the wheel runs in an environment without the checkout."""

import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from languages.catalogues import translated
from tests.browser.server import environment, free_port
from tests.kit.promises import ROOT
from tests.service.test_systems import answer


def test_changelog_gives_the_commit_of_each_earlier_release() -> None:
    """Tags do not arrive everywhere. A release's own commit is written down by the next one."""
    releases = re.findall(
        r"^## (\d\S*) \(\S+?(?:, commit (\w+))?\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert "0.1.0" in dict(releases)
    for release, commit in releases:
        shown = ["git", "-C", str(ROOT), "show", f"{commit}:pyproject.toml"]
        project = subprocess.check_output(shown, text=True) if commit else (ROOT / "pyproject.toml").read_text()
        assert f'\nversion = "{release}"\n' in project, (release, commit)


@pytest.mark.long
def test_released_wheel_serves_without_the_checkout(tmp_path: Path) -> None:
    """Packages other than the wheel are those of this environment."""
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", checkout], check=True)
    (checkout / ".venv").symlink_to(Path(sys.executable).parent.parent)
    state = (checkout / ".venv" / "made-by-run.json").read_text()
    done = subprocess.run(
        [sys.executable, "-c", "from tests.releases.pack import release; release()"],
        capture_output=True,
        text=True,
        cwd=checkout,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (checkout / ".venv" / "made-by-run.json").read_text() == state
    files = sorted((checkout / "dist").iterdir())
    assert [path.suffix for path in files] == [".gz", ".zip", ".whl"]
    with tarfile.open(files[0]) as source, zipfile.ZipFile(files[1]) as zipped:
        packed = {name for name in source.getnames() if not source.getmember(name).isdir()}
        assert packed == {text for text in zipped.namelist() if not text.endswith("/")}
        assert {f"{files[1].stem}/{name}" for name in ("run", "Overseer.bat", "requirements.txt")} <= packed
    fresh = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", fresh], check=True)
    install = [sys.executable, "-m", "uv", "pip", "install", "-q", "--no-deps", "--offline"]
    subprocess.run([*install, "--python", fresh / "bin" / "python", files[2]], check=True)
    port, empty = free_port(), tmp_path / "empty"
    empty.mkdir()
    # No .pth file is read in PYTHONPATH, so the checkout is not found there.
    settings = environment(tmp_path / "data", port) | {"PYTHONPATH": sysconfig.get_path("purelib")}
    command = [str(fresh / "bin" / "overseer"), "serve"]
    with zipfile.ZipFile(files[2]) as wheel:
        assert {f"languages/{code}/messages.po" for code in translated()} <= set(wheel.namelist())
    with subprocess.Popen(command, env=settings, cwd=empty, stderr=subprocess.PIPE, text=True) as server:
        try:
            static = f"http://127.0.0.1:{port}/static/overseer.css"
            assert [answer(text, server) for text in (f"http://127.0.0.1:{port}/readyz", static)] == [200, 200]
        finally:
            server.terminate()
    shutil.rmtree(fresh)
    assert not any(empty.iterdir())
