"""campaign: the steps of a campaign's groups, and its settings"""

import sqlalchemy as sa
from alembic import op

revision = "20261213_campaign"
down_revision = "20261212_season_notices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaign_step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("rolls", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=20), nullable=True),
        sa.Column("typed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("ck_campaign_step_number_positive")),
        sa.CheckConstraint("seed IS NULL OR NOT typed", name=op.f("ck_campaign_step_rolled_once")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_campaign_step_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_campaign_step_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_step")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_campaign_step_event_id_number")),
    )
    op.create_index("ix_campaign_step_event_id", "campaign_step", ["event_id"])
    op.create_index("ix_campaign_step_player_id", "campaign_step", ["player_id"])
    op.add_column("event", sa.Column("campaign", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("event", "campaign")
    op.drop_table("campaign_step")
