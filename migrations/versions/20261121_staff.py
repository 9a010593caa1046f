"""staff: who has which role at which event, invitations, and which accounts run the club"""

import sqlalchemy as sa
from alembic import op

revision = "20261121_staff"
down_revision = "20261120_sheet_readings"
branch_labels = None
depends_on = None

ROLES = ("owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in")


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    op.execute(f"ALTER TABLE organiser ADD COLUMN runs_club BOOLEAN DEFAULT {no} NOT NULL")
    op.create_table('staff',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('account_id', sa.Integer(), nullable=False),
    sa.Column('role', sa.Enum(*ROLES, name='role', native_enum=False, length=24, create_constraint=True), nullable=False),
    sa.Column('since', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['account_id'], ['organiser.id'], name=op.f('fk_staff_account_id_organiser')),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_staff_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_staff')),
    sa.UniqueConstraint('event_id', 'account_id', name=op.f('uq_staff_event_id_account_id'))
    )
    op.create_index(op.f('ix_staff_account_id'), 'staff', ['account_id'], unique=False)
    op.create_table('invitation',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('role', sa.Enum(*ROLES, name='role', native_enum=False, length=24, create_constraint=True), nullable=False),
    sa.Column('token_hash', sa.String(length=64), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('created_by', sa.Integer(), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('used_by', sa.Integer(), nullable=True),
    sa.Column('withdrawn_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['created_by'], ['organiser.id'], name=op.f('fk_invitation_created_by_organiser')),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_invitation_event_id_event')),
    sa.ForeignKeyConstraint(['used_by'], ['organiser.id'], name=op.f('fk_invitation_used_by_organiser')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_invitation')),
    sa.UniqueConstraint('token_hash', name=op.f('uq_invitation_token_hash'))
    )
    op.create_index(op.f('ix_invitation_event_id'), 'invitation', ['event_id'], unique=False)
    # Until now whoever had an account ran the club and all of its events.
    op.execute("UPDATE organiser SET runs_club = TRUE")
    op.execute(
        "INSERT INTO staff (event_id, account_id, role, since) "
        "SELECT event.id, organiser.id, 'owner', event.created_at FROM event CROSS JOIN organiser"
    )


def downgrade() -> None:
    op.drop_index(op.f('ix_invitation_event_id'), table_name='invitation')
    op.drop_table('invitation')
    op.drop_index(op.f('ix_staff_account_id'), table_name='staff')
    op.drop_table('staff')
    op.execute("ALTER TABLE organiser DROP COLUMN runs_club")
