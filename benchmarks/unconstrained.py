"""Databases without one of their constraints, for ``mutations.py``: as if models and migrations both lacked it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import CheckConstraint, Constraint, Table, UniqueConstraint, text
from sqlmodel import SQLModel

import migrations
from models.db import open_engine

Rule = tuple[Table, Constraint]


def rules() -> list[Rule]:
    """Every constraint of every table, except the checks of a column's choices."""
    return [
        (table, one)
        for table in SQLModel.metadata.sorted_tables
        for one in sorted(table.constraints, key=name_of)
        if isinstance(one, UniqueConstraint)
        or (isinstance(one, CheckConstraint) and str(one.name) != f"ck_{table.name}_{str(one.sqltext).split(' ')[0]}")
    ]


def name_of(one: Constraint) -> str:
    """A constraint's name, or the columns of one without a name."""
    columns = ", ".join(column.name for column in one.columns) if isinstance(one, UniqueConstraint) else ""
    return f"{type(one).__name__} {one.name or ''} {columns}"


@contextmanager
def database_without(rule: Rule, migrated: Path) -> Iterator[None]:
    """Until the block ends, the migrated SQLite file that all tests copy lacks this constraint."""
    table, one = rule
    kept = migrated.with_suffix(".kept")
    shutil.move(migrated, kept)
    table.constraints.remove(one)
    engine = open_engine(f"sqlite:///{migrated}")
    try:
        SQLModel.metadata.create_all(engine)
        with engine.connect() as connection:
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": migrations.head()})
            connection.commit()
        engine.dispose()
        yield
    finally:
        table.constraints.add(one)
        for left in migrated.parent.glob(f"{migrated.name}*"):
            left.unlink()
        shutil.move(kept, migrated)
