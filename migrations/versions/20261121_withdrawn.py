"""reports that do not count any more, because their game was opened again"""

from alembic import op

revision = "20261121_withdrawn"
down_revision = "20261120_kept_answers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    moment = "TIMESTAMP WITH TIME ZONE" if op.get_bind().dialect.name == "postgresql" else "DATETIME"
    op.execute(f"ALTER TABLE report ADD COLUMN withdrawn_at {moment}")


def downgrade() -> None:
    op.execute("ALTER TABLE report DROP COLUMN withdrawn_at")
