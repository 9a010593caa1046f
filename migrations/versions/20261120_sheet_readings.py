"""the second pass over paper sheets, and why a result was decided"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_sheet_readings"
down_revision = "20261120_endings"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    ("report", "reason", "VARCHAR(500) DEFAULT '' NOT NULL"),
    ("report", "from_paper", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("report", "account_id", "INTEGER"),
    ("event", "second_pass_alone", "BOOLEAN DEFAULT {no} NOT NULL"),
)


def upgrade() -> None:
    no = "false" if op.get_bind().dialect.name == "postgresql" else "0"
    for table, column, kind in ADDED:
        op.execute(f'ALTER TABLE "{table}" ADD COLUMN {column} {kind.format(no=no)}')
    op.create_table('sheet_reading',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('game_id', sa.Integer(), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('answers', sa.JSON(), nullable=False),
    sa.Column('ending', sa.String(length=24), nullable=True),
    sa.Column('agrees', sa.Boolean(), nullable=False),
    sa.Column('by', sa.String(length=120), nullable=False),
    sa.Column('account_id', sa.Integer(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(
        ['game_id'], ['game.id'], name=op.f('fk_sheet_reading_game_id_game'), ondelete='CASCADE'
    ),
    sa.CheckConstraint(
        "ending IN ('conceded_a', 'conceded_b', 'not_played', 'unfinished', 'decided')",
        name=op.f('ck_sheet_reading_ending'),
    ),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_sheet_reading'))
    )
    op.create_index(op.f('ix_sheet_reading_game_id'), 'sheet_reading', ['game_id'], unique=False)


def downgrade() -> None:
    op.drop_index(op.f('ix_sheet_reading_game_id'), table_name='sheet_reading')
    op.drop_table('sheet_reading')
    for table, column, _ in reversed(ADDED):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN {column}')
