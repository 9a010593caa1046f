"""The image, built by buildah from Debian's packages, and the services of both compose files, run from it.

Needs root, Debian's archive and the package index. No registry: the image that the Containerfile begins with is made of
Debian's packages, PostgreSQL is Debian's, and buildah runs commands in a chroot, in a network of the test's own.
"""

import json
import lzma
import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from service.settings import read_settings
from tests.kit import sources
from tests.kit.certificates import certificate_in
from tests.kit.promises import ROOT
from tests.releases.make import DATA

DEPLOY = ROOT / "deploy"
(BASE,) = re.findall(r"^FROM (.+)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
SUITE = BASE.rpartition("-")[2]
DOMAIN, SITE = "club.example", "https://club.example"
RELEASE = DATA / "0.3.0"  # has other tables than today
IN_CHROOT = ("--isolation", "chroot")
CERTIFICATE = "/data/certificate/fullchain.pem"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
TOOLS = f"""FROM {BASE}
RUN apt-get update && apt-get install -y --no-install-recommends curl docker-compose postgresql-17
RUN mkdir /var/lib/postgresql/data"""
FIRST = f"""FROM scratch
ADD debian /
RUN ln -sf python3 /usr/bin/python
ENV PIP_BREAK_SYSTEM_PACKAGES=1 PIP_CERT={CERTIFICATES} SSL_CERT_FILE={CERTIFICATES}"""
"""Debian's Python, where the image has its own; and how this machine reaches the package index."""


@dataclass(frozen=True)
class Machine:
    """One host with the built image: what a container runtime would do is done by buildah."""

    folder: Path
    network: str
    settings: dict[str, Any] = field(default_factory=dict)

    def buildah(self, *words: str | Path) -> list[str]:
        store = ["--root", f"{self.folder}/store", "--runroot", f"{self.folder}/run", "--storage-driver", "overlay"]
        return ["buildah", *store, *map(str, words)]

    def build(self, file: Path, tag: str, context: Path) -> None:
        run(self.buildah("build", *IN_CHROOT, "--network=host", "--pull=never", "-f", file, "-t", tag, context))

    def inside(self, service: str, *words: str, options: Iterable[str] = ()) -> list[str]:
        """Run a command in a container of the service, in the network of the test."""
        network = ["ip", "netns", "exec", self.network]
        return [*network, *self.buildah("run", *IN_CHROOT, *options, service, "--", *words)]

    def command(self, service: str, *words: str, user: str = "") -> list[str]:
        """What `compose exec` and `compose run` do, with the environment and volumes that compose gave the service."""
        given = self.settings["services"][service]
        more = [f"--env={name}={value}" for name, value in given.get("environment", {}).items()]
        more += [f"--volume={self.folder}/{entry['source']}:{entry['target']}" for entry in given["volumes"]]
        more += [f"--user={user}"] if user else []
        return self.inside(service, *words, options=more)

    def volume(self, name: str, service: str, user: str) -> Path:
        """An empty volume, which belongs to a user of the image."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        own, group = (
            int(run(self.buildah("run", *IN_CHROOT, service, "--", "id", which, user))) for which in ("-u", "-g")
        )
        os.chown(folder, own, group)
        return folder

    def curl(self, page: str) -> list[str]:
        """A command that fails unless the page is answered over TLS; it runs next to the database."""
        return self.inside(
            "database", "curl", "--fail", "--silent", "--output", "/dev/null", "--cacert", CERTIFICATE, f"{SITE}{page}",
            options=[f"--volume={self.folder}/data:/data"],
        )  # fmt: skip

    @contextmanager
    def up(self, service: str, command: list[str], healthy: list[str]) -> Iterator[Path]:
        """The service runs, and its log is in the file."""
        log = self.folder / f"{service}.log"
        with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output) as started:
            try:
                until = time.monotonic() + 120
                while subprocess.run(healthy, capture_output=True).returncode:
                    assert started.poll() is None and time.monotonic() < until, log.read_text()
                    time.sleep(0.2)
                yield log
            finally:
                if started.poll() is None:
                    os.kill(next(filter(is_not_buildah, under(started.pid))), signal.SIGTERM)  # which passes none on
                started.wait(60)


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def is_not_buildah(process: int) -> bool:
    return b"buildah" not in Path(f"/proc/{process}/cmdline").read_bytes()


def under(process: int) -> Iterator[int]:
    for thread in Path(f"/proc/{process}/task").iterdir():  # buildah starts processes from any of its threads
        for child in map(int, (thread / "children").read_text().split()):
            yield child
            yield from under(child)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The image of the Containerfile, and another one with Debian's PostgreSQL and compose's reader of files."""
    needed = [name for name in ("debootstrap", "buildah") if shutil.which(name) is None]
    if needed:
        run(["apt-get", "install", "-y", "--no-install-recommends", *needed])
    folder, network = tmp_path_factory.mktemp("image"), f"overseer-{os.getpid()}"
    machine = Machine(folder, network)
    archive = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]).split()[0]
    include = "--include=python3-pip,ca-certificates"
    run(["debootstrap", "--variant=minbase", include, SUITE, f"{folder}/debian", archive])
    shutil.copy(CERTIFICATES, f"{folder}/debian{CERTIFICATES}")
    for name, text in (("first", FIRST), ("tools", TOOLS)):
        (folder / name).write_text(text)
    for name in sources.committed():
        if not name.startswith(("tests/", "docs/")):
            (folder / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / "checkout" / name)
    run(["ip", "netns", "add", network])
    try:
        machine.build(folder / "first", f"localhost/{BASE}", folder)
        machine.build(folder / "tools", "localhost/tools", folder / "checkout" / "deploy")
        machine.build(DEPLOY / "Containerfile", "localhost/overseer", folder / "checkout")
        for service, image in (("overseer", "overseer"), ("database", "tools")):
            hosts = [f"--add-host={name}:127.0.0.1" for name in (DOMAIN, "database")]
            run(machine.buildah("from", "--pull=never", "--name", service, *hosts, f"localhost/{image}"))
        run(machine.buildah("config", "--volume=/data-", "overseer"))  # else an empty one hides the one that is given
        run(["ip", "netns", "exec", network, "ip", "link", "set", "lo", "up"])
        yield machine
    finally:
        run(["ip", "netns", "delete", network])
        subprocess.run(machine.buildah("rm", "--all"), capture_output=True)
        subprocess.run(machine.buildah("rmi", "--all", "--force"), capture_output=True)


