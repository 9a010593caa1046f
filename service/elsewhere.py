"""Copies of the database on another disk or machine: encrypted, every_nth out and read back by the program restic.

The place is one that restic knows: a folder, ``sftp:user@host:/folder``, ``s3:https://host/bucket``. Each snapshot has
the newest copy of ``service.backups`` and the file ``secret``, so that a new machine serves the same private links.
"""

import logging
import os
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.util.exc import CommandError
from sqlalchemy.exc import DBAPIError

from service.backups import Backup, NoBackup, backups_in, faults_of_copy, folder_of
from service.conversations import TOO_LONG, conversation
from service.health import Elsewhere, copies_elsewhere, keep_elsewhere
from service.private_files import write_private
from service.settings import Settings

log = logging.getLogger("overseer.elsewhere")

KEPT = ("--keep-last=24", "--keep-daily=14", "--keep-weekly=8")
"""The snapshots to keep; the oldest is eight weeks old."""
READ_BACK_EVERY, LOOK_EVERY = timedelta(days=7), timedelta(days=1)
LONGEST = timedelta(hours=2)
"""The time after which a transfer is given up."""
SECRET = "secret"  # noqa: S105 - the name of a file
NONE_YET = "Is there a repository"


def restic(settings: Settings, *arguments: str, folder: Path | None = None) -> str:
    """Run restic on the place of the settings; returns its output. Raises NoBackup with its first line of errors."""
    environment = os.environ | {
        "RESTIC_REPOSITORY": settings.backup_to,
        "RESTIC_PASSWORD": settings.backup_password,
    }
    command = ["restic", "--quiet", "--no-cache", *arguments]
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell, and the place comes from the operator
            command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    except OSError as failed:
        raise NoBackup(f"restic: {failed}") from failed
    with process, conversation(process.kill, LONGEST.total_seconds()) as is_late:
        output, errors = process.communicate()
    if process.returncode:
        lines = [TOO_LONG] if is_late() else errors.strip().splitlines()
        raise NoBackup(f"restic: {' '.join(lines[:2]) if lines else f'exit status {process.returncode}'}")
    return output


def look_after_elsewhere(settings: Settings, now: datetime) -> Elsewhere:
    """Send the newest copy if it is not there yet, look for it once a day, and read one back once a week.

    Faults are logged and kept.
    """
    before = copies_elsewhere(settings.data, settings.backup_to)
    newest = next(
        (backup for backup in backups_in(folder_of(settings.data), now) if backup.why != "before-restore"), None
    )
    is_fresh = before.tried is not None and abs(now - before.tried) < LOOK_EVERY
    if newest is None or (newest.at == before.sent and is_fresh and not before.fault):
        return before
    after = replace(before, tried=now, fault="")
    try:
        if before.sent and is_empty(settings):
            after = Elsewhere(before.place, tried=now)
        if newest.at != after.sent:
            send(settings, newest)
            after = replace(after, sent=newest.at)
        if after.read_back is None or abs(now - after.read_back) >= READ_BACK_EVERY:
            read_back(settings)
            restic(settings, "forget", "--group-by=host", *KEPT, "--prune")
            after = replace(after, read_back=now)
    except Exception as failed:  # of whatever kind: staff read it, and the next copy is sent all the same
        expected = isinstance(failed, NoBackup | OSError)
        fault = ("" if expected else f"{type(failed).__name__}: ") + str(failed).partition("\n")[0]
        log.error("no copy elsewhere: %s", fault, exc_info=not expected)
        after = replace(after, fault=fault)
    keep_elsewhere(settings.data, after)
    return after


def is_empty(settings: Settings) -> bool:
    """Whether the place has no copy, as after it was deleted. Raises NoBackup."""
    try:
        return restic(settings, "snapshots", "--no-lock", "--json", "--host=overseer").strip() in ("null", "[]")
    except NoBackup as failed:
        if NONE_YET not in str(failed):
            raise
        return True


def send(settings: Settings, copy: Backup) -> None:
    """Send a copy and the file ``secret``; the first time, make the repository. Raises NoBackup."""
    try:
        restic(settings, "unlock")  # a lock that a killed process left; those in use stay
    except NoBackup as failed:
        if NONE_YET not in str(failed):
            raise
        restic(settings, "init")
    files = [str(copy.path.relative_to(settings.data)), *([SECRET] if (settings.data / SECRET).exists() else [])]
    restic(settings, "backup", "--host=overseer", *files, folder=settings.data)


def read_back(settings: Settings) -> None:
    """Fetch the newest snapshot and check the database in it. Raises NoBackup with its first fault."""
    with TemporaryDirectory(dir=settings.data, prefix="read-back-") as folder:
        copy = _fetched(settings, Path(folder))
        try:
            faults = faults_of_copy(copy)
        except (DBAPIError, CommandError) as failed:
            faults = [str(failed.orig if isinstance(failed, DBAPIError) else failed)]
    if faults:
        raise NoBackup(f"The copy that was read back cannot be restored: {faults[0]}")


def fetch(settings: Settings) -> Path:
    """Fetch the newest snapshot into the data folder, with the file ``secret`` if there is none. Raises NoBackup."""
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    copies = folder_of(settings.data)
    copies.mkdir(exist_ok=True, mode=0o700)
    with TemporaryDirectory(dir=settings.data, prefix="fetched-") as folder:
        copy = _fetched(settings, Path(folder))
        secret = Path(folder) / SECRET
        if secret.exists() and not (settings.data / SECRET).exists():
            write_private(settings.data / SECRET, secret.read_bytes())
        ours = Path(shutil.copyfile(copy, f"{copy}.own"))  # run by root, restic gives files back to the earlier owner
        return ours.replace(copies / copy.name)


def _fetched(settings: Settings, folder: Path) -> Path:
    restic(settings, "restore", "latest", "--host=overseer", f"--target={folder}")
    backups = backups_in(folder_of(folder))
    if not backups:
        raise NoBackup("The newest snapshot has no copy of the database.")
    return backups[0].path
