"""tables vary: whether another table for players comes before the order of the tables"""

import sqlalchemy as sa
from alembic import op

revision = "20261220_tables_vary"
down_revision = "20261219_submitted_edition"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("tables_vary", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    op.drop_column("event", "tables_vary")