def settings_of(machine: Machine, files: tuple[str, ...]) -> dict[str, Any]:
    """What compose makes of its files and the filled-in example of settings."""
    deploy = machine.folder / "checkout" / "deploy"
    typed = {
        "OVERSEER_DOMAIN": DOMAIN, "POSTGRES_PASSWORD": "a" * 32, "OVERSEER_SECRET": secrets.token_hex(32),
        "OVERSEER_CERTIFICATE": "/data/certificate", "OVERSEER_BACKUP_TO": "/data/usb",
        "OVERSEER_BACKUP_PASSWORD": "twelve letters at least",
    }  # fmt: skip
    example = (DEPLOY / "overseer.env.example").read_text()
    for name, value in typed.items():
        example, times = re.subn(f"^#?{name}=.*$", f"{name}={value}", example, flags=re.MULTILINE)
        assert times == 1, name
    (deploy / ".env").write_text(example)
    named = [word for name in files for word in ("-f", f"/checkout/deploy/{name}")]
    reader = ["docker-compose", *named, "config", "--format", "json"]
    volume = f"--volume={machine.folder}/checkout:/checkout"
    made: dict[str, Any] = json.loads(run(machine.inside("database", *reader, options=[volume])))
    return made


@pytest.mark.proves("attack 98")
@pytest.mark.long
@pytest.mark.parametrize("files", [("compose.yaml",), ("compose.yaml", "compose.postgres.yaml")])
def test_services_upgrade_copy_and_restore_from_the_image(machine: Machine, files: tuple[str, ...]) -> None:
    machine = Machine(machine.folder, machine.network, settings_of(machine, files))
    sysctls = machine.settings["services"]["overseer"]["sysctls"]
    network = ["ip", "netns", "exec", machine.network]
    run([*network, "sysctl", "-w", *(f"{name}={value}" for name, value in sysctls.items())])
    data = machine.volume("data", "overseer", "overseer")
    certificate_in(data / "certificate", DOMAIN)
    if len(files) == 1:
        (data / "overseer.sqlite3").write_bytes(lzma.decompress((RELEASE / "sqlite3.xz").read_bytes()))
        run_upgrade(machine, data)
        return
    (data / "old.pgdump").write_bytes(lzma.decompress((RELEASE / "pgdump.xz").read_bytes()))
    database = machine.settings["services"]["database"]
    machine.volume("database", "database", "postgres")
    programs, home = "/usr/lib/postgresql/17/bin", "/var/lib/postgresql"
    start = (
        f"{programs}/initdb -D {home}/data -U $POSTGRES_USER -A scram-sha-256 -E UTF8 --locale=C.UTF-8 "
        f"--pwfile=<(echo $POSTGRES_PASSWORD) && exec {programs}/postgres -D {home}/data -k ''"
    )
    healthy = machine.command("database", database["healthcheck"]["test"][1], "-h", "127.0.0.1")
    with machine.up("database", machine.command("database", "bash", "-c", start, user="postgres"), healthy):
        address = machine.settings["services"]["overseer"]["environment"]["DATABASE_URL"]
        run(
            machine.command(
                "overseer", "psql", f"{address.rpartition('/')[0]}/postgres", "-c", "CREATE DATABASE overseer"
            )
        )
        restore = ("pg_restore", "--no-owner", f"--dbname={address}", "/data/old.pgdump")
        run(machine.command("overseer", *restore))
        run_upgrade(machine, data)


