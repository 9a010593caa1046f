"""Mutants without a visible effect, with the reason for each. ``mutations.py`` leaves them out."""

from benchmarks.mutants import Mutant

CHANCE = "one random byte more than needed"
FLUSHED = "the next query flushes it"
READ = "the session has already loaded the account, and stores its changes"
UNSEEN: dict[tuple[str, str], str] = {
    ("models/db.py _set_up_sqlite", "number moved: 1000 -> 1001"): "waits 5 ms longer",
    ("models/base.py new_stamp", "number moved: 6 -> 7"): CHANCE,
    ("models/storable.py guard", "condition removed: parameters or () -> ((parameters))"): "SQLAlchemy gives no None",
    ("events/web/parsing.py judges_reason", "number moved: 4 -> 5"): "only cuts the text before its length is checked",
    (
        "events/web/parsing.py judges_reason",
        "number moved: 100 -> 101",
    ): "only cuts the text before its length is checked",
    ("events/accounts/queries.py new_sign_in", "number moved: 24 -> 25"): CHANCE,
    ("events/accounts/actions.py end_all", "number moved: 24 -> 25"): CHANCE,
    (
        "events/accounts/actions.py end_sign_in",
        "boundary moved: col(EndedSignIn.until) <= now -> (col(EndedSignIn.until) < now)",
    ): "an expired sign-in is deleted a moment later",
    ("events/accounts/actions.py _make_link", "number moved: 24 -> 25"): CHANCE,
    ("events/accounts/actions.py set_up_organiser", "number moved: 24 -> 25"): CHANCE,
    ("events/accounts/actions.py make_account", "number moved: 24 -> 25"): CHANCE,
    ("events/accounts/actions.py make_account", "call removed: s.flush() -> pass"): FLUSHED,
    ("events/accounts/actions.py set_up_organiser", "call removed: s.flush() -> pass"): FLUSHED,
    ("events/accounts/actions.py invite", "number moved: 24 -> 25"): CHANCE,
    ("events/lists/locks.py seal", "number moved: 16 -> 17"): CHANCE,
    (
        "events/lists/locks.py settle",
        "condition removed: event.list_deadline or now -> ((event.list_deadline))",
    ): "lists that are locked but not stored as locked have a deadline",
    (
        "events/lists/locks.py settle",
        "guard removed: event.lists_locked_at is None -> False",
    ): "open lists have no unlocked time that could end, and are not shown",
    (
        "events/lists/locks.py settle",
        "condition removed: player.list_unlocked_until or now -> ((player.list_unlocked_until))",
    ): "a player whose time has ended had a time set",
    ("events/accounts/actions.py turn_off", "number moved: 0 -> 1"): "turning it on sets the step again",
    ("events/accounts/actions.py turn_off", "call removed: s.add(account) -> pass"): READ,
    ("events/accounts/actions.py end_all", "call removed: s.add(account) -> pass"): READ,
    (
        "events/accounts/queries.py _as_bytes",
        'condition removed: secret or "" -> ((secret))',
    ): "every secret is set when this is called",
    (
        "events/web/request.py qr",
        "number moved: 4 -> 5",
    ): "the code is scaled to its place, whatever its size",
    ("events/web/idempotency.py new_key", "number moved: 18 -> 19"): CHANCE,
    (
        "events/web/forms.py WholeNumberField.process_formdata",
        "number moved: 20 -> 21",
    ): "20 digits are already outside every bound",
    (
        "events/accounts/loading.py round_or_404",
        "boundary moved: number < MOST_ROUNDS -> (number <= MOST_ROUNDS)",
    ): "no round has this number either way",
    (
        "events/rounds/draft.py keep_costs",
        "condition removed: the_round.outcome or {} -> ((the_round.outcome))",
    ): "a draft always has its outcome stored",
    (
        "events/rounds/draft.py settle",
        "condition removed: the_round.outcome or {} -> ((the_round.outcome))",
    ): "a draft always has its outcome stored",
    (
        "events/rounds/draft.py pairs_drawn",
        'condition removed: outcome.get("scenarios") or [None] * len(outcome["pairs"]) -> ((outcome.get("scenarios")))',
    ): "only draws by an older version have no scenarios",
    (
        "events/accounts/loading.py mark_of",
        "call removed: moments.append(player.list_unlocked_until) -> pass",
    ): "no page of a player is cached that long",
    (
        "events/accounts/loading.py managed_event",
        'condition removed: request.endpoint or "" -> ((request.endpoint))',
    ): "a view always has an endpoint",
    ("events/accounts/attempts.py know_browser", "number moved: 18 -> 19"): CHANCE,
    (
        "events/web/forms.py WhichInput.__call__",
        "flag turned: True -> False",
    ): "there are always two labels for two moments",
    ("events/web/forms.py LocalMomentField.moments", "number moved: 1 -> 2"): "such a year is refused anyway",
    (
        "events/web/forms.py WhichInput.__call__",
        "condition removed: not isinstance(field, LocalMomentField) or len(field.moments) < 2 -> "
        "((len(field.moments) < 2))",
    ): "no other field has this widget",
    (
        "events/web/forms.py WholeNumberField.pre_validate",
        "condition removed: self.raw_data or () -> ((self.raw_data))",
    ): "an empty field has no number to reject",
    (
        "events/accounts/loading.py managed_event",
        "condition removed: request.view_args or {} -> ((request.view_args))",
    ): "every address of the desk contains the event's slug",
    (
        "events/accounts/loading.py game_or_404",
        "boundary moved: game_id <= LONGEST_ID -> (game_id < LONGEST_ID)",
    ): "no game has this id either way",
    (
        "events/accounts/loading.py player_or_404",
        "boundary moved: player_id <= LONGEST_ID -> (player_id < LONGEST_ID)",
    ): "no player has this id either way",
    (
        "events/accounts/loading.py remember_player",
        'call removed: g.pop("visitor", None) -> pass',
    ): "every caller redirects, so the visitor is not read again in this request",
    (
        "events/accounts/attempts.py client_key",
        'condition removed: request.remote_addr or "" -> ((request.remote_addr))',
    ): "neither value is an address",
    (
        "events/play/visitor.py Visitor.acting_in",
        "condition removed: self.account is not None and role is not None and (at_desk or player is None) -> "
        "((role is not None) and (at_desk or player is None))",
    ): "a visitor without an account has no role",
}
"""The reasons, by function and change."""


def reason(mutant: Mutant) -> str:
    """The reason why the mutant has no visible effect; "" for any other mutant."""
    return UNSEEN.get((mutant.place, f"{mutant.kind}: {mutant.change}"), "")
