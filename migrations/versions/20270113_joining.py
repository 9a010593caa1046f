"""join_code, code_use, code_mail: events in which players sign up with a code"""

import sqlalchemy as sa
from alembic import op

revision = "20270113_joining"
down_revision = "20270114_money"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE event ADD COLUMN sign_up_by VARCHAR(24) DEFAULT 'everybody' NOT NULL CONSTRAINT"
        " ck_event_sign_up_by CHECK (sign_up_by IN ('everybody', 'members_first', 'code', 'invitation'))"
    )
    op.add_column("event", sa.Column("everybody_from", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "join_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("code", sa.String(length=12), nullable=False),
        sa.CheckConstraint("uses > 0", name=op.f("ck_join_code_uses_positive")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_join_code_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_join_code")),
    )
    op.create_index(op.f("ix_join_code_event_id"), "join_code", ["event_id"])
    op.create_table(
        "code_use",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("join_code_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["join_code_id"], ["join_code.id"], name=op.f("fk_code_use_join_code_id_join_code")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_code_use_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_code_use")),
        sa.UniqueConstraint("player_id", name=op.f("uq_code_use_player_id")),
    )
    op.create_index(op.f("ix_code_use_join_code_id"), "code_use", ["join_code_id"])
    op.create_table(
        "code_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("join_code_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["join_code_id"], ["join_code.id"], name=op.f("fk_code_mail_join_code_id_join_code"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_code_mail")),
    )
    op.create_index(op.f("ix_code_mail_join_code_id"), "code_mail", ["join_code_id"])


def downgrade() -> None:
    for table in ("code_mail", "code_use", "join_code"):
        op.drop_table(table)
    op.drop_column("event", "everybody_from")
    op.execute("ALTER TABLE event DROP COLUMN sign_up_by")
