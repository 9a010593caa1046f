"""Caddy as `overseer serve` starts it, nginx with the site in deploy/, the systemd unit and the Containerfile."""

import json
import os
import pwd
import re
import select
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from models.db import open_engine
from service.gunicorn_settings import INSTALL, WITH_OURS, find_caddy
from tests.browser.server import OVERSEER, Server, children_of, environment, free_port, maintenance_of, serving
from tests.conftest import Clock
from tests.kit.certificates import certificate_in
from tests.kit.profiles import full_run
from tests.kit.promises import ROOT
from tests.kit.stage import PASSWORD, Stage

pytestmark = pytest.mark.slow

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
SITE, UNIT, CONTAINER = (ROOT / "deploy" / name for name in ("nginx.conf", "overseer.service", "Containerfile"))
WITHIN = 120.0
"""The most seconds for a process to start or end; it takes a few on an idle machine."""
BEYOND = "127.0.0.2"
"""An address that `overseer serve` treats as reachable from other machines."""
UPLOADS = ("/desk/archive-in",)


READERS, PIPELINED = 44, 200
"""More readers than the two workers have threads, and more answers than a connection's buffers hold."""
STALLED = 200
LARGE = 30
RECEIVE_BUFFER = 2048
PAGE_WITHIN = 15.0
"""The most seconds for a page during an attack, on a busy machine."""
VISITS = 12


def slow_readers(address: str) -> list[socket.socket]:
    """Connections that request the stylesheet 200 times and read nothing."""
    ask = f"GET /static/overseer.css HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode()
    return [_connection(address, ask * PIPELINED) for _ in range(READERS)]


def stalled_posts(address: str, length: int = 100_000) -> list[socket.socket]:
    """Connections that send the header of an upload and a few bytes of its body."""
    head = f"POST /sign-in HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nContent-Length: {length}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\n\r\nname="
    return [_connection(address, (head + form).encode()) for _ in range(STALLED)]


def large_posts(address: str) -> list[socket.socket]:
    """Connections that have sent almost all of 32 MB, or as much as the server accepted."""
    head = f"POST {UPLOADS[0]} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nContent-Length: 32000000\r\n\r\n"
    opened = [_connection(address, head.encode()) for _ in range(LARGE)]
    for a_socket in opened:
        with suppress(OSError):  # refused, or no longer read
            a_socket.sendall(b"a" * 31_000_000)
    return opened


def idle_connections(address: str) -> list[socket.socket]:
    """Connections that send nothing, half a header, or half a chunk."""
    host = urlsplit(address).netloc
    chunked = f"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nna"
    kinds = ("", "GET / HTTP/1.1\r\nHos", chunked)
    return [_connection(address, kinds[number % 3].encode()) for number in range(STALLED)]


def _connection(address: str, sent: bytes) -> socket.socket:
    to = urlsplit(address)
    assert to.hostname and to.port
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    opened.settimeout(PAGE_WITHIN)
    opened.connect((to.hostname, to.port))
    opened.sendall(sent)
    return opened


@contextmanager
def attacked(address: str, *attacks: Callable[[str], list[socket.socket]]) -> Iterator[None]:
    with ExitStack() as opened:
        for an_attack in (a_socket for attack in attacks for a_socket in attack(address)):
            opened.enter_context(an_attack)
        yield


def ask(asked: str | urllib.request.Request, within: float = WITHIN) -> HTTPResponse:
    answer: HTTPResponse = urllib.request.urlopen(asked, timeout=within)  # noqa: S310 - our own server
    return answer


def visit(address: str) -> None:
    """Open a page as other visitors do, for a few seconds. Raises OSError without an answer in time."""
    for _ in range(VISITS):
        with ask(f"{address}/sign-in", PAGE_WITHIN) as answer:
            assert answer.status == 200
        time.sleep(0.25)


