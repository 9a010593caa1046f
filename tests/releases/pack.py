"""Makes the files that others fetch: ``./run release COMMIT``."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from service.checkout import PROJECT, ROOT, pip_wheel, run_quietly


def release(commit: str = "HEAD") -> None:
    """Make the files that others fetch, from a commit."""
    git = ["git", "-C", str(ROOT)]
    subprocess.run(
        [sys.executable, "-m", "languages.update", "--check"], cwd=ROOT, stderr=subprocess.DEVNULL, check=True
    )
    project = run_quietly("there is no such commit here", [*git, "show", f"{commit}:{PROJECT}"])
    version = tomllib.loads(project)["project"]["version"]
    name, dist = f"overseer-{version}", ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for kind in ("tar.gz", "zip"):
        archive = [*git, "archive", f"--prefix={name}/", "-o", str(dist / f"{name}.{kind}"), commit]
        run_quietly("the source could not be packed", archive)
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(dist / f"{name}.zip", folder)
        pip = [sys.executable, f"{pip_wheel()}/pip", "--disable-pip-version-check", "wheel", "--no-build-isolation"]
        run_quietly("the wheel could not be built", [*pip, "--no-deps", "-w", str(dist), str(Path(folder) / name)])
    for path in sorted(dist.glob(f"overseer*{version}*")):
        sys.stdout.write(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}\n")


if __name__ == "__main__":
    release(*sys.argv[1:2])
