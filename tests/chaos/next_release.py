"""The release after this one, made up: this one with a migration more. What ours does beside it is what is tried."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from sqlalchemy import Connection, Engine, text

import app
import migrations
from events.commands.database import upgraded
from events.settings import Settings
from models.db import MIGRATING, lock_file, open_engine

FOLDER = "CHAOS_NEXT_RELEASE"
REVISION = "20991231_next_release"
MIGRATION = f'''
"""what a release after this one may change of a table that everybody uses"""
import sqlalchemy as sa
from alembic import op
revision, down_revision = "{REVISION}", "{{before}}"

def upgrade():
    op.create_table("of_the_next_release", sa.Column("id", sa.Integer, primary_key=True))
    with op.batch_alter_table("report", recreate="auto") as batch:
        batch.add_column(sa.Column("phone", sa.String(9), server_default="", nullable=False))

def downgrade():
    with op.batch_alter_table("report", recreate="auto") as batch:
        batch.drop_column("phone")
    op.drop_table("of_the_next_release")
'''


def laid_out(folder: Path) -> Path:
    """Its migrations, in this folder."""
    before = migrations.head()
    shutil.copytree(migrations.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"{REVISION}.py").write_text(MIGRATION.format(before=before))
    return folder


def upgrade(folder: Path, settings: Settings) -> None:
    """Do to the database what its ``overseer serve`` does first. For a process of its own: it is that release then."""
    migrations.FOLDER = folder
    engine = open_engine(settings.database_url)
    upgraded(settings, engine)
    engine.dispose()


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """The lock that every migration takes first, and a commit at the end."""
    with engine.connect() as connection:
        lock_file(connection)
        lock = f"SELECT pg_advisory_xact_lock({MIGRATING})" if connection.dialect.name == "postgresql" else "SELECT 1"
        connection.exec_driver_sql(lock)
        yield connection
        connection.commit()


def become(engine: Engine, revision: str) -> None:
    """Let the database say that it is at this revision."""
    with migrating(engine) as connection:
        say(connection, revision)


def say(connection: Connection, revision: str) -> None:
    """The same, without the commit."""
    connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})


def create_app() -> Flask:
    """Its application, for a process that runs nothing else."""
    migrations.FOLDER = Path(os.environ[FOLDER])
    return app.create_app()
