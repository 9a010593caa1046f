"""What Linux and macOS offer and Windows does not: locks on files, users, and the addresses of this machine.

``service/windows.py`` has the same names. Only this file and ``commands/unix_server.py`` load modules of Unix.
"""

import fcntl
import os
import pwd
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from gunicorn.http.errors import NoMoreData, ParseException

BAD_REQUESTS: tuple[type[Exception], ...] = (ParseException, NoMoreData)
"""What the server raises while a request's body is read."""


def lock_file(path: Path, *, alone: bool) -> IO[bytes]:
    """Lock a file until it is closed or the process ends. Raises BlockingIOError if another process holds it."""
    path.touch(mode=0o600)
    opened = path.open("rb")
    try:
        fcntl.flock(opened, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        opened.close()
        raise
    return opened


def lock_process(path: Path) -> IO[bytes]:
    """Lock a file until it is closed or this process ends, its children or not.

    Raises BlockingIOError if another process holds it.
    """
    opened = path.open("ab")
    try:
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as held:  # EAGAIN or EACCES
        opened.close()
        raise BlockingIOError(str(held)) from held
    return opened


def own_addresses() -> Iterator[str]:
    """The IPv4 addresses of this machine's interfaces, on Linux."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe, 0x8915, struct.pack("256s", name.encode()[:15]))  # Linux's SIOCGIFADDR
                yield socket.inet_ntoa(answer[20:24])


def me() -> int | None:
    return os.geteuid()


def user_name(user: int) -> str:
    """The name of a user of this machine, or "#" and the number, in sudo's form."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"#{user}"
