"""teams, their matches, and pairs who share one side"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_teams"
down_revision = "20261120_draw_requests"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    (
        "event",
        "team_size",
        "INTEGER DEFAULT '1' NOT NULL CONSTRAINT ck_event_team_size_range CHECK (team_size BETWEEN 1 AND 8)",
    ),
    (
        "event",
        "boards",
        "VARCHAR(24) DEFAULT 'order' NOT NULL CONSTRAINT ck_event_boards CHECK (boards IN ('order', 'choice'))",
    ),
    ("event", "doubles", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("player", "partner", "VARCHAR(80) DEFAULT '' NOT NULL"),
    ("player", "team_id", "INTEGER CONSTRAINT fk_player_team_id_team REFERENCES team (id)"),
    ("player", "board", "INTEGER"),
    ("player", "captain", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("game", "match_id", "INTEGER CONSTRAINT fk_game_match_id_team_match REFERENCES team_match (id)"),
    ("game", "board", "INTEGER"),
)
INDEXED = (("player", "team_id"), ("game", "match_id"))


def upgrade() -> None:
    op.create_table('team',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=80), nullable=False),
    sa.Column('name_key', sa.String(length=160), nullable=False),
    sa.Column('club', sa.String(length=80), nullable=False),
    sa.Column('entered_round', sa.Integer(), nullable=False),
    sa.Column('dropped_after', sa.Integer(), nullable=True),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_team_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_team')),
    sa.UniqueConstraint('event_id', 'name_key', name=op.f('uq_team_event_id_name_key'))
    )
    op.create_index(op.f('ix_team_event_id'), 'team', ['event_id'], unique=False)
    op.create_table('team_match',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('round_id', sa.Integer(), nullable=False),
    sa.Column('a_id', sa.Integer(), nullable=False),
    sa.Column('b_id', sa.Integer(), nullable=True),
    sa.Column('block', sa.Integer(), nullable=True),
    sa.Column('notes', sa.JSON(), nullable=False),
    sa.Column('a_order', sa.JSON(), nullable=True),
    sa.Column('b_order', sa.JSON(), nullable=True),
    sa.Column('matched_at', sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint('(b_id IS NULL) = (block IS NULL)', name=op.f('ck_team_match_bye_has_no_block')),
    sa.CheckConstraint('a_id <> b_id', name=op.f('ck_team_match_two_teams')),
    sa.ForeignKeyConstraint(['a_id'], ['team.id'], name=op.f('fk_team_match_a_id_team')),
    sa.ForeignKeyConstraint(['b_id'], ['team.id'], name=op.f('fk_team_match_b_id_team')),
    sa.ForeignKeyConstraint(['round_id'], ['round.id'], name=op.f('fk_team_match_round_id_round')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_team_match')),
    sa.UniqueConstraint('round_id', 'a_id', name=op.f('uq_team_match_round_id_a_id')),
    sa.UniqueConstraint('round_id', 'b_id', name=op.f('uq_team_match_round_id_b_id')),
    sa.UniqueConstraint('round_id', 'block', name=op.f('uq_team_match_round_id_block'))
    )
    for column in ("round_id", "a_id", "b_id"):
        op.create_index(op.f(f"ix_team_match_{column}"), "team_match", [column], unique=False)
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(no=no)}")
    for table, column in INDEXED:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column], unique=False)


def downgrade() -> None:
    for table, column in reversed(INDEXED):
        op.drop_index(op.f(f"ix_{table}_{column}"), table_name=table)
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    op.drop_table('team_match')
    op.drop_table('team')