def run_upgrade(machine: Machine, data: Path) -> None:
    """Serve data of the last release, look, copy, lose an event, restore."""
    for path in [data, *data.rglob("*")]:
        os.chown(path, data.stat().st_uid, data.stat().st_gid)
        path.chmod(0o700 if path.is_dir() else 0o600)
    overseer, healthy = machine.command("overseer", "overseer"), machine.curl("/readyz")
    serve = [*overseer, "serve"]
    with machine.up("overseer", serve, healthy) as log:
        assert "before-upgrade" in run([*overseer, "backup", "--list"])
        run(machine.curl(run([*overseer, "set-up-link"]).strip().removeprefix(SITE)))
        once = run([*overseer, "maintain", "once"])
        run([*overseer, "backup"])
    assert "WARNING" not in log.read_text() and "Traceback" not in log.read_text()
    assert "read back 20" in once, once
    assert "Restored" in run([*overseer, "restore", "newest", "--yes"])
    with machine.up("overseer", serve, healthy):
        assert "every check passed" in run([*overseer, "doctor"])


def test_versions_agree_and_the_example_names_each_setting() -> None:
    guide = (ROOT / "docs" / "operations.md").read_text().partition("## Settings")[2].partition("## Mail")[0]
    named = set(re.findall(r"`([A-Z_]+)`", "\n".join(line.split("|")[1] for line in guide.splitlines() if "|" in line)))
    example = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", (DEPLOY / "overseer.env.example").read_text(), re.MULTILINE))
    assert named - example.keys() == {"OVERSEER_DATA"}
    others = {"POSTGRES_PASSWORD", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
    assert example.keys() - named == others
    own = {"OVERSEER_CERTIFICATE", "OVERSEER_BACKUP_TO"}  # a folder and a program of the container
    values = {name: value for name, value in example.items() if value and name not in own}
    assert read_settings(values, make=False).mail is not None
    (server,) = re.findall(r"image: postgres:(\d+-\w+)", (DEPLOY / "compose.postgres.yaml").read_text())
    (client,) = re.findall(r"postgresql-client-(\d+)", (DEPLOY / "Containerfile").read_text())
    assert server == f"{client}-{SUITE}"
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text().split(), "it has passwords"
