"""sideboard: forces chosen from rosters, against a clock"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_sideboard"
down_revision = "20261120_force_steps"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    moment = "DATETIME" if op.get_bind().dialect.name == "sqlite" else "TIMESTAMP WITH TIME ZONE"
    op.execute(f"ALTER TABLE game ADD COLUMN choosing_since {moment}")
    op.create_table('fielded_force',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('game_id', sa.Integer(), nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('document', sa.JSON(), nullable=False),
    sa.Column('chosen_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['game_id'], ['game.id'], name=op.f('fk_fielded_force_game_id_game')),
    sa.ForeignKeyConstraint(['player_id'], ['player.id'], name=op.f('fk_fielded_force_player_id_player')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_fielded_force')),
    sa.UniqueConstraint('game_id', 'player_id', name=op.f('uq_fielded_force_game_id_player_id'))
    )
    with op.batch_alter_table('fielded_force', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_fielded_force_game_id'), ['game_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_fielded_force_player_id'), ['player_id'], unique=False)


def downgrade() -> None:
    with op.batch_alter_table('fielded_force', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_fielded_force_player_id'))
        batch_op.drop_index(batch_op.f('ix_fielded_force_game_id'))
    op.drop_table('fielded_force')
    op.execute("ALTER TABLE game DROP COLUMN choosing_since")
