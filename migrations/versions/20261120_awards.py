"""soft scores, rulings and awards"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_awards"
down_revision = "20261120_messages"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    ("event", "soft_rules", "JSON"),
    ("event", "painting_vote_opened_at", "{moment}"),
    ("event", "painting_vote_closed_at", "{moment}"),
    ("event", "sports_closed_at", "{moment}"),
    ("event", "awards_published_at", "{moment}"),
    ("event", "awards_shown", "INTEGER DEFAULT '0' NOT NULL"),
    ("player", "painting_by_hand", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("player", "sportsmanship_by_hand", "BOOLEAN DEFAULT {no} NOT NULL"),
)
KINDS = ("place", "overall", "painted", "painted_vote", "sport", "most_vp", "faction", "spoon", "own")


def upgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    no, moment = ("0", "DATETIME") if sqlite else ("false", "TIMESTAMP WITH TIME ZONE")
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(no=no, moment=moment)}")
    # A figure that stands already was set by hand.
    op.execute("UPDATE player SET painting_by_hand = TRUE WHERE painting <> 0")
    op.execute("UPDATE player SET sportsmanship_by_hand = TRUE WHERE sportsmanship <> 0")
    op.create_table(
        "painting_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_painting_mark_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_painting_mark_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_painting_mark")),
        sa.UniqueConstraint("player_id", name=op.f("uq_painting_mark_player_id")),
    )
    op.create_index(op.f("ix_painting_mark_event_id"), "painting_mark", ["event_id"], unique=False)
    op.create_table(
        "painting_vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("voter_id", sa.Integer(), nullable=False),
        sa.Column("for_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("voter_id <> for_id", name=op.f("ck_painting_vote_not_for_oneself")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_painting_vote_event_id_event")),
        sa.ForeignKeyConstraint(["for_id"], ["player.id"], name=op.f("fk_painting_vote_for_id_player")),
        sa.ForeignKeyConstraint(["voter_id"], ["player.id"], name=op.f("fk_painting_vote_voter_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_painting_vote")),
        sa.UniqueConstraint("voter_id", name=op.f("uq_painting_vote_voter_id")),
    )
    op.create_index(op.f("ix_painting_vote_event_id"), "painting_vote", ["event_id"], unique=False)
    op.create_table(
        "sports_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=False),
        sa.Column("giver_id", sa.Integer(), nullable=False),
        sa.Column("about_id", sa.Integer(), nullable=False),
        sa.Column("mark", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("giver_id <> about_id", name=op.f("ck_sports_mark_not_for_oneself")),
        sa.CheckConstraint("mark BETWEEN 0 AND 5", name=op.f("ck_sports_mark_mark_range")),
        sa.ForeignKeyConstraint(["about_id"], ["player.id"], name=op.f("fk_sports_mark_about_id_player")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_sports_mark_event_id_event")),
        sa.ForeignKeyConstraint(["giver_id"], ["player.id"], name=op.f("fk_sports_mark_giver_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sports_mark")),
        sa.UniqueConstraint("giver_id", "round_number", name=op.f("uq_sports_mark_giver_id_round_number")),
    )
    op.create_index(op.f("ix_sports_mark_event_id"), "sports_mark", ["event_id"], unique=False)
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=True),
        sa.Column("after_round", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("vp", sa.Integer(), nullable=False),
        sa.Column(
            "card",
            sa.Enum("yellow", "red", name="card", native_enum=False, create_constraint=True, length=24),
            nullable=True,
        ),
        sa.Column("loses_game", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("disqualifies", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_back_by", sa.String(length=120), nullable=True),
        sa.CheckConstraint("points BETWEEN -100 AND 100", name=op.f("ck_ruling_points_range")),
        sa.CheckConstraint("vp BETWEEN -1000 AND 1000", name=op.f("ck_ruling_vp_range")),
        sa.CheckConstraint("NOT loses_game OR round_number IS NOT NULL", name=op.f("ck_ruling_lost_game_has_round")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_ruling_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_ruling_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ruling")),
    )
    op.create_index(op.f("ix_ruling_event_id"), "ruling", ["event_id"], unique=False)
    op.create_index(op.f("ix_ruling_player_id"), "ruling", ["player_id"], unique=False)
    op.create_table(
        "award",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(*KINDS, name="kind", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.CheckConstraint("place BETWEEN 1 AND 100", name=op.f("ck_award_place_range")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_award_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_award")),
    )
    op.create_index(op.f("ix_award_event_id"), "award", ["event_id"], unique=False)
    op.create_table(
        "award_pick",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("award_id", sa.Integer(), nullable=False),
        sa.Column("faction", sa.String(length=80), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["award_id"], ["award.id"], name=op.f("fk_award_pick_award_id_award")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_award_pick_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_award_pick")),
        sa.UniqueConstraint("award_id", "faction", "player_id", name=op.f("uq_award_pick_award_id_faction_player_id")),
    )
    op.create_index(op.f("ix_award_pick_award_id"), "award_pick", ["award_id"], unique=False)


def downgrade() -> None:
    for table in ("award_pick", "award", "ruling", "sports_mark", "painting_vote", "painting_mark"):
        op.drop_table(table)
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
