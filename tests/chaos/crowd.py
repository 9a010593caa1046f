"""Many lines at once that say nothing, or a piece of a request, from several addresses of this machine.

Run as a program: ``python -m tests.chaos.crowd PORT LINES NUMBER SECONDS [silent|begun|long]``. It says "open" when all
lines were opened once, opens anew what the server closes, and says at its end how often that was.
"""

import contextlib
import errno
import resource
import selectors
import socket
import sys
import time

BEGUN = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HEAD = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
SAYS = {
    "silent": (b"",),
    "begun": (BEGUN, HEAD + b"Content-Length: 100\r\n\r\nname="),
    "long": (HEAD + b"Content-Length: 2000000\r\n\r\nname=", HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nn"),
}
OF_ONE_ADDRESS = 2_500
"""Lines from one address: a port can be used anew only a while after its line ended."""


def main(port: int, lines: int, number: int, seconds: float, kind: str) -> None:
    """Hold the lines open for so long."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with selectors.DefaultSelector() as opened:
        for at in range(lines):
            _open(opened, port, at, number, kind)
        sys.stdout.write("open\n")
        sys.stdout.flush()
        anew, until = 0, time.monotonic() + seconds
        while time.monotonic() < until:
            for key, events in opened.select(0.1):
                line, at = key.fileobj, key.data
                assert isinstance(line, socket.socket)
                if events & selectors.EVENT_WRITE and not _failed(line):
                    with contextlib.suppress(OSError):
                        line.send(SAYS[kind][at % len(SAYS[kind])])
                    opened.modify(line, selectors.EVENT_READ, at)
                    continue
                opened.unregister(line)
                line.close()
                anew += 1
                _open(opened, port, at, number, kind)
        for key in list(opened.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
    sys.stdout.write(f"{anew}\n")


def _failed(line: socket.socket) -> bool:
    return line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


def _open(opened: selectors.DefaultSelector, port: int, at: int, number: int, kind: str) -> None:
    line = socket.socket()
    line.setblocking(False)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    line.bind((f"127.0.{number}.{2 + at // OF_ONE_ADDRESS}", 0))
    asked = line.connect_ex(("127.0.0.1", port))
    assert asked in (0, errno.EINPROGRESS), asked
    opened.register(line, selectors.EVENT_WRITE if SAYS[kind][0] else selectors.EVENT_READ, at)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5])
