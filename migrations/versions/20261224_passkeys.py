"""passkeys: of accounts and of players"""

import sqlalchemy as sa
from alembic import op

revision = "20261224_passkeys"
down_revision = "20261222_held_sign_ups"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("credential", sa.String(length=1400), nullable=False),
        sa.Column("public_key", sa.String(length=1400), nullable=False),
        sa.Column("handle", sa.String(length=64), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(account_id IS NULL) <> (player_id IS NULL)", name=op.f("ck_passkey_one_owner")),
        sa.ForeignKeyConstraint(["account_id"], ["organiser.id"], name=op.f("fk_passkey_account_id_organiser"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_passkey_player_id_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index(op.f("ix_passkey_account_id"), "passkey", ["account_id"])
    op.create_index(op.f("ix_passkey_player_id"), "passkey", ["player_id"])


def downgrade() -> None:
    op.drop_table("passkey")
