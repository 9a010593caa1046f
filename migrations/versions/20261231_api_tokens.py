"""api_tokens: of programs that read and change an event"""

import sqlalchemy as sa
from alembic import op

revision = "20261231_api_tokens"
down_revision = "20261230_webhooks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    roles = ("owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in")
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("role", sa.Enum(*roles, name="role", native_enum=False, create_constraint=True, length=24), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_api_token_event_id_event"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["made_by"], ["organiser.id"], name=op.f("fk_api_token_made_by_organiser"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_token_token_hash")),
    )
    op.create_index(op.f("ix_api_token_event_id"), "api_token", ["event_id"])
    op.create_index(op.f("ix_api_token_made_by"), "api_token", ["made_by"])


def downgrade() -> None:
    op.drop_table("api_token")
