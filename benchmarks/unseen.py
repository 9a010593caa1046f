"""Mutants without a visible effect, each with the reason. ``mutations.py`` leaves them out."""

from benchmarks.mutants import Mutant

CHANCE = "a byte of chance more than is asked"
FLUSHED = "the question that is asked next stores it as well"
READ = "the acting person was read by this session, which keeps what is changed of them"
UNSEEN: dict[tuple[str, str], str] = {
    ("models/db.py _set_up_sqlite", "number moved: 1000 -> 1001"): "waits 5 ms longer",
    ("models/base.py new_stamp", "number moved: 6 -> 7"): CHANCE,
    ("models/storable.py guard", "condition removed: parameters or () -> ((parameters))"): "SQLAlchemy gives no None",
    ("events/play/parsing.py one_line", "number moved: 4 -> 5"): "how much is cut off before it is measured",
    ("events/play/parsing.py one_line", "number moved: 100 -> 101"): "how much is cut off before it is measured",
    ("events/accounts/queries.py new_sign_in", "number moved: 24 -> 25"): CHANCE,
    ("events/accounts/actions.py end_all", "number moved: 24 -> 25"): CHANCE,
    (
        "events/accounts/actions.py end_sign_in",
        "boundary moved: col(EndedSignIn.until) <= now -> (col(EndedSignIn.until) < now)",
    ): "one that has ended by itself is forgotten a moment later",
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
    ): "lists that are locked and not stored as locked have a deadline",
    (
        "events/lists/locks.py settle",
        "guard removed: event.lists_locked_at is None -> False",
    ): "of lists that are open nothing runs out, and nothing is shown",
    (
        "events/lists/locks.py settle",
        "condition removed: player.list_unlocked_until or now -> ((player.list_unlocked_until))",
    ): "whose time has run out has one",
    ("events/accounts/actions.py turn_off", "number moved: 0 -> 1"): "turning it on sets another step",
    ("events/accounts/actions.py turn_off", "call removed: s.add(account) -> pass"): READ,
    ("events/accounts/actions.py end_all", "call removed: s.add(account) -> pass"): READ,
    (
        "events/accounts/queries.py _as_bytes",
        'condition removed: secret or "" -> ((secret))',
    ): "none starts without a secret",
    (
        "events/web/request.py qr",
        "number moved: 4 -> 5",
    ): "larger squares, or a wider rim, of a code that fills its place",
    ("events/web/idempotency.py new_key", "number moved: 18 -> 19"): CHANCE,
    ("events/web/forms.py WholeNumberField.process_formdata", "number moved: 20 -> 21"): "beyond every bound at 20",
    (
        "events/accounts/loading.py round_or_404",
        "boundary moved: number < MOST_ROUNDS -> (number <= MOST_ROUNDS)",
    ): "there is no such round either way",
    (
        "events/rounds/draft.py keep_costs",
        "condition removed: the_round.outcome or {} -> ((the_round.outcome))",
    ): "a draft has its draw",
    (
        "events/rounds/draft.py _as_drawn",
        'condition removed: outcome.get("scenarios") or [None] * len(outcome["pairs"]) -> ((outcome.get("scenarios")))',
    ): "only draws of an older version lack them",
    (
        "events/accounts/loading.py mark_of",
        "call removed: moments.append(player.list_unlocked_until) -> pass",
    ): "no page of a player is cached until then",
    (
        "events/accounts/loading.py managed_event",
        'condition removed: request.endpoint or "" -> ((request.endpoint))',
    ): "a view is asked by an endpoint",
    ("events/accounts/attempts.py know_browser", "number moved: 18 -> 19"): CHANCE,
    ("events/web/forms.py WhichInput.__call__", "flag turned: True -> False"): "two words for two moments",
    ("events/web/forms.py LocalMomentField.moments", "number moved: 1 -> 2"): "a year that is refused anyway",
    (
        "events/web/forms.py WhichInput.__call__",
        "condition removed: not isinstance(field, LocalMomentField) or len(field.moments) < 2 -> "
        "((len(field.moments) < 2))",
    ): "it is the widget of no other field",
    (
        "events/web/forms.py WholeNumberField.pre_validate",
        "condition removed: self.raw_data or () -> ((self.raw_data))",
    ): "what was not typed is not wrong",
    (
        "events/accounts/staff_routes.py ",
        "question changed: access.may_see_players -> access.may_see_desk",
    ): "all of the staff see both",
    (
        "events/accounts/loading.py managed_event",
        "condition removed: request.view_args or {} -> ((request.view_args))",
    ): "an address of the desk has the event's name in it",
    (
        "events/accounts/loading.py game_or_404",
        "boundary moved: game_id <= LONGEST_ID -> (game_id < LONGEST_ID)",
    ): "there is no such game either way",
    (
        "events/accounts/loading.py player_or_404",
        "boundary moved: player_id <= LONGEST_ID -> (player_id < LONGEST_ID)",
    ): "there is no such player either way",
    (
        "events/accounts/loading.py remember_player",
        'call removed: g.pop("visitor", None) -> pass',
    ): "all that remember somebody send the browser on",
    (
        "events/accounts/attempts.py client_key",
        'condition removed: request.remote_addr or "" -> ((request.remote_addr))',
    ): "neither is an address",
    (
        "events/play/visitor.py Visitor.acting_in",
        "condition removed: self.account is not None and role is not None and (at_desk or player is None) -> "
        "((role is not None) and (at_desk or player is None))",
    ): "who has no account has no role",
}
"""By function and change."""


def reason(mutant: Mutant) -> str:
    """The reason why the mutant has no visible effect; "" if it has one."""
    return UNSEEN.get((mutant.place, f"{mutant.kind}: {mutant.change}"), "")
