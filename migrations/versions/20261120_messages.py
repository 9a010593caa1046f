"""messages to players, their deliveries, and where mail goes"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_messages"
down_revision = "20261120_room"
branch_labels = None
depends_on = None

# As the states' column type makes it: a choice stored by value and checked under its name.
MAIL = sa.Enum("queued", "sending", "sent", "failed", "unsure", name="mail", native_enum=False, length=24, create_constraint=True)


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    op.execute(f"ALTER TABLE event ADD COLUMN mail_asked BOOLEAN DEFAULT {no} NOT NULL")
    op.create_table('contact',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('mail', sa.String(length=254), nullable=False),
    sa.Column('given_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['player_id'], ['player.id'], name=op.f('fk_contact_player_id_player')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_contact')),
    sa.UniqueConstraint('player_id', name=op.f('uq_contact_player_id'))
    )
    op.create_table('message',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('event_id', sa.Integer(), nullable=False),
    sa.Column('key', sa.String(length=40), nullable=False),
    sa.Column('recipients', sa.String(length=40), nullable=False),
    sa.Column('subject', sa.String(length=120), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('words', sa.JSON(), nullable=False),
    sa.Column('public', sa.Boolean(), nullable=False),
    sa.Column('by', sa.String(length=120), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['event_id'], ['event.id'], name=op.f('fk_message_event_id_event')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_message')),
    sa.UniqueConstraint('event_id', 'key', name=op.f('uq_message_event_id_key'))
    )
    op.create_index(op.f('ix_message_event_id'), 'message', ['event_id'], unique=False)
    op.create_table('delivery',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('message_id', sa.Integer(), nullable=False),
    sa.Column('player_id', sa.Integer(), nullable=False),
    sa.Column('words', sa.JSON(), nullable=False),
    sa.Column('read_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('mail', MAIL, nullable=True),
    sa.Column('attempts', sa.Integer(), nullable=False),
    sa.Column('next_try', sa.DateTime(timezone=True), nullable=True),
    sa.Column('tried_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('last_error', sa.String(length=300), nullable=False),
    sa.CheckConstraint("(mail = 'queued') = (next_try IS NOT NULL)", name=op.f('ck_delivery_queued_has_its_time')),
    sa.ForeignKeyConstraint(['message_id'], ['message.id'], name=op.f('fk_delivery_message_id_message')),
    sa.ForeignKeyConstraint(['player_id'], ['player.id'], name=op.f('fk_delivery_player_id_player')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_delivery')),
    sa.UniqueConstraint('message_id', 'player_id', name=op.f('uq_delivery_message_id_player_id'))
    )
    op.create_index(op.f('ix_delivery_message_id'), 'delivery', ['message_id'], unique=False)
    op.create_index(op.f('ix_delivery_player_id'), 'delivery', ['player_id'], unique=False)
    op.create_index('ix_delivery_mail_next_try', 'delivery', ['mail', 'next_try'], unique=False)


def downgrade() -> None:
    op.drop_table('delivery')
    op.drop_table('message')
    op.drop_table('contact')
    op.execute("ALTER TABLE event DROP COLUMN mail_asked")
