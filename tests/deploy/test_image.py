"""The image without a container runtime: the steps of ``deploy/Containerfile`` over Debian's packages, in a chroot."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import children_of, free_port
from tests.kit import sources
from tests.kit.promises import ROOT
from tests.service.test_systems import answer

CONTAINERFILE = ROOT / "deploy" / "Containerfile"
FROM_HERE = ("PIP_", "SSL_", "REQUESTS_CA")
"""How this machine reaches the package index."""


def steps() -> Iterator[tuple[str, str]]:
    for line in CONTAINERFILE.read_text().replace("\\\n", " ").splitlines():
        if line and not line.startswith("#"):
            step, _, rest = line.partition(" ")
            yield step, rest


def debian(folder: Path) -> None:
    """The image that the Containerfile begins with, from the archive that apt uses here."""
    sites = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    name = next(rest for step, rest in steps() if step == "FROM").rpartition("-")[2]
    archive = next(line.split()[1] for line in sites.splitlines() if line.split()[0] == name)
    include = "--include=python3-pip,ca-certificates"
    subprocess.run(
        ["debootstrap", "--variant=minbase", include, name, folder, archive], check=True, capture_output=True
    )
    (folder / "usr/bin/python").symlink_to("python3")
    for file in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(f"/{file}", folder / file)


@pytest.mark.long
def test_image_of_debian_packages_serves(tmp_path: Path) -> None:
    """Needs root, and debootstrap, which root installs; takes minutes."""
    if shutil.which("debootstrap") is None:
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "debootstrap"], check=True)
    image, place, user, port = tmp_path / "image", "/", "root", free_port()
    debian(image)
    plain = {name: value for name, value in os.environ.items() if name.startswith(FROM_HERE)}
    settings = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}
    at_build = plain | settings | {"PIP_BREAK_SYSTEM_PACKAGES": "1"}  # Debian's Python, where the image has its own
    inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", str(image)]
    for step, rest in steps():
        if step == "RUN":
            command = [*inside, "sh", "-ec", f"cd {place}; {rest}"]
            done = subprocess.run(command, env=at_build, capture_output=True, text=True)
            assert done.returncode == 0, f"{rest}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        elif step == "WORKDIR":
            place = rest
            (image / place.strip("/")).mkdir(parents=True, exist_ok=True)
        elif step == "COPY":
            taken = rest.split()[:-1]
            for name in (one for one in sources.committed() if one in taken or one.partition("/")[0] in taken):
                into = image / place.strip("/") / name
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, into)
        elif step == "ENV":
            settings |= dict(re.findall(r"(\w+)=(\S+)", rest))
        elif step == "USER":
            user = rest
        elif step == "CMD":
            command = json.loads(rest)
    settings |= {"PORT": str(port), "HOME": settings["OVERSEER_DATA"]}
    as_user = [*inside, "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "sh", "-c"]
    words = [f"cd {place}; exec {' '.join(command)}"]
    with subprocess.Popen(
        [*as_user, *words], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            found = [answer(f"http://127.0.0.1:{port}{page}", server) for page in ("/healthz", "/readyz", "/")]
        finally:
            for first in children_of(server.pid):  # unshare itself passes no signal on
                os.kill(first, signal.SIGTERM)
        assert server.stdout is not None
        said = server.stdout.read()
    assert found == [200] * 3, said
    assert "WARNING" not in said and "Traceback" not in said, said
    assert (image / "data/overseer.sqlite3").stat().st_uid != 0


def test_compose_files_name_settings_and_volumes_that_exist() -> None:
    """Neither is run: the machine of the tests has no container service."""
    text = "".join((ROOT / "deploy" / name).read_text() for name in ("compose.yaml", "compose.postgres.yaml"))
    guide = (ROOT / "docs" / "operations.md").read_text()
    names = {name for name in re.findall(r"^      (\w+):", text, re.MULTILINE) if name.isupper()} - {
        "POSTGRES_USER", "POSTGRES_PASSWORD",
    }  # fmt: skip
    assert names == {"OVERSEER_DOMAIN", "DATABASE_URL", "OVERSEER_SECRET"}
    assert [name for name in names if f"`{name}`" not in guide] == []
    assert "dockerfile: deploy/Containerfile" in text and 'volumes: ["data:/data"]' in text
    assert ("VOLUME", "/data") in set(steps())
