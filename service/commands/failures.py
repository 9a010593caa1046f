"""A failure that an operator can remedy, as the line with which a command ends."""

import errno

from alembic.util.exc import CommandError
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from events.setup.archive_file import UnreadableArchive
from events.store.errors import Refused
from events.web.error_pages import DAMAGED, FULL, GONE, words_for
from migrations import WrongSchema
from models.copies import NotCopied
from service.backups import NoBackup
from service.health import LEAST_ROOM, room_warning
from service.lock import InUse
from service.settings import BadSetting, data_folder
from service.system import system

ROOM = f"Make room on its disk: {LEAST_ROOM // 1_000_000} MB or more."


def line_for(error: Exception) -> str:
    """What is wrong and what helps; "" for a fault in our code, which deserves its traceback."""
    match error:
        case NoBackup(__cause__=NotCopied()) if _nearly_full():
            return f"{error} {_nearly_full()}"
        case BadSetting() | InUse() | NoBackup() | WrongSchema():
            return str(error)
        case Refused():
            return error.message
        case UnreadableArchive():
            return "\n".join(("The archive cannot be imported.", *error.faults))
        case CommandError():
            return (
                f"The database cannot be used: {error}. It was made by another version of Overseer: start that one, or "
                "set another OVERSEER_DATA."
            )
        case ArgumentError():
            return f"DATABASE_URL: {error}"
        case DBAPIError():
            advice = _advice(error)
            return f"The database cannot be used: {_sentence(error.orig)} {advice}" if advice else ""
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return f"{error.filename or 'A file'} cannot be written: {error.strerror}. {ROOM}"
        case OSError(errno=errno.EACCES, filename=str() as path):
            user = system.user_name(system.me() or 0)
            return f"{path} cannot be used: {error.strerror}. Check that {user} may open each folder above it."
        case OSError(filename=str() as path):
            return f"{path} cannot be used: {error.strerror}."
    return ""


def _advice(error: DBAPIError) -> str:
    words, sqlite = words_for(error), hasattr(error.orig, "sqlite_errorcode")
    if words is FULL:
        return ROOM
    if words is DAMAGED:
        return (
            "Stop Overseer, keep a copy of the data folder, then `overseer backup --list`, `overseer restore newest`."
        )
    if words is None and not isinstance(error, OperationalError):
        return ""
    if sqlite:
        return (
            words is GONE and _nearly_full()
        ) or "Check DATABASE_URL and OVERSEER_DATA, and stop other programs that use it."
    return "Check DATABASE_URL, and that PostgreSQL runs and can be reached from here."


def _nearly_full() -> str:
    """What to do about a disk without room, which SQLite does not always name as the cause; "" if it has room."""
    try:
        return f"{data_folder()} is nearly full. {ROOM}" if room_warning(data_folder()) else ""
    except OSError:
        return ""


def _sentence(error: BaseException | None) -> str:
    """The error on one line, ended by a full stop or a question mark."""
    text = " ".join(str(error).split())
    return text if text.endswith((".", "?")) else f"{text}."
