"""list desk: approval, notes, unlocking one player, when lists are shown, seals"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_list_desk"
down_revision = "20261120_first_tables"
branch_labels = None
depends_on = None

# Plain statements, which both databases take: Alembic would rebuild SQLite's tables to add a column with a check, and
# lose their other checks on the way.
ADDED = (
    (
        "event",
        "lists_shown",
        "VARCHAR(24) DEFAULT 'at_lock' NOT NULL CONSTRAINT ck_event_lists_shown "
        "CHECK (lists_shown IN ('at_lock', 'at_time', 'after_event', 'on_press'))",
    ),
    ("event", "lists_shown_from", None),
    ("event", "lists_revealed_at", None),
    ("player", "list_unlocked_at", None),
    ("player", "list_unlocked_until", None),
    ("force_list", "approved_at", None),
    ("force_list", "sent_back_at", None),
    ("force_list", "sent_back_note", "VARCHAR(1000)"),
)


def upgrade() -> None:
    moment = "DATETIME" if op.get_bind().dialect.name == "sqlite" else "TIMESTAMP WITH TIME ZONE"
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind or moment}")
    op.create_table('list_seal',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('by', sa.String(length=120), nullable=False),
    sa.Column('sha256', sa.String(length=64), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['player_id'], ['player.id'], name=op.f('fk_list_seal_player_id_player')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_list_seal'))
    )
    with op.batch_alter_table('list_seal', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_list_seal_player_id'), ['player_id'], unique=False)
    # What was public stays public: lists were shown at the lock.
    op.execute("UPDATE event SET lists_revealed_at = lists_locked_at")


def downgrade() -> None:
    with op.batch_alter_table('list_seal', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_list_seal_player_id'))
    op.drop_table('list_seal')
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
