"""byes asked for, no-shows, stand-ins, people kept apart, and how rounds without a game count"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_cases"
down_revision = "20261120_formats"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    ("event", "bye_vp", "INTEGER CONSTRAINT ck_event_bye_vp_counted CHECK (bye_vp >= 0)"),
    (
        "event",
        "asked_bye",
        "VARCHAR(24) DEFAULT 'draw' NOT NULL "
        "CONSTRAINT ck_event_asked_bye CHECK (asked_bye IN ('win', 'draw', 'loss'))",
    ),
    (
        "event",
        "late_points",
        "INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_event_late_points_counted CHECK (late_points >= 0)",
    ),
    ("event", "vp_cap", "INTEGER CONSTRAINT ck_event_vp_cap_positive CHECK (vp_cap > 0)"),
    ("player", "asked_byes", "JSON"),
    ("player", "ringer", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("player", "painting", "INTEGER DEFAULT '0' NOT NULL"),
    ("player", "sportsmanship", "INTEGER DEFAULT '0' NOT NULL"),
    (
        "game",
        "asked",
        "BOOLEAN DEFAULT {no} NOT NULL CONSTRAINT ck_game_asked_is_bye CHECK (b_id IS NULL OR NOT asked)",
    ),
    (
        "game",
        "absent",
        "VARCHAR(24) CONSTRAINT ck_game_absent CHECK (absent IN ('a', 'b', 'both')) "
        "CONSTRAINT ck_game_absent_from_game CHECK (b_id IS NOT NULL OR absent IS NULL)",
    ),
)


def upgrade() -> None:
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(no=no)}")
    op.create_table('kept_apart',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('a_id', sa.Integer(), nullable=False),
    sa.Column('b_id', sa.Integer(), nullable=False),
    sa.Column(
        'when',
        sa.Enum('first_round', 'always', name='when', native_enum=False, create_constraint=True, length=24),
        nullable=False,
    ),
    sa.Column('asked_by', sa.Integer(), nullable=True),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint('a_id < b_id', name=op.f('ck_kept_apart_lower_id_first')),
    sa.ForeignKeyConstraint(['a_id'], ['player.id'], name=op.f('fk_kept_apart_a_id_player')),
    sa.ForeignKeyConstraint(['asked_by'], ['player.id'], name=op.f('fk_kept_apart_asked_by_player')),
    sa.ForeignKeyConstraint(['b_id'], ['player.id'], name=op.f('fk_kept_apart_b_id_player')),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_kept_apart_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_kept_apart')),
    sa.UniqueConstraint('a_id', 'b_id', name=op.f('uq_kept_apart_a_id_b_id'))
    )
    op.create_index(op.f('ix_kept_apart_event_id'), 'kept_apart', ['event_id'], unique=False)


def downgrade() -> None:
    op.drop_table('kept_apart')
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
