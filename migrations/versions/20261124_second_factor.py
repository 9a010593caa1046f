"""second factor: the secret of an account's app, the step of time of its last code, digests of its spare codes"""

from alembic import op

revision = "20261124_second_factor"
down_revision = "20261124_tries"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE organiser ADD COLUMN totp_secret VARCHAR(64) DEFAULT '' NOT NULL")
    op.execute("ALTER TABLE organiser ADD COLUMN totp_step INTEGER DEFAULT '0' NOT NULL")
    op.execute("ALTER TABLE organiser ADD COLUMN spare_codes VARCHAR(600) DEFAULT '' NOT NULL")


def downgrade() -> None:
    for name in ("spare_codes", "totp_step", "totp_secret"):
        op.execute(f"ALTER TABLE organiser DROP COLUMN {name}")
