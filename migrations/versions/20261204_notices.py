"""notice, notice_off, device, link_request: notices that reach a closed phone, and lost links"""

import sqlalchemy as sa
from alembic import op

revision = "20261204_notices"
down_revision = "20261203_lists"
branch_labels = None
depends_on = None

OCCASIONS = ("round", "place", "list_back", "confirm", "answer")


def occasion() -> sa.Enum:
    return sa.Enum(*OCCASIONS, name="occasion", native_enum=False, create_constraint=True, length=24)


def moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def of_player(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["player_id"], ["player.id"], name=f"fk_{table}_player_id_player", ondelete="CASCADE"
    )


def upgrade() -> None:
    states = ("queued", "sending", "sent", "failed", "unsure")
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("occasion", occasion(), nullable=False),
        sa.Column("about", sa.String(length=60), nullable=False),
        sa.Column("at", moment(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(*states, name="state", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("next_try", moment(), nullable=True),
        sa.Column("tried_at", moment(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("pushed", sa.Boolean(), nullable=False),
        sa.Column("mailed_at", moment(), nullable=True),
        sa.CheckConstraint("(state = 'queued') = (next_try IS NOT NULL)", name=op.f("ck_notice_queued_has_its_time")),
        of_player("notice"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sa.UniqueConstraint("player_id", "occasion", "about", name=op.f("uq_notice_player_id_occasion_about")),
    )
    op.create_index("ix_notice_state_next_try", "notice", ["state", "next_try"])
    op.create_table(
        "notice_off",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("occasion", occasion(), nullable=False),
        of_player("notice_off"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_off")),
        sa.UniqueConstraint("player_id", "occasion", name=op.f("uq_notice_off_player_id_occasion")),
    )
    op.create_table(
        "device",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("p256dh", sa.String(length=100), nullable=False),
        sa.Column("auth", sa.String(length=40), nullable=False),
        sa.Column("added_at", moment(), nullable=False),
        of_player("device"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device")),
        sa.UniqueConstraint("player_id", "endpoint", name=op.f("uq_device_player_id_endpoint")),
    )
    op.create_table(
        "link_request",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("at", moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_link_request_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_request")),
    )
    op.create_index(op.f("ix_link_request_event_id"), "link_request", ["event_id"])


def downgrade() -> None:
    for table in ("link_request", "device", "notice_off", "notice"):
        op.drop_table(table)