UPLOAD_OF_A_FILE = partial(stalled_posts, length=20_000_000)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Path:
    folder = tmp_path_factory.mktemp("deployed")
    (folder / "overseer.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    engine = open_engine(f"sqlite:///{folder / 'overseer.sqlite3'}")
    stage = Stage(engine, Clock(datetime.now(UTC)))
    stage.set_up("Olga")
    stage.s.close()
    engine.dispose()
    return folder


@contextmanager
def nginx(upstream: int, folder: Path) -> Iterator[str]:
    """Run nginx with the site in deploy/, on a free port and for this server's port. Yields its address."""
    assert NGINX, "Install nginx: apt-get install nginx-light"
    port = free_port()
    site = SITE.read_text().replace("listen 80;", f"listen 127.0.0.1:{port};").replace("    listen [::]:80;\n", "")
    assert "server 127.0.0.1:8000;" in site
    site = site.replace("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""  # other users cannot enter pytest's folders
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; worker_processes 2; pid {folder}/pid; error_log stderr;\n"
        f"events {{ worker_connections 2048; }}\nhttp {{ access_log off; {temporary} {site} }}\n"
    )
    with started([NGINX, "-c", str(folder / "nginx.conf")], folder / "said", os.environ):
        wait_for(port)
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def caddy(data: Path) -> Iterator[Server]:
    """The service behind Caddy, which logs every request. Tests share it, also after an attack."""
    with serving(data, "--insist", HOST=BEYOND, OVERSEER_LOG="all") as server:
        yield server


@pytest.fixture(scope="module", params=full_run(["caddy", "nginx"], ["caddy"], ["nginx"]))
def address(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "caddy":
        yield request.getfixturevalue("caddy").address
        return
    folder = tmp_path_factory.mktemp("nginx")
    with (
        serving(data, "--insist", OVERSEER_PROXIES="127.0.0.1") as server,
        nginx(int(server.address.rpartition(":")[2]), folder) as there,
    ):
        yield there


@pytest.mark.proves("attack 47", "attack 71", "F6")
def test_slow_clients_do_not_block_other_visitors(address: str) -> None:
    with attacked(address, slow_readers, stalled_posts, UPLOAD_OF_A_FILE, idle_connections):
        visit(address)


@pytest.mark.proves("attack 47")
def test_large_headers_and_bodies_are_refused(address: str) -> None:
    for headers, length in (({"X-A": "a" * 100_000}, 1), ({}, 40_000_000)):
        asked = urllib.request.Request(f"{address}/sign-in", b"a" * length, headers)  # noqa: S310 - our own server
        with pytest.raises((urllib.error.HTTPError, ConnectionError, urllib.error.URLError)) as refused:
            ask(asked)
        if isinstance(refused.value, urllib.error.HTTPError):
            with refused.value as answer:
                assert answer.status in (400, 413, 431)
    visit(address)


@pytest.mark.sweep
@pytest.mark.proves("attack 47")
def test_large_bodies_of_strangers_do_not_fill_caddys_memory(caddy: Server) -> None:
    before = peak_memory(caddy_of(caddy.process))
    with attacked(caddy.address, large_posts):
        visit(caddy.address)
        assert 10 < before <= peak_memory(caddy_of(caddy.process)) < 300


def test_uploads_are_taken_from_organisers_only(address: str) -> None:
    organiser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    form = urlencode({"csrf_token": token_of(organiser, f"{address}/sign-in"), "name": "Olga", "password": PASSWORD})
    organiser.open(f"{address}/sign-in", form.encode(), timeout=WITHIN).close()
    for path in UPLOADS:
        part = "--b\r\nContent-Disposition: form-data; name="
        head = f'{part}"csrf_token"\r\n\r\n{token_of(organiser, address + path)}\r\n'
        head += f'{part}"file"; filename="a.json"\r\n\r\n'
        body = head.encode() + b"a" * 9_000_000 + b"\r\n--b--\r\n"
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        sent = urllib.request.Request(f"{address}{path}", body, kind)  # noqa: S310 - our own server
        with pytest.raises(urllib.error.HTTPError) as read:
            organiser.open(sent, timeout=WITHIN)
        with read.value as answer:
            assert (answer.status, b"</html>" in answer.read()) == (422, True), path  # Overseer has read all of it


@pytest.mark.proves("attack 20")
def test_client_address_is_the_one_that_the_proxy_saw(caddy: Server, data: Path) -> None:
    """A client's own X-Forwarded-For and X-Request-Id do not reach the log."""
    forged = {"X-Forwarded-For": "6.6.6.6", "X-Request-Id": "forged-forged-forged"}
    asked = urllib.request.Request(f"{caddy.address}/", headers=forged)  # noqa: S310 - our own server
    ask(asked).close()
    said = (data / "said.txt").read_text()
    (line,) = [line for line in said.splitlines() if '"/"' in line]
    assert '"client": "127.0.0.1"' in line and "6.6.6.6" not in said and "forged" not in said


def test_restart_shows_a_message(tmp_path: Path) -> None:
    caddy, nobody = free_port(), free_port()
    values = {"OVERSEER_SITE": f"http://127.0.0.1:{caddy}", "OVERSEER_UPSTREAM": f"127.0.0.1:{nobody}",
              "HOME": str(tmp_path), "OVERSEER_CADDY_DATA": str(tmp_path)}  # fmt: skip
    program, reason = find_caddy(values)
    assert not reason
    with (
        started([program, "run", *WITH_OURS], tmp_path / "caddy", os.environ | values),
        nginx(nobody, tmp_path) as other,
    ):
        wait_for(caddy)
        for address in (f"http://127.0.0.1:{caddy}", other):
            with pytest.raises(urllib.error.HTTPError) as refused:
                ask(address)
            with refused.value as answer:
                assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
                assert b"What you typed is kept on your phone" in answer.read()


@contextmanager
def started(command: Sequence[str], said: Path, env: Mapping[str, str], **more: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a command in its own process group until the block ends; its output goes to ``said``."""
    with said.open("w") as out:
        process: subprocess.Popen[Any] = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, process_group=0, **more
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def reachable(data: Path, said: Path) -> Iterator[tuple[subprocess.Popen[Any], str]]:
    port = free_port()
    with started([*OVERSEER, "serve", "--insist"], said, environment(data, port) | {"HOST": BEYOND}) as process:
        wait_for(port, BEYOND)
        yield process, f"http://{BEYOND}:{port}"


@pytest.mark.sweep
@pytest.mark.parametrize("killed", full_run(["server", "caddy"], ["server"]))
def test_server_and_proxy_end_together(data: Path, tmp_path: Path, killed: str) -> None:
    with reachable(data, tmp_path / "said") as (process, _), ExitStack() as handles:
        caddy, (maintenance,) = caddy_of(process.pid), maintenance_of(process.pid)
        opened = [os.pidfd_open(number) for number in (process.pid, caddy, maintenance)]
        for handle in opened:
            handles.callback(os.close, handle)
        os.kill(process.pid if killed == "server" else caddy, signal.SIGKILL)
        for handle in opened:
            ended = select.poll()
            ended.register(handle, select.POLLIN)
            assert ended.poll(WITHIN * 1000), "a process outlived the others"
        assert process.wait(WITHIN) == (-signal.SIGKILL if killed == "server" else 1)


@pytest.mark.sweep
def test_ctrl_c_ends_the_server_and_its_proxy_without_an_error(data: Path, tmp_path: Path) -> None:
    """A terminal sends SIGINT to the whole process group."""
    with reachable(data, tmp_path / "said") as (process, address):
        visit(address)  # until all workers have started
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(WITHIN) == 0
        assert "ERROR" not in (tmp_path / "said").read_text()


@pytest.mark.sweep
@pytest.mark.proves("attack 61")
def test_domain_is_served_with_a_certificate(data: Path, tmp_path: Path) -> None:
    """desk.localhost gets a certificate from Caddy's own authority; on the Internet browsers know the authority."""
    domain, http, https = "desk.localhost", free_port(), free_port()
    settings = {"HOST": BEYOND, "OVERSEER_DOMAIN": domain, "OVERSEER_HTTP_PORT": str(http),
                "OVERSEER_HTTPS_PORT": str(https)}  # fmt: skip
    with started([*OVERSEER, "serve", "--insist"], tmp_path / "said", environment(data, 1) | settings) as process:
        root = data / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        until = time.monotonic() + WITHIN
        while "200" not in (answer := ask_over_tls(root, domain, https)):
            assert time.monotonic() < until and process.poll() is None, answer
            time.sleep(0.2)
        assert re.search("(?i)strict-transport-security: max-age=63072000", answer)
        private = [path for path in (data / "caddy").rglob("*") if stat.S_IMODE(path.lstat().st_mode) & 0o077]
        assert private == []


@pytest.mark.sweep
def test_own_certificate_is_served_and_none_is_fetched(data: Path, tmp_path: Path) -> None:
    """As in a hall without the Internet: the certificate was made beforehand, by an authority that the phone trusts."""
    domain, http, https = "hall.localhost", free_port(), free_port()
    folder = tmp_path / "a club's certificate"
    root = certificate_in(folder, domain)
    settings = {"HOST": BEYOND, "OVERSEER_DOMAIN": domain, "OVERSEER_HTTP_PORT": str(http),
                "OVERSEER_HTTPS_PORT": str(https), "OVERSEER_CERTIFICATE": str(folder)}  # fmt: skip
    with started([*OVERSEER, "serve", "--insist"], tmp_path / "said", environment(data, 1) | settings) as process:
        until = time.monotonic() + WITHIN
        while "200" not in (answer := ask_over_tls(root, domain, https)):
            assert time.monotonic() < until and process.poll() is None, answer
            time.sleep(0.2)
        assert not list((data / "caddy").rglob(f"{domain}*")), "Caddy made and fetched none"


def token_of(browser: urllib.request.OpenerDirector, address: str) -> str:
    with browser.open(address, timeout=WITHIN) as page:
        return str(re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', page.read().decode())[0])


def caddy_of(server: int) -> int:
    commands = {child: Path(f"/proc/{child}/cmdline").read_text() for child in children_of(server)}
    (found,) = (number for number, command in commands.items() if "caddy" in command.partition("\0")[0])
    return found


def peak_memory(process: int) -> float:
    """The peak memory of a process, in MB."""
    (line,) = (line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1000


def ask_over_tls(root: Path, domain: str, port: int) -> str:
    """The answer to GET /sign-in over TLS, or the error. The certificate is verified."""
    try:
        context = ssl.create_default_context(cafile=root)
        with (
            socket.create_connection((BEYOND, port), timeout=WITHIN) as plain,
            context.wrap_socket(plain, server_hostname=domain) as secure,
        ):
            secure.sendall(f"GET /sign-in HTTP/1.1\r\nHost: {domain}\r\nConnection: close\r\n\r\n".encode())
            return secure.recv(4096).decode(errors="replace")
    except OSError as failed:
        return f"{failed!r}"


def wait_for(port: int, host: str = "127.0.0.1") -> None:
    until = time.monotonic() + WITHIN
    while True:
        try:
            socket.create_connection((host, port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < until, f"nothing listens on port {port}"
            time.sleep(0.05)


def unit() -> ConfigParser:
    """The unit's sections. Of a repeated key only the last value is kept, which is enough here."""
    read = ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # configparser's own way to keep capitals
    read.read(UNIT)
    return read


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter, unlike pytest's folders."""
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
    (place,) = re.findall(r"(?m)^OVERSEER_BACKUP_TO=(/\w+)/", (ROOT / "docs" / "operations.md").read_text())
    assert f"-{place}" in service["ReadWritePaths"].split(), "the guide's disk for copies can be written"
    assert service["Environment"] == f"OVERSEER_DATA=/var/lib/{service['StateDirectory']}"


OLD = "Error: deploy/Caddyfile:9: unrecognized global option: persist_config"
"""What Debian 12's Caddy 2.6 says."""


@pytest.mark.sweep
@pytest.mark.proves("attack 61")
@pytest.mark.parametrize("older", [False, True])
def test_units_command_runs_as_an_unprivileged_user_and_without_caddy(open_folder: Path, older: bool) -> None:
    """With the unit's umask, an empty environment, and Debian's Python, which every user can run.

    ``older``: a Caddy is installed that cannot read deploy/Caddyfile.
    """
    words = unit()["Service"]["ExecStart"].split()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = scripts[Path(words[0]).name].partition(":")
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    data, port = open_folder / "data", free_port()
    data.mkdir(mode=0o700)
    who: dict[str, object] = {}
    installed = Path(sys.executable).resolve()
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(data, nobody.pw_uid, nobody.pw_gid)
        who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        installed = Path(f"/usr/bin/python3.{sys.version_info.minor}")
    python = open_folder / "python"  # no Caddy of this machine is next to it
    python.symlink_to(installed)
    reason = "Caddy was not found."
    if older:
        stub = open_folder / "caddy"
        stub.write_text(f'#!/bin/sh\necho "{OLD}" >&2\nexit 1\n')
        stub.chmod(0o755)
        reason = f"{stub} is another version: {OLD.removeprefix('Error: ')}."
    program = f"import sys; sys.argv[0] = 'overseer'; from {module} import {function}; {function}()"
    env = {"PYTHONPATH": f"{ROOT}:{packages}", "PYTHONDONTWRITEBYTECODE": "1", "OVERSEER_DATA": str(data),
           "HOST": BEYOND, "PORT": str(port), "PATH": str(open_folder)}  # fmt: skip
    said = open_folder / "said"
    with started([str(python), "-c", program, *words[1:]], said, env, cwd="/", umask=0o077, **who) as process:
        wait_for(port, BEYOND)
        with ask(f"http://{BEYOND}:{port}/readyz") as answer:
            assert answer.status == 200
        assert Path(f"/proc/{process.pid}").stat().st_uid == data.stat().st_uid
        exposed = [path.name for path in data.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]
        assert (data / "overseer.sqlite3").exists() and exposed == []
        warning = f"WARNING: Slow clients can block the server. {reason} {INSTALL}"
        assert [line for line in said.read_text().splitlines() if "Caddy" in line] == [warning]


def test_domain_needs_a_caddy_that_reads_our_file(data: Path, tmp_path: Path) -> None:
    """Without one there would be no https, and nothing would listen at the domain."""
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    settings = {"HOST": BEYOND, "OVERSEER_DOMAIN": "desk.localhost", "OVERSEER_HTTP_PORT": str(free_port()),
                "OVERSEER_HTTPS_PORT": str(free_port()), "PATH": str(tmp_path),
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}  # fmt: skip
    done = subprocess.run(
        [python, OVERSEER[1], "serve", "--insist"], env=environment(data, 1) | settings, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1, f"Error: OVERSEER_DOMAIN needs Caddy. Caddy was not found. {INSTALL}",
    )  # fmt: skip


def test_every_file_named_in_the_containerfile_exists() -> None:
    text = CONTAINER.read_text().replace("\\\n", " ")
    steps = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
    copied = [source for step, rest in steps if step == "COPY" for source in rest.split()[:-1]]
    assert [source for source in copied if not (ROOT / source).exists()] == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {name.rstrip("*") for name in packages["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert wanted | {"app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"} <= {
        Path(source).parts[0] for source in copied
    }
    (command,) = [json.loads(rest) for step, rest in steps if step == "CMD"]
    assert command[0] in packages["project"]["scripts"]


def test_every_setting_named_in_deploy_exists() -> None:
    (values,) = re.findall(r"^ENV (.*)$", CONTAINER.read_text().replace("\\\n", " "), re.MULTILINE)
    cluster = (ROOT / "deploy" / "cluster" / "overseer.env").read_text()
    named = re.findall(r"(\w+)=", values) + re.findall(r"^(\w+)=", cluster, re.MULTILINE)
    settings = (ROOT / "service" / "settings.py").read_text()
    assert named and [name for name in named if f'"{name}"' not in settings] == []
    assert re.search(r"^DATABASE_URL=.*target_session_attrs=read-write", cluster, re.MULTILINE)
