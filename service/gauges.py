"""The gauges of ``/metrics``: what waits to be done."""

import math
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from events.registration.retention import count_due
from models.dispatch import WAITING, Dispatch, DispatchKind
from service.backups import backups_in, folder_of
from service.health import last_check

MAILS = (DispatchKind.MESSAGE, DispatchKind.LINKS, DispatchKind.ACCOUNT, DispatchKind.CODE)


def gauges(engine: Engine, data: Path, now: datetime) -> dict[str, float]:
    """By name; without those of the database while it does not answer."""
    copies = backups_in(folder_of(data), now)
    age = (now - copies[0].at).total_seconds() if copies else math.inf
    values = {"newest_copy_age_seconds": age, "check_faults": len(last_check(data))}
    with suppress(SQLAlchemyError), Session(engine) as s:
        waiting = select(func.count()).where(col(Dispatch.kind).in_(MAILS), col(Dispatch.state).in_(WAITING))
        values["mails_waiting"] = s.exec(waiting).one()
        values["deletion_due"] = sum(count_due(s, now).values())
    return values
