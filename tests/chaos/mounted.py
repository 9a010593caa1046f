"""Disks of a harness's own, which go bad while a service has its data folder there, and are made well again.

A file system in the machine's memory without room or without inodes; and an ext4 in a file, which the kernel makes
read-only under everybody who writes there, as it does by itself where such a disk breaks. (``mount -o remount,ro`` is
refused while anybody may write.) Mounts are for root, and not on every machine: where they are refused the kernel
limits what the server's processes may write instead, and the harness tells so.
"""

import ctypes
import os
import resource
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from tests.chaos.serving import Service

_LIBC = ctypes.CDLL(None, use_errno=True)
ROOM = 16_000_000
"""Bytes of each disk."""
INODES = 64
DETACH = 2
"""Of umount: at once, whoever still has files there."""


class NoMounts(Exception):
    """This machine lets us mount nothing; the message says why."""


class Disk(ABC):
    """A disk for the data of one service."""

    name: ClassVar[str]
    readable: ClassVar[bool] = True
    """What is there can be read while the disk is bad."""

    def __init__(self, folder: Path) -> None:
        """Make it, at this place. Raises NoMounts."""
        self.folder = folder
        folder.mkdir(parents=True)

    @abstractmethod
    def worsen(self, service: Service) -> None:
        """Let it go bad under a service that runs."""

    @abstractmethod
    def mend(self, service: Service) -> None:
        """Make it well again, under the same service."""

    def end(self) -> None:
        """Take it away."""
        _umount(self.folder)


class InMemory(Disk):
    """One of the machine's memory, with so much room and so many inodes."""

    def __init__(self, folder: Path) -> None:
        """Mount it."""
        super().__init__(folder)
        _run("mount", "-t", "tmpfs", "-o", f"size={ROOM},nr_inodes={INODES}", "chaos", str(folder))
        self.filling = folder / "filling"
        self.filling.mkdir()

    def mend(self, service: Service) -> None:
        """Make room."""
        for one in self.filling.iterdir():
            one.unlink()


class NoRoom(InMemory):
    """One that is full to the last byte."""

    name = "no room"

    def worsen(self, service: Service) -> None:
        """Fill it."""
        with suppress(OSError), (self.filling / "all").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))


class NoInodes(InMemory):
    """One where no further file can be made."""

    name = "no inodes"

    def worsen(self, service: Service) -> None:
        """Make files until none can be made."""
        with suppress(OSError):
            for number in range(2 * INODES):
                (self.filling / str(number)).touch()


class ReadOnly(Disk):
    """An ext4 that the kernel makes read-only, because something of it is broken; mended, it is another disk."""

    name = "read-only"

    def __init__(self, folder: Path) -> None:
        """Make it in a file beside the folder, and mount that."""
        super().__init__(folder)
        self.image, self.loop = folder.with_suffix(".1"), ""
        with self.image.open("wb") as file:
            file.truncate(ROOM)
        _run("mkfs.ext4", "-q", "-F", "-N", str(INODES), str(self.image))
        self._mount()

    def _mount(self) -> None:
        self.loop = _run("losetup", "--find", "--show", str(self.image)).strip()
        try:
            _run("mount", "-o", "errors=remount-ro", self.loop, str(self.folder))
        finally:
            _run("losetup", "--detach", self.loop)  # it goes with the mount

    def worsen(self, service: Service) -> None:
        """Let the kernel find a fault. What is written by then is on the disk, as half a minute later it would be."""
        _run("sync", "-f", str(self.folder))
        Path(f"/sys/fs/ext4/{Path(self.loop).name}/trigger_fs_error").write_text("1")

    def mend(self, service: Service) -> None:
        """Check and mend it as an organiser would, and mount it again; whoever has files of the old one has those."""
        mended = self.folder.with_suffix(f".{int(self.image.suffix[1:]) + 1}")
        _run("cp", "--sparse=always", str(self.image), str(mended))
        _run("e2fsck", "-fy", str(mended), ends=(0, 1))
        _umount(self.folder)
        self.image.unlink()
        self.image = mended
        self._mount()


class Limited(Disk):
    """No disk of its own: the kernel lets the server's processes write nothing, where this machine mounts nothing."""

    name = "a limit in place of a mount"
    readable = False  # a database of SQLite makes a file before it is read

    def worsen(self, service: Service) -> None:
        """Nothing may be written."""
        _let_write(service, 0)

    def mend(self, service: Service) -> None:
        """All may be written."""
        _let_write(service, resource.RLIM_INFINITY)

    def end(self) -> None:
        """Nothing is to be taken away."""


def _let_write(service: Service, most: int) -> None:
    assert service.process is not None
    for process in (service.process.pid, *service.workers()):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


@contextmanager
def disk(kind: type[Disk], folder: Path) -> Iterator[Disk]:
    """A disk of this kind at a place, until the block ends. Raises NoMounts where this machine has none such."""
    try:
        made = kind(folder)
    except NoMounts:
        _umount(folder)
        folder.rmdir()
        raise
    try:
        yield made
    finally:
        made.end()


def _run(*words: str, ends: tuple[int, ...] = (0,)) -> str:
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    try:
        done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"PATH": path})
    except OSError as missing:
        raise NoMounts(str(missing)) from missing
    if done.returncode not in ends:
        raise NoMounts(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def _umount(folder: Path) -> None:
    _LIBC.umount2(os.fsencode(folder), DETACH)
