"""force_list: the questions that a list had when it was locked as a legal one, which keeps its verdict"""

import sqlalchemy as sa
from alembic import op

revision = "20270108_kept_verdicts"
down_revision = "20270107_team_awards"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("force_list", sa.Column("kept_queries", sa.String(length=400), nullable=True))


def downgrade() -> None:
    op.drop_column("force_list", "kept_queries")
