"""Requests that no browser sends, byte by byte to the real server: smuggled and endless ones."""

import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chaos.serving import Service

SMUGGLED = b"GET /no-such-page-smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEAD = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
BOUNDARIES = {
    "length and chunks": HEAD + b"Content-Length: 4\r\n" + CHUNKED + b"\r\n0\r\n\r\n" + SMUGGLED,
    "chunks and length": HEAD + CHUNKED + b"Content-Length: 4\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "chunks twice": HEAD + CHUNKED + CHUNKED + b"\r\n0\r\n\r\n" + SMUGGLED,
    "chunks and something": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "nearly chunks": HEAD + b"Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n" + SMUGGLED,
    "two lengths": HEAD + b"Content-Length: 0\r\nContent-Length: 9\r\n\r\n" + SMUGGLED,
    "a length with a sign": HEAD + b"Content-Length: +0\r\n\r\n" + SMUGGLED,
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n" + SMUGGLED,
    "a length in hex": HEAD + b"Content-Length: 0x0\r\n\r\n" + SMUGGLED,
    "a space before the colon": HEAD + b"Content-Length : 0\r\n\r\n" + SMUGGLED,
    "a folded header": HEAD + b"Content-Length: 0\r\n 5\r\n\r\n" + SMUGGLED,
    "a bad chunk": HEAD + CHUNKED + b"\r\n0x0\r\n\r\n" + SMUGGLED,
    "a negative chunk": HEAD + CHUNKED + b"\r\n-1\r\n\r\n" + SMUGGLED,
    "NUL in a header": HEAD + b"X-A: b\x00c\r\nContent-Length: 0\r\n\r\n" + SMUGGLED,
    "a line of its own in a header": HEAD + b"X-A: b\rX-B: c\r\nContent-Length: 0\r\n\r\n" + SMUGGLED,
}
TOO_MUCH = {
    "a header of 100 KB": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"a" * 100_000 + b"\r\n\r\n",
    "500 headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: b\r\n" * 500 + b"\r\n",
    "an address of 10 KB": b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "no protocol": b"GET /\r\n\r\n",
    "another protocol": b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    "no request": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200 + b"\r\n\r\n",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Iterator[Service]:
    """One server for all of these; what they do to it must not matter."""
    folder = tmp_path_factory.mktemp("raw")
    (folder / "overseer.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    service = Service(f"sqlite:///{folder / 'overseer.sqlite3'}", folder)
    service.start()
    yield service
    service.stop()


@contextmanager
def line(server: Service) -> Iterator[socket.socket]:
    """A connection to the server, which nobody waits on for ever."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as opened:
        yield opened


def answered(server: Service, sent: bytes) -> bytes:
    """All that the server says until it closes the line, or until its first answer is whole."""
    received = b""
    with line(server) as opened:
        try:
            opened.sendall(sent)
            opened.shutdown(socket.SHUT_WR)
            while piece := opened.recv(65_536):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            return received
    return received


def is_well(server: Service) -> bool:
    """Whether it answers others."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/healthz", timeout=30) as answer:
        return bool(answer.status == 200)


@pytest.mark.proves("attack 47", "ASVS 4.2.1")
def test_no_second_request_is_read_out_of_a_first(server: Service) -> None:
    """The control: a second request behind a whole one is answered, so a smuggled one would be."""
    first = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    assert answered(server, first + SMUGGLED).count(b"HTTP/1.1 ") == 2
    wrong = {}
    for name, sent in BOUNDARIES.items():
        received = answered(server, sent)
        statuses = [part.split(b" ", 1)[0] for part in received.split(b"HTTP/1.1 ")[1:]]
        if not statuses or statuses[0] not in (b"400", b"501") or len(statuses) > 1:
            wrong[name] = received[:200]
    assert wrong == {}
    assert is_well(server)


@pytest.mark.proves("attack 47")
def test_oversized_and_malformed_requests_are_refused(server: Service) -> None:
    for name, sent in TOO_MUCH.items():
        received = answered(server, sent)
        assert received.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505")) or received == b"", name
        assert b"Traceback" not in received, name
        assert is_well(server), name


@pytest.mark.proves("attack 38", "ASVS 5.2.1")
def test_a_body_in_pieces_without_end_is_refused(server: Service) -> None:
    """A chunked body has no length header; the limit is the same."""
    piece = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
    received, sent = b"", 0
    with line(server) as opened:
        try:
            opened.sendall(HEAD + CHUNKED + b"\r\n")
            while sent < 20_000_000:
                opened.sendall(piece)
                sent += 65_536
            opened.sendall(b"0\r\n\r\n")
            opened.shutdown(socket.SHUT_WR)
        except (ConnectionResetError, BrokenPipeError):
            pass
        while part := opened.recv(65_536):
            received += part
    assert received.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400")), received[:200]
    assert is_well(server)
