"""moved notices: one more occasion, for a new day, start, place or list deadline"""

from alembic import op

revision = "20261217_moved_notices"
down_revision = "20261216_shared_lists"
branch_labels = None
depends_on = None

BEFORE = ("round", "place", "list_back", "confirm", "answer", "day", "challenge", "overdue")
ADDED = "moved"


def allow(*occasions: str) -> None:
    listed = ", ".join(f"'{one}'" for one in occasions)
    for table in ("notice", "notice_off"):
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(op.f(f"ck_{table}_occasion"), type_="check")
            batch.create_check_constraint(op.f(f"ck_{table}_occasion"), f"occasion IN ({listed})")


def upgrade() -> None:
    allow(*BEFORE, ADDED)


def downgrade() -> None:
    for table in ("notice", "notice_off"):
        op.execute(f"DELETE FROM {table} WHERE occasion = '{ADDED}'")  # noqa: S608 - fixed names
    allow(*BEFORE)
