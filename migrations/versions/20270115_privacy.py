"""Events have a privacy notice, delete players' data after some months, and repeat"""

import sqlalchemy as sa
from alembic import op

revision = "20270115_privacy"
down_revision = "20270113_joining"
branch_labels = None
depends_on = None
REPEATS = """
ALTER TABLE event ADD COLUMN repeats VARCHAR(24) DEFAULT 'never' NOT NULL CONSTRAINT ck_event_repeats CHECK (
  repeats IN ('never', 'week', 'two_weeks', 'three_weeks', 'four_weeks', 'first', 'second', 'third', 'fourth', 'last'))
"""


def upgrade() -> None:
    op.execute(REPEATS)
    op.add_column("event", sa.Column("opens_before", sa.Integer(), nullable=False, server_default="7"))
    op.add_column("event", sa.Column("privacy_notice", sa.String(1000), nullable=False, server_default=sa.text("''")))
    op.add_column("event", sa.Column("delete_after", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for column in ("delete_after", "privacy_notice", "opens_before", "repeats"):
        op.drop_column("event", column)
