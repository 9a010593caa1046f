"""payment: a row for each payment, in place of player.payments and player.paid_at"""

from collections import defaultdict
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "20270202_payments"
down_revision = "20270204_dispatch"
branch_labels = None
depends_on = None

LONGEST = 120
RECEIVED = "amount IS NULL OR amount > 0"
EVENT = sa.table("event", *map(sa.column, ("id", "journal_from")))
PLAYER = sa.table(
    "player", sa.column("id"), sa.column("event_id"), sa.column("paid_at", sa.DateTime(timezone=True)),
    sa.column("payments", sa.JSON(none_as_null=True)),
)  # fmt: skip
PAYMENT = sa.table(
    "payment", sa.column("id"), sa.column("event_id"), sa.column("player_id"), sa.column("amount"), sa.column("how"),
    sa.column("reference"), sa.column("at", sa.DateTime(timezone=True)),
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "payment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=True),
        sa.Column("how", sa.String(length=40), server_default=sa.text("''"), nullable=False),
        sa.Column("reference", sa.String(length=LONGEST), nullable=True),
        sa.CheckConstraint("reference <> ''", name=op.f("ck_payment_reference_given")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_payment_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_payment_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_payment_event_id"), "payment", ["event_id"])
    op.create_index(op.f("ix_payment_player_id"), "payment", ["player_id"])
    rows, references = [], set()
    paid = sa.or_(PLAYER.c.paid_at.is_not(None), PLAYER.c.payments.is_not(None))
    for player in op.get_bind().execute(sa.select(PLAYER).where(paid).order_by(PLAYER.c.id)).all():
        marked = [{"at": player.paid_at, "amount": None, "how": "", "reference": ""}] if player.paid_at else []
        for entry in player.payments or marked:
            at = entry["at"] if isinstance(entry["at"], datetime) else datetime.fromisoformat(entry["at"])
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
            row = {**entry, "event_id": player.event_id, "player_id": player.id, "at": at}
            row["reference"] = entry["reference"] or None
            if row["reference"] and (row["amount"] is None or row["amount"] > 0):
                row["reference"] = unused(row["reference"], player.event_id, references)
            rows.append(row)
    if rows:
        op.bulk_insert(PAYMENT, rows)
    op.execute(EVENT.update().where(EVENT.c.id.in_(sa.select(PAYMENT.c.event_id))).values(journal_from=None))
    op.create_index(
        "uq_payment_event_id_reference", "payment", ["event_id", "reference"], unique=True,
        sqlite_where=sa.text(RECEIVED), postgresql_where=sa.text(RECEIVED),
    )  # fmt: skip
    op.drop_column("player", "payments")
    op.drop_column("player", "paid_at")


def unused(reference: str, event_id: int, references: set[tuple[int, str]]) -> str:
    """The reference, with a number if another payment of the event has it; an undone removal could repeat it."""
    new, number = reference, 1
    while (event_id, new) in references:
        number += 1
        end = f" ({number})"
        new = reference[: LONGEST - len(end)] + end
    references.add((event_id, new))
    return new


def downgrade() -> None:
    op.add_column("player", sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("player", sa.Column("payments", sa.JSON(), nullable=True))
    payments = defaultdict(list)
    for row in op.get_bind().execute(sa.select(PAYMENT).order_by(PAYMENT.c.player_id, PAYMENT.c.at, PAYMENT.c.id)).all():
        at = row.at.replace(tzinfo=UTC) if row.at.tzinfo is None else row.at.astimezone(UTC)
        entry = {"at": at.isoformat(), "amount": row.amount, "how": row.how, "reference": row.reference or ""}
        payments[row.player_id].append(entry)
    for player_id, entries in payments.items():
        values = {"payments": entries, "paid_at": datetime.fromisoformat(entries[-1]["at"])}
        op.execute(PLAYER.update().where(PLAYER.c.id == player_id).values(values))
    op.execute(EVENT.update().where(EVENT.c.id.in_(sa.select(PAYMENT.c.event_id))).values(journal_from=None))
    op.drop_table("payment")
