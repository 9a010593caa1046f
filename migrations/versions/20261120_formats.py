"""formats beside Swiss: knockout, round robin, player meeting"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_formats"
down_revision = "20261120_draw_rules"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
KINDS = "('swiss', 'round_robin', 'knockout')"
ADDED = (
    ("event", "format", f"VARCHAR(24) DEFAULT 'swiss' NOT NULL CONSTRAINT ck_event_format CHECK (format IN {KINDS})"),
    ("event", "legs", "INTEGER DEFAULT '1' NOT NULL CONSTRAINT ck_event_legs_range CHECK (legs BETWEEN 1 AND 2)"),
    ("event", "cut", "INTEGER CONSTRAINT ck_event_cut_range CHECK (cut BETWEEN 2 AND 64)"),
    ("event", "third_place", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("event", "player_meeting", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("round", "kind", f"VARCHAR(24) DEFAULT 'swiss' NOT NULL CONSTRAINT ck_round_kind CHECK (kind IN {KINDS})"),
    (
        "round",
        "bracket",
        "INTEGER CONSTRAINT ck_round_knockout_has_bracket CHECK ((kind = 'knockout') = (bracket IS NOT NULL))",
    ),
    ("player", "seed_number", "INTEGER"),
    ("game", "goes_through", "VARCHAR(24) CONSTRAINT ck_game_goes_through CHECK (goes_through IN ('a', 'b'))"),
)


def upgrade() -> None:
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(no=no)}")
    op.create_table('meeting',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('seed', sa.BigInteger(), nullable=False),
    sa.Column('inputs', sa.JSON(), nullable=False),
    sa.Column('outcome', sa.JSON(), nullable=False),
    sa.Column('published_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_meeting_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_meeting')),
    sa.UniqueConstraint('event_id', name=op.f('uq_meeting_event_id'))
    )


def downgrade() -> None:
    op.drop_table('meeting')
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
