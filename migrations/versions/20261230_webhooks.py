"""webhook, webhook_call: addresses that are told what becomes public, and the calls to them"""

import sqlalchemy as sa
from alembic import op

revision = "20261230_webhooks"
down_revision = "20261229_pay_link"
branch_labels = None
depends_on = None


def one_of(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=24)


def moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", one_of("kind", "signed", "discord"), nullable=False),
        sa.Column("address", sa.String(length=500), nullable=False),
        sa.Column("secret", sa.String(length=80), nullable=False),
        sa.Column("made_at", moment(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("ended_at", moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_webhook_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    op.create_index(op.f("ix_webhook_event_id"), "webhook", ["event_id"])
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("at", moment(), nullable=False),
        sa.Column("state", one_of("state", "queued", "sending", "sent", "failed", "unsure"), nullable=False),
        sa.Column("next_try", moment(), nullable=True),
        sa.Column("tried_at", moment(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=300), nullable=False),
        sa.Column("message", sa.String(length=40), nullable=False),
        sa.CheckConstraint(
            "(state = 'queued') = (next_try IS NOT NULL)", name=op.f("ck_webhook_call_queued_has_its_time")
        ),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_call_webhook_id_webhook"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_call")),
    )
    op.create_index(op.f("ix_webhook_call_webhook_id"), "webhook_call", ["webhook_id"])
    op.create_index("ix_webhook_call_state_next_try", "webhook_call", ["state", "next_try"])


def downgrade() -> None:
    op.drop_table("webhook_call")
    op.drop_table("webhook")
