"""season notices: three more occasions, for the days, challenges and overdue games of a season"""

from alembic import op

revision = "20261212_season_notices"
down_revision = "20261211_circuit"
branch_labels = None
depends_on = None

BEFORE = ("round", "place", "list_back", "confirm", "answer")
ADDED = ("day", "challenge", "overdue")


def allow(*occasions: str) -> None:
    listed = ", ".join(f"'{one}'" for one in occasions)
    for table in ("notice", "notice_off"):
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(op.f(f"ck_{table}_occasion"), type_="check")
            batch.create_check_constraint(op.f(f"ck_{table}_occasion"), f"occasion IN ({listed})")


def upgrade() -> None:
    allow(*BEFORE, *ADDED)


def downgrade() -> None:
    listed = ", ".join(f"'{one}'" for one in ADDED)
    for table in ("notice", "notice_off"):
        op.execute(f"DELETE FROM {table} WHERE occasion IN ({listed})")  # noqa: S608 - fixed names
    allow(*BEFORE)
