"""tables: everything there is, with a journal that the database only lets grow"""

import sqlalchemy as sa
from alembic import op

revision = "20261130_tables"
down_revision = None
branch_labels = None
depends_on = None

# By table of the journal: the event that a row belongs to. Its rows go only together with their event.
JOURNAL = {
    "change_set": "OLD.event_id",
    "journal_entry": "OLD.event_id",
    "row_change": "(SELECT event_id FROM change_set WHERE id = OLD.change_set_id)",
    "journal_value": "OLD.event_id",
}
REFUSED = "the journal is only ever added to"


def choice(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=24)


def upgrade() -> None:
    op.create_table(
        "ended_sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sign_in", sa.String(length=64), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ended_sign_in")),
        sa.UniqueConstraint("sign_in", name=op.f("uq_ended_sign_in_sign_in")),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("place", sa.String(length=200), nullable=False),
        sa.Column("description", sa.String(length=4000), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("timezone", sa.String(length=64), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("edition", sa.String(length=40), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=True),
        sa.Column("waiting_list", sa.Boolean(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("round_minutes", sa.Integer(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=True),
        sa.Column("list_deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lists_locked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("points_win", sa.Integer(), nullable=False),
        sa.Column("points_draw", sa.Integer(), nullable=False),
        sa.Column("points_loss", sa.Integer(), nullable=False),
        sa.Column("painting_points", sa.Integer(), nullable=False),
        sa.Column("tie_breaks", sa.JSON(), nullable=False),
        sa.Column("avoid_clubs", choice("avoid_clubs", "first_round", "always", "never"), nullable=False),
        sa.Column("scenario_pool", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", choice("state", "draft", "registration", "in_progress", "finished"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "lists_shown",
            choice("lists_shown", "at_lock", "at_time", "after_event", "on_press"),
            server_default="at_lock",
            nullable=False,
        ),
        sa.Column("lists_shown_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lists_revealed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("restrictions", sa.JSON(), nullable=True),
        sa.Column("team_size", sa.Integer(), server_default="1", nullable=False),
        sa.Column("boards", choice("boards", "order", "choice"), server_default="order", nullable=False),
        sa.Column("doubles", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("draw_rules", sa.JSON(), nullable=True),
        sa.Column(
            "format", choice("format", "swiss", "round_robin", "knockout"), server_default="swiss", nullable=False
        ),
        sa.Column("legs", sa.Integer(), server_default="1", nullable=False),
        sa.Column("cut", sa.Integer(), nullable=True),
        sa.Column("third_place", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("player_meeting", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("bye_vp", sa.Integer(), nullable=True),
        sa.Column("asked_bye", choice("asked_bye", "win", "draw", "loss"), server_default="draw", nullable=False),
        sa.Column("late_points", sa.Integer(), server_default="0", nullable=False),
        sa.Column("vp_cap", sa.Integer(), nullable=True),
        sa.Column("clock_rules", sa.JSON(), nullable=True),
        sa.Column("tables_out", sa.JSON(), nullable=True),
        sa.Column("top_tables", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("scenario_per_table", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("mail_asked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("soft_rules", sa.JSON(), nullable=True),
        sa.Column("painting_vote_opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("painting_vote_closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sports_closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("awards_published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("awards_shown", sa.Integer(), server_default="0", nullable=False),
        sa.Column("conceded_vp", choice("conceded_vp", "bye", "scored"), server_default="bye", nullable=False),
        sa.Column("not_played", choice("not_played", "nothing", "draw"), server_default="nothing", nullable=False),
        sa.Column("second_pass_alone", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("journal_from", sa.Integer(), nullable=True),
        sa.Column("fee", sa.String(length=60), server_default=sa.text("''"), nullable=False),
        sa.Column("stamp", sa.String(length=16), server_default=sa.text("''"), nullable=False),
        sa.Column("public_stamp", sa.String(length=16), server_default=sa.text("''"), nullable=False),
        sa.Column("approval", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("bye_vp >= 0", name=op.f("ck_event_bye_vp_counted")),
        sa.CheckConstraint("cut BETWEEN 2 AND 64", name=op.f("ck_event_cut_range")),
        sa.CheckConstraint("ends_on >= starts_on", name=op.f("ck_event_ends_after_start")),
        sa.CheckConstraint("late_points >= 0", name=op.f("ck_event_late_points_counted")),
        sa.CheckConstraint("legs BETWEEN 1 AND 2", name=op.f("ck_event_legs_range")),
        sa.CheckConstraint("places IS NULL OR places > 0", name=op.f("ck_event_places_positive")),
        sa.CheckConstraint("rounds BETWEEN 1 AND 20", name=op.f("ck_event_rounds_range")),
        sa.CheckConstraint("size > 0", name=op.f("ck_event_size_positive")),
        sa.CheckConstraint("tables IS NULL OR tables > 0", name=op.f("ck_event_tables_positive")),
        sa.CheckConstraint("team_size BETWEEN 1 AND 8", name=op.f("ck_event_team_size_range")),
        sa.CheckConstraint("vp_cap > 0", name=op.f("ck_event_vp_cap_positive")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("slug", name=op.f("uq_event_slug")),
    )
    op.create_table(
        "organiser",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("session_key", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("runs_club", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("totp_secret", sa.String(length=300), server_default=sa.text("''"), nullable=False),
        sa.Column("totp_step", sa.Integer(), server_default="0", nullable=False),
        sa.Column("spare_codes", sa.String(length=600), server_default=sa.text("''"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organiser")),
        sa.UniqueConstraint("name_key", name=op.f("uq_organiser_name_key")),
    )
    op.create_table(
        "own_edition",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("edition", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("date", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_edition")),
        sa.UniqueConstraint("system", "edition", name=op.f("uq_own_edition_system_edition")),
    )
    op.create_table(
        "own_scenario",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_scenario")),
        sa.UniqueConstraint("system", "slug", name=op.f("uq_own_scenario_system_slug")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=10), server_default="name", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempt")),
    )
    op.create_index("ix_sign_in_attempt_name_key", "sign_in_attempt", ["name_key"])
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_announcement_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
    )
    op.create_index("ix_announcement_event_id", "announcement", ["event_id"])
    op.create_table(
        "award",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            choice(
                "kind", "place", "overall", "painted", "painted_vote", "sport", "most_vp", "faction", "spoon", "own"
            ),
            nullable=False,
        ),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.CheckConstraint("place BETWEEN 1 AND 100", name=op.f("ck_award_place_range")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_award_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_award")),
    )
    op.create_index("ix_award_event_id", "award", ["event_id"])
    op.create_table(
        "change_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("role", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("baseline", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_change_set_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_set")),
    )
    op.create_index("ix_change_set_event_id", "change_set", ["event_id"])
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            choice("role", "owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in"),
            nullable=False,
        ),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_by", sa.Integer(), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["organiser.id"], name=op.f("fk_invitation_created_by_organiser")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_invitation_event_id_event")),
        sa.ForeignKeyConstraint(["used_by"], ["organiser.id"], name=op.f("fk_invitation_used_by_organiser")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    op.create_index("ix_invitation_event_id", "invitation", ["event_id"])
    op.create_table(
        "journal_value",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_journal_value_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("event_id", "sha256", name=op.f("pk_journal_value")),
    )
    op.create_table(
        "meeting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_meeting_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_meeting")),
        sa.UniqueConstraint("event_id", name=op.f("uq_meeting_event_id")),
    )
    op.create_table(
        "message",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("recipients", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_message_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
        sa.UniqueConstraint("event_id", "key", name=op.f("uq_message_event_id_key")),
    )
    op.create_index("ix_message_event_id", "message", ["event_id"])
    op.create_table(
        "round",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("scenario", sa.String(length=40), nullable=True),
        sa.Column("scenario_drawn", sa.Boolean(), nullable=False),
        sa.Column("state", choice("state", "planned", "drawn", "published"), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("kind", choice("kind", "swiss", "round_robin", "knockout"), server_default="swiss", nullable=False),
        sa.Column("bracket", sa.Integer(), nullable=True),
        sa.Column("planned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("extra_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("inputs", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.CheckConstraint("(kind = 'knockout') = (bracket IS NOT NULL)", name=op.f("ck_round_knockout_has_bracket")),
        sa.CheckConstraint("number > 0", name=op.f("ck_round_number_positive")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_round_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_round_event_id_number")),
    )
    op.create_index("ix_round_event_id", "round", ["event_id"])
    op.create_table(
        "set_up_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["organiser.id"], name=op.f("fk_set_up_link_account_id_organiser")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_set_up_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_set_up_link_token_hash")),
    )
    op.create_table(
        "staff",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            choice("role", "owner", "organiser", "judge", "scorekeeper", "list_checker", "check_in"),
            nullable=False,
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["organiser.id"], name=op.f("fk_staff_account_id_organiser")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_staff_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff")),
        sa.UniqueConstraint("event_id", "account_id", name=op.f("uq_staff_event_id_account_id")),
    )
    op.create_index("ix_staff_account_id", "staff", ["account_id"])
    op.create_table(
        "team",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("club", sa.String(length=80), nullable=False),
        sa.Column("entered_round", sa.Integer(), nullable=False),
        sa.Column("dropped_after", sa.Integer(), nullable=True),
        sa.Column("code", sa.String(length=12), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_team_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
        sa.UniqueConstraint("event_id", "name_key", name=op.f("uq_team_event_id_name_key")),
    )
    op.create_index("ix_team_event_id", "team", ["event_id"])
    op.create_table(
        "journal_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("verb", sa.String(length=40), nullable=False),
        sa.Column("text", sa.String(length=500), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("change_set_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["change_set_id"],
            ["change_set.id"],
            name=op.f("fk_journal_entry_change_set_id_change_set"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_journal_entry_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journal_entry")),
    )
    op.create_index("ix_journal_entry_change_set_id", "journal_entry", ["change_set_id"])
    op.create_index("ix_journal_entry_event_id", "journal_entry", ["event_id"])
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("club", sa.String(length=80), nullable=False),
        sa.Column("faction", sa.String(length=80), nullable=False),
        sa.Column("state", choice("state", "waiting", "registered", "checked_in", "dropped"), nullable=False),
        sa.Column("registered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("link_generation", sa.Integer(), nullable=False),
        sa.Column("entered_round", sa.Integer(), nullable=False),
        sa.Column("dropped_after", sa.Integer(), nullable=True),
        sa.Column("painted", sa.Boolean(), nullable=False),
        sa.Column("list_unlocked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("list_unlocked_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("list_points_set", sa.Integer(), nullable=True),
        sa.Column("partner", sa.String(length=80), server_default=sa.text("''"), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("board", sa.Integer(), nullable=True),
        sa.Column("captain", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("seed_number", sa.Integer(), nullable=True),
        sa.Column("asked_byes", sa.JSON(), nullable=True),
        sa.Column("ringer", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("painting", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sportsmanship", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fixed_table", sa.Integer(), nullable=True),
        sa.Column("painting_by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("sportsmanship_by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("secret", sa.String(length=32), server_default=sa.text("''"), nullable=False),
        sa.Column("session_key", sa.String(length=32), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("fixed_table > 0", name=op.f("ck_player_fixed_table_positive")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_player_event_id_event")),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_player_team_id_team")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("event_id", "name_key", name=op.f("uq_player_event_id_name_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_player_event_id", "player", ["event_id"])
    op.create_index("ix_player_event_id_list_unlocked_until", "player", ["event_id", "list_unlocked_until"])
    op.create_index("ix_player_team_id", "player", ["team_id"])
    op.create_table(
        "row_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_set_id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(length=40), nullable=False),
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("kind", choice("kind", "added", "changed", "removed", "found"), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("other_id", sa.Integer(), nullable=True),
        sa.Column("round_id", sa.Integer(), nullable=True),
        sa.Column("table_number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["change_set_id"],
            ["change_set.id"],
            name=op.f("fk_row_change_change_set_id_change_set"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_row_change")),
    )
    op.create_index("ix_row_change_change_set_id", "row_change", ["change_set_id"])
    op.create_index("ix_row_change_other_id", "row_change", ["other_id"])
    op.create_index("ix_row_change_player_id", "row_change", ["player_id"])
    op.create_index("ix_row_change_table_name_row_id", "row_change", ["table_name", "row_id"])
    op.create_table(
        "team_match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("a_id", sa.Integer(), nullable=False),
        sa.Column("b_id", sa.Integer(), nullable=True),
        sa.Column("block", sa.Integer(), nullable=True),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("a_order", sa.JSON(), nullable=True),
        sa.Column("b_order", sa.JSON(), nullable=True),
        sa.Column("matched_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(b_id IS NULL) = (block IS NULL)", name=op.f("ck_team_match_bye_has_no_block")),
        sa.CheckConstraint("a_id <> b_id", name=op.f("ck_team_match_two_teams")),
        sa.ForeignKeyConstraint(["a_id"], ["team.id"], name=op.f("fk_team_match_a_id_team")),
        sa.ForeignKeyConstraint(["b_id"], ["team.id"], name=op.f("fk_team_match_b_id_team")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_team_match_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_match")),
        sa.UniqueConstraint("round_id", "a_id", name=op.f("uq_team_match_round_id_a_id")),
        sa.UniqueConstraint("round_id", "b_id", name=op.f("uq_team_match_round_id_b_id")),
        sa.UniqueConstraint("round_id", "block", name=op.f("uq_team_match_round_id_block")),
    )
    op.create_index("ix_team_match_a_id", "team_match", ["a_id"])
    op.create_index("ix_team_match_b_id", "team_match", ["b_id"])
    op.create_index("ix_team_match_round_id", "team_match", ["round_id"])
    op.create_table(
        "team_ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=True),
        sa.Column("after_round", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("vp", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_back_by", sa.String(length=120), nullable=True),
        sa.CheckConstraint("points <> 0 OR vp <> 0", name=op.f("ck_team_ruling_gives_something")),
        sa.CheckConstraint("points BETWEEN -100 AND 100", name=op.f("ck_team_ruling_points_range")),
        sa.CheckConstraint("vp BETWEEN -1000 AND 1000", name=op.f("ck_team_ruling_vp_range")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_team_ruling_event_id_event")),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_team_ruling_team_id_team")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_ruling")),
    )
    op.create_index("ix_team_ruling_event_id", "team_ruling", ["event_id"])
    op.create_index("ix_team_ruling_team_id", "team_ruling", ["team_id"])
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
    op.create_index("ix_award_pick_award_id", "award_pick", ["award_id"])
    op.create_table(
        "contact",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_contact_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contact")),
        sa.UniqueConstraint("player_id", name=op.f("uq_contact_player_id")),
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mail", choice("mail", "queued", "sending", "sent", "failed", "unsure"), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(length=300), nullable=False),
        sa.CheckConstraint("(mail = 'queued') = (next_try IS NOT NULL)", name=op.f("ck_delivery_queued_has_its_time")),
        sa.ForeignKeyConstraint(["message_id"], ["message.id"], name=op.f("fk_delivery_message_id_message")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_delivery_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sa.UniqueConstraint("message_id", "player_id", name=op.f("uq_delivery_message_id_player_id")),
    )
    op.create_index("ix_delivery_mail_next_try", "delivery", ["mail", "next_try"])
    op.create_index("ix_delivery_message_id", "delivery", ["message_id"])
    op.create_index("ix_delivery_player_id", "delivery", ["player_id"])
    op.create_table(
        "force_list",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("approved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_back_note", sa.String(length=1000), nullable=True),
        sa.Column("sent_back_by_terms", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("submitted_before", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_force_list_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_force_list")),
        sa.UniqueConstraint("player_id", name=op.f("uq_force_list_player_id")),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("a_id", sa.Integer(), nullable=False),
        sa.Column("b_id", sa.Integer(), nullable=True),
        sa.Column("table_number", sa.Integer(), nullable=True),
        sa.Column("code", sa.String(length=12), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("state", choice("state", "open", "reported", "disputed", "confirmed"), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("choosing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("board", sa.Integer(), nullable=True),
        sa.Column("goes_through", choice("goes_through", "a", "b"), nullable=True),
        sa.Column("asked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("absent", choice("absent", "a", "b", "both"), nullable=True),
        sa.Column("extra_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("scenario", sa.String(length=40), nullable=True),
        sa.Column(
            "ending", choice("ending", "conceded_a", "conceded_b", "not_played", "unfinished", "decided"), nullable=True
        ),
        sa.Column("awarded", choice("awarded", "a", "b", "draw"), nullable=True),
        sa.Column("ending_reason", sa.String(length=1000), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint(
            "awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided')", name=op.f("ck_game_awarded_by_judge")
        ),
        sa.CheckConstraint("(b_id IS NULL) = (table_number IS NULL)", name=op.f("ck_game_bye_has_no_table")),
        sa.CheckConstraint("a_id <> b_id", name=op.f("ck_game_two_players")),
        sa.CheckConstraint("b_id IS NOT NULL OR absent IS NULL", name=op.f("ck_game_absent_from_game")),
        sa.CheckConstraint("b_id IS NULL OR NOT asked", name=op.f("ck_game_asked_is_bye")),
        sa.CheckConstraint(
            "ending IS NULL OR (b_id IS NOT NULL AND absent IS NULL)", name=op.f("ck_game_ending_of_game")
        ),
        sa.ForeignKeyConstraint(["a_id"], ["player.id"], name=op.f("fk_game_a_id_player")),
        sa.ForeignKeyConstraint(["b_id"], ["player.id"], name=op.f("fk_game_b_id_player")),
        sa.ForeignKeyConstraint(["match_id"], ["team_match.id"], name=op.f("fk_game_match_id_team_match")),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_game_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("code", name=op.f("uq_game_code")),
        sa.UniqueConstraint("round_id", "a_id", name=op.f("uq_game_round_id_a_id")),
        sa.UniqueConstraint("round_id", "b_id", name=op.f("uq_game_round_id_b_id")),
        sa.UniqueConstraint("round_id", "table_number", name=op.f("uq_game_round_id_table_number")),
    )
    op.create_index("ix_game_a_id", "game", ["a_id"])
    op.create_index("ix_game_b_id", "game", ["b_id"])
    op.create_index("ix_game_match_id", "game", ["match_id"])
    op.create_index("ix_game_round_id", "game", ["round_id"])
    op.create_table(
        "kept_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("said", sa.String(length=300), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_kept_answer_event_id_event")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_kept_answer_player_id_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_answer")),
        sa.UniqueConstraint("event_id", "who", "key", name=op.f("uq_kept_answer_event_id_who_key")),
    )
    op.create_index("ix_kept_answer_event_id", "kept_answer", ["event_id"])
    op.create_table(
        "kept_apart",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("a_id", sa.Integer(), nullable=False),
        sa.Column("b_id", sa.Integer(), nullable=False),
        sa.Column("when", choice("when", "first_round", "always"), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("a_id < b_id", name=op.f("ck_kept_apart_lower_id_first")),
        sa.ForeignKeyConstraint(["a_id"], ["player.id"], name=op.f("fk_kept_apart_a_id_player")),
        sa.ForeignKeyConstraint(["asked_by"], ["player.id"], name=op.f("fk_kept_apart_asked_by_player")),
        sa.ForeignKeyConstraint(["b_id"], ["player.id"], name=op.f("fk_kept_apart_b_id_player")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_kept_apart_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_apart")),
        sa.UniqueConstraint("a_id", "b_id", name=op.f("uq_kept_apart_a_id_b_id")),
    )
    op.create_index("ix_kept_apart_event_id", "kept_apart", ["event_id"])
    op.create_table(
        "list_seal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("submitted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_list_seal_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_list_seal")),
    )
    op.create_index("ix_list_seal_player_id", "list_seal", ["player_id"])
    op.create_table(
        "mail_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_mail_change_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_mail_change_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_change")),
        sa.UniqueConstraint("key", name=op.f("uq_mail_change_key")),
        sa.UniqueConstraint("player_id", name=op.f("uq_mail_change_player_id")),
    )
    op.create_index("ix_mail_change_event_id", "mail_change", ["event_id"])
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
    op.create_index("ix_painting_mark_event_id", "painting_mark", ["event_id"])
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
    op.create_index("ix_painting_vote_event_id", "painting_vote", ["event_id"])
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=True),
        sa.Column("after_round", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("vp", sa.Integer(), nullable=False),
        sa.Column("card", choice("card", "yellow", "red"), nullable=True),
        sa.Column("loses_game", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("disqualifies", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_back_by", sa.String(length=120), nullable=True),
        sa.CheckConstraint("NOT loses_game OR round_number IS NOT NULL", name=op.f("ck_ruling_lost_game_has_round")),
        sa.CheckConstraint("points BETWEEN -100 AND 100", name=op.f("ck_ruling_points_range")),
        sa.CheckConstraint("vp BETWEEN -1000 AND 1000", name=op.f("ck_ruling_vp_range")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_ruling_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_ruling_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ruling")),
    )
    op.create_index("ix_ruling_event_id", "ruling", ["event_id"])
    op.create_index("ix_ruling_player_id", "ruling", ["player_id"])
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
    op.create_index("ix_sports_mark_event_id", "sports_mark", ["event_id"])
    op.create_table(
        "fielded_force",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_fielded_force_game_id_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_fielded_force_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fielded_force")),
        sa.UniqueConstraint("game_id", "player_id", name=op.f("uq_fielded_force_game_id_player_id")),
    )
    op.create_index("ix_fielded_force_game_id", "fielded_force", ["game_id"])
    op.create_index("ix_fielded_force_player_id", "fielded_force", ["player_id"])
    op.create_table(
        "force_step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("force_list_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["force_list_id"], ["force_list.id"], name=op.f("fk_force_step_force_list_id_force_list")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_force_step")),
    )
    op.create_index("ix_force_step_force_list_id", "force_step", ["force_list_id"])
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("side", choice("side", "a", "b", "organiser"), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "ending", choice("ending", "conceded_a", "conceded_b", "not_played", "unfinished", "decided"), nullable=True
        ),
        sa.Column("awarded", choice("awarded", "a", "b", "draw"), nullable=True),
        sa.Column("ending_reason", sa.String(length=1000), server_default=sa.text("''"), nullable=False),
        sa.Column("reason", sa.String(length=500), server_default=sa.text("''"), nullable=False),
        sa.Column("from_paper", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("by_sheet", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint(
            "awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided')", name=op.f("ck_report_awarded_by_judge")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_report_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
    )
    op.create_index("ix_report_game_id", "report", ["game_id"])
    op.create_table(
        "sheet_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column(
            "ending", choice("ending", "conceded_a", "conceded_b", "not_played", "unfinished", "decided"), nullable=True
        ),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_sheet_reading_game_id_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet_reading")),
    )
    op.create_index("ix_sheet_reading_game_id", "sheet_reading", ["game_id"])
    (guard_sqlite if op.get_bind().dialect.name == "sqlite" else guard_postgres)()


def guard_sqlite() -> None:
    for table, event in JOURNAL.items():
        op.execute(f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END")
        op.execute(
            f"CREATE TRIGGER {table}_remains BEFORE DELETE ON {table} WHEN EXISTS "
            f"(SELECT 1 FROM event WHERE id = {event}) BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
        )


def guard_postgres() -> None:
    refuse = f"RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'restrict_violation'"
    op.execute(f"CREATE FUNCTION journal_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {refuse}; END $$")
    for table, event in JOURNAL.items():
        op.execute(
            f"CREATE FUNCTION {table}_remains() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF EXISTS (SELECT 1 FROM event WHERE id = {event}) THEN {refuse}; END IF; RETURN OLD; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION journal_stays()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_remains BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_remains()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_is_not_emptied BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION journal_stays()"
        )


def downgrade() -> None:
    bind = op.get_bind()
    found = sa.MetaData()
    found.reflect(bind)
    found.remove(found.tables["alembic_version"])
    sqlite = bind.dialect.name == "sqlite"
    for table in JOURNAL if sqlite else ():
        op.execute(f"DROP TRIGGER {table}_stays")
        op.execute(f"DROP TRIGGER {table}_remains")
    found.drop_all(bind)
    if not sqlite:
        for function in ("journal_stays", *(f"{table}_remains" for table in JOURNAL)):
            op.execute(f"DROP FUNCTION {function}()")
