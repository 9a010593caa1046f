"""mail addresses that wait for the agreement of the one until now"""

import sqlalchemy as sa
from alembic import op

revision = "20261126_mail_changes"
down_revision = "20261125_seals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seal", sa.String(length=64), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_mail_change_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_mail_change_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_change")),
        sa.UniqueConstraint("player_id", name=op.f("uq_mail_change_player_id")),
        sa.UniqueConstraint("key", name=op.f("uq_mail_change_key")),
    )
    op.create_index(op.f("ix_mail_change_event_id"), "mail_change", ["event_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_mail_change_event_id"), table_name="mail_change")
    op.drop_table("mail_change")
