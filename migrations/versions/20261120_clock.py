"""the clock of the rounds, and announcements"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_clock"
down_revision = "20261120_cases"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk; "{moment}" is each one's own word.
ADDED = (
    ("event", "clock_rules", "JSON"),
    ("round", "planned_at", "{moment}"),
    ("round", "started_at", "{moment}"),
    ("round", "minutes", "INTEGER"),
    ("round", "paused_at", "{moment}"),
    ("round", "paused_seconds", "INTEGER DEFAULT '0' NOT NULL"),
    ("round", "extra_seconds", "INTEGER DEFAULT '0' NOT NULL"),
    ("round", "stopped_at", "{moment}"),
    ("game", "extra_seconds", "INTEGER DEFAULT '0' NOT NULL"),
)


def upgrade() -> None:
    moment = "TIMESTAMP WITH TIME ZONE" if op.get_bind().dialect.name == "postgresql" else "DATETIME"
    for table, column, kind in ADDED:
        op.execute(f'ALTER TABLE "{table}" ADD COLUMN {column} {kind.format(moment=moment)}')
    op.create_table('announcement',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('text', sa.String(length=200), nullable=False),
    sa.Column('by', sa.String(length=120), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('taken_back_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_announcement_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_announcement'))
    )
    op.create_index(op.f('ix_announcement_event_id'), 'announcement', ['event_id'], unique=False)


def downgrade() -> None:
    op.drop_index(op.f('ix_announcement_event_id'), table_name='announcement')
    op.drop_table('announcement')
    for table, column, _ in reversed(ADDED):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN {column}')
