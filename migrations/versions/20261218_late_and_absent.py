"""late and absent: the time for a late list, and the no-show after which a player was kept"""

import sqlalchemy as sa
from alembic import op

revision = "20261218_late_and_absent"
down_revision = "20261218_opened_steps"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("late_list_hours", sa.Integer(), server_default="24", nullable=False))
    op.add_column("player", sa.Column("no_show_kept", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "no_show_kept")
    op.drop_column("event", "late_list_hours")
