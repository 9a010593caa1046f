"""account mail: addresses of accounts, and the mails that wait to be sent to them"""

import sqlalchemy as sa
from alembic import op

revision = "20261225_account_mail"
down_revision = "20261224_passkeys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["organiser.id"], name=op.f("fk_account_mail_account_id_organiser"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_mail")),
        sa.UniqueConstraint("account_id", name=op.f("uq_account_mail_account_id")),
    )
    op.create_table(
        "account_notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("browser", sa.String(length=60), nullable=False),
        sa.Column("signed_in_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["organiser.id"], name=op.f("fk_account_notice_account_id_organiser"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_notice")),
    )
    op.create_index(op.f("ix_account_notice_account_id"), "account_notice", ["account_id"])


def downgrade() -> None:
    op.drop_table("account_notice")
    op.drop_table("account_mail")
