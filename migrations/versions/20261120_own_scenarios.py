"""scenarios that the club has written itself"""

import sqlalchemy as sa
from alembic import op

revision = '20261120_own_scenarios'
down_revision = '20261120_list_desk'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('own_scenario',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('system', sa.String(length=40), nullable=False),
    sa.Column('slug', sa.String(length=40), nullable=False),
    sa.Column('document', sa.JSON(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('changed_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('by', sa.String(length=120), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_own_scenario')),
    sa.UniqueConstraint('system', 'slug', name=op.f('uq_own_scenario_system_slug'))
    )


def downgrade() -> None:
    op.drop_table('own_scenario')
