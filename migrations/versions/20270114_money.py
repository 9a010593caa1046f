"""Amounts of entry fees and payments, the role of treasurers, and webhooks about what is not public"""

import sqlalchemy as sa
from alembic import op

revision = "20270114_money"
down_revision = "20270117_calendars"
branch_labels = None
depends_on = None

ROLES = ("owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in")
OF_PLAYER = (("fee_set", sa.Integer()), ("payments", sa.JSON()))


def allow(*roles: str) -> None:
    listed = ", ".join(f"'{role}'" for role in roles)
    for table in ("staff", "invitation", "api_token"):
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(op.f(f"ck_{table}_role"), type_="check")
            batch.create_check_constraint(op.f(f"ck_{table}_role"), f"role IN ({listed})")


def upgrade() -> None:
    op.add_column("event", sa.Column("fee_amount", sa.Integer(), nullable=True))
    op.add_column("event", sa.Column("fee_currency", sa.String(length=3), server_default="", nullable=False))
    for name, kind in OF_PLAYER:
        op.add_column("player", sa.Column(name, kind, nullable=True))
    op.add_column("webhook", sa.Column("also", sa.JSON(), nullable=True))
    op.add_column("webhook_call", sa.Column("entry", sa.Integer(), nullable=True))
    allow(*ROLES, "treasurer")


def downgrade() -> None:
    for table in ("staff", "invitation", "api_token"):
        op.execute(f"DELETE FROM {table} WHERE role = 'treasurer'")  # noqa: S608 - fixed names
    allow(*ROLES)
    op.drop_column("webhook_call", "entry")
    op.drop_column("webhook", "also")
    for name, _ in reversed(OF_PLAYER):
        op.drop_column("player", name)
    op.drop_column("event", "fee_currency")
    op.drop_column("event", "fee_amount")
