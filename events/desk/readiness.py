"""The desk's board: players, lists and games that need attention, in groups."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from events.desk.event_facts import Button
from events.lists.queries import ListEntry, broken_rules
from events.registration.check_in import paint_first
from events.registration.payments import way_words
from events.seasons.campaign_queries import doubtful
from events.store.clock_queries import RoundClock, facts_of_clock
from events.store.editions import system_of
from events.store.ledger import due_back, is_due_back, kept, owes, payments_of, still_due
from events.store.players import awaits_approval, by_name, entry_state, placed, unanswered
from events.store.rounds import RoundView
from events.store.tournaments import Loaded
from events.store.visitor import Visitor
from events.tournament.clock import Reading, read
from events.visitors import access
from events.visitors.event_loading import behind_in, campaign_in_play
from events.visitors.loading import visitor
from events.web.request import local
from languages.money import sum_words
from languages.words import N_, apart, gettext, listed, pgettext
from models.event import Event, EventState
from models.play import Game, GameState, Player, PlayerState


@dataclass(frozen=True)
class ReadinessRow:
    """A row of a group: one player, or one table with its two players."""

    id: int
    """The id of the player or of the game."""
    people: tuple[Player, ...]
    cures: tuple[Button, ...]
    """The first is the most common one."""
    table: int | None = None
    note: str = ""
    """A short note: the club, the broken rule."""
    reading: Reading | None = None
    """The table's own clock, if it has extra time."""
    list: str = ""
    """The state of the player's list, to readers of lists."""


@dataclass(frozen=True)
class Kind:
    one: str
    many: str
    question: Callable[[Visitor, Event], bool]
    """The permission to see the group."""
    tone: str
    """How urgent it is: bad, wait or off."""
    remind: str = ""
    """The message template of a reminder."""
    bulk: tuple[str, str] | None = None
    """An action for all ticked rows, and its button's label."""


KINDS: Mapping[str, Kind] = {
    "disputed": Kind(N_("result disputed"), N_("results disputed"), access.may_enter_results, "bad"),
    "tied": Kind(N_("knockout game without a winner"), N_("knockout games without a winner"), access.may_decide, "bad"),
    "reported": Kind(
        N_("result waits for confirmation"), N_("results wait for confirmation"), access.may_enter_results, "wait"
    ),
    "playing": Kind(N_("table still playing"), N_("tables still playing"), access.may_enter_results, "wait"),
    "steps": Kind(N_("group with open steps"), N_("groups with open steps"), access.may_enter_results, "off"),
    "to_check": Kind(N_("step to check"), N_("steps to check"), access.may_enter_results, "wait"),
    "not_here": Kind(
        N_("not checked in"),
        N_("not checked in"),
        access.may_see_players,
        "wait",
        "not_here",
        ("check-in", N_("Check in ticked players")),
    ),
    "unpaid": Kind(
        N_("has not paid"),
        N_("have not paid"),
        access.may_mark_paid,
        "wait",
        "unpaid",
        ("paid", N_("Mark ticked players as paid")),
    ),
    "due_back": Kind(
        N_("has money due back"),
        N_("have money due back"),
        access.may_see_money,
        "wait",
        bulk=("give-back", N_("Mark ticked players as given back")),
    ),
    "no_list": Kind(
        N_("without a submitted list"),
        N_("without a submitted list"),
        access.may_read_lists,
        "bad",
        "list_missing",
    ),
    "illegal": Kind(N_("list is not legal"), N_("lists are not legal"), access.may_read_lists, "bad", "list_illegal"),
    "to_approve": Kind(N_("list waits for approval"), N_("lists wait for approval"), access.may_read_lists, "off"),
    "waiting": Kind(N_("on the waiting list"), N_("on the waiting list"), access.may_see_players, "off"),
    "approval": Kind(N_("waits for approval"), N_("wait for approval"), access.may_see_players, "wait"),
    "twice": Kind(N_("in two events at once"), N_("in two events at once"), access.may_see_players, "wait"),
    "unanswered": Kind(N_("has a question to answer"), N_("have a question to answer"), access.may_see_players, "wait"),
    "no_faction": Kind(N_("without a faction"), N_("without a faction"), access.may_see_players, "off"),
    "names": Kind(N_("name to check"), N_("names to check"), access.may_see_players, "off"),
}
"""Every group by its key, in the order of the board."""


@dataclass(frozen=True)
class Group:
    key: str
    lines: tuple[ReadinessRow, ...]
    remind: str = ""
    """The message template of a reminder; "" if it is too late for one."""
    late: bool = False
    """Whether it is too late to change anything before the games; the group is then no longer urgent."""

    @property
    def tone(self) -> str:
        return "off" if self.late else self.kind.tone

    @property
    def kind(self) -> Kind:
        return KINDS[self.key]

    @property
    def words(self) -> str:
        """The noun for the group's number, singular or plural."""
        return gettext(self.kind.one if len(self.lines) == 1 else self.kind.many)


def board(
    loaded: Loaded,
    entries: Sequence[ListEntry],
    clock: RoundClock | None,
    now: datetime,
    warnings: Mapping[int, Sequence[str]],
    clashes: Mapping[int, Sequence[str]],
) -> list[Group]:
    """Every group with rows, the most urgent first; none before registration opens.

    ``entries`` are the lists of all players with a place, ``clock`` is the current round's, ``warnings`` are those
    about names by player id, ``clashes`` the names of events where
    a player has a place at the same time. After the event only fees remain: unpaid, and due back.
    """
    event, players = loaded.event, loaded.players
    if event.state == EventState.DRAFT:
        return []
    ordered = sorted(players, key=by_name)
    rows: dict[str, Iterable[ReadinessRow]] = {
        "unpaid": [unpaid_row(event, player) for player in ordered if owes(event, player)],
        "due_back": [due_back_row(event, player) for player in ordered if is_due_back(event, player)],
    }
    if event.state != EventState.FINISHED:
        by_id = {p.id: p for p in players}
        approving = event.state == EventState.REGISTRATION or any("approved" in entry.states for entry in entries)
        rows |= {
            "steps": [
                _steps(by_id[id_], todo.against)
                for id_, todo in behind_in(event).items()
                if by_id[id_].state == PlayerState.CHECKED_IN
            ],
            "to_check": _to_check(event, by_id),
            **_games(loaded, by_id, clock, now),
            "not_here": not_here(loaded, lists_at_a_glance(event, entries)).lines,
            "no_list": [
                _list_line(event, entry)
                for entry in entries
                if entry.missing and not loaded.t.is_out(str(entry.player.id))
            ],
            "illegal": [_list_line(event, entry) for entry in entries if entry.illegal],
            "to_approve": [_list_line(event, entry) for entry in entries if approving and _waits(entry)],
            "approval": [_waiting(p) for p in ordered if awaits_approval(event, p)],
            "waiting": [_waiting(p) for p in ordered if entry_state(event, p) == "waiting"],
            "twice": [_to_open(p, listed(clashes[p.id])) for p in ordered if p.id in clashes],
            "unanswered": [_to_open(p, listed(asked)) for p in ordered if (asked := unanswered(event, p))],
            "no_faction": [_to_open(p, p.club) for p in _without_faction(event, ordered, entries)],
            "names": [_to_open(p, apart(warnings[p.id])) for p in ordered if p.id in warnings],
        }
    late = {"no_list", "illegal"} if access.lists_locked(event, now) else set()
    over = late if event.state == EventState.IN_PROGRESS else set()
    groups = [
        Group(key, tuple(rows.get(key, ())), "" if key in late else KINDS[key].remind, key in over) for key in KINDS
    ]
    return [group for group in groups if group.lines]


def not_here(loaded: Loaded, lists: Mapping[int, str]) -> Group:
    """The group of awaited players, by name, with their lists' states; it may be empty."""
    awaited = sorted(loaded.awaited, key=by_name)
    return Group("not_here", tuple(_absent(loaded.event, player, lists.get(player.id, "")) for player in awaited))


def lists_at_a_glance(event: Event, entries: Iterable[ListEntry]) -> dict[int, str]:
    """Each list's state by player id; empty for visitors who may not read lists."""
    return {entry.player.id: entry.at_a_glance for entry in entries} if access.may_read_lists(visitor(), event) else {}


def unpaid_row(event: Event, player: Player) -> ReadinessRow:
    note = _with_part(event, player)
    return ReadinessRow(player.id, (player,), (_act(player, "paid", gettext("Mark as paid")),), note=note)


def _with_part(event: Event, player: Player) -> str:
    """The player's club, after what is still due of somebody who paid a part."""
    due = sum_words(still_due(event, player), event.fee_currency) if kept(player) else ""
    return apart(filter(None, (due and gettext("Still due: %(sum)s", sum=due), player.club)))


def due_back_row(event: Event, player: Player) -> ReadinessRow:
    amount = due_back(event, player) or kept(player)
    ways = dict.fromkeys(way_words(payment.how) for payment in payments_of(player) if not payment.is_back)
    note = apart(filter(None, (sum_words(amount, event.fee_currency) if amount else "", ", ".join(filter(None, ways)))))
    return ReadinessRow(player.id, (player,), (_act(player, "give-back", gettext("Given back")),), note=note)


def _absent(event: Event, player: Player, list_state: str) -> ReadinessRow:
    verb, label = ("check-in", gettext("Check in"))
    if paint_first(event, player):
        verb, label = ("check-in-painted", gettext("Painted: check in"))
    gone = gettext("%(player)s is not paired from the next round on. You can bring them back.", player=player.name)
    cures = [_act(player, verb, label), _act(player, "drop", gettext("Drop"), gone)]
    note = player.club
    if owes(event, player) and access.may_mark_paid(visitor(), event):
        note = _with_part(event, player)
        if verb == "check-in":
            cures.insert(1, _act(player, "check-in-paid", gettext("Paid, check in")))
    return ReadinessRow(player.id, (player,), tuple(cures), note=note, list=list_state)


def _waiting(player: Player) -> ReadinessRow:
    return ReadinessRow(player.id, (player,), (_act(player, "give-place", gettext("Give a place")),), note=player.club)


def _without_faction(event: Event, players: Sequence[Player], entries: Iterable[ListEntry]) -> list[Player]:
    """The players without a faction, if factions are asked for; not those who play without a list.

    Readers of lists see the faction of a list, as on the page of players.
    """
    playing = [p for p in placed(players) if not p.ringer]
    shown = entries if access.may_read_lists(visitor(), event) else ()
    listed = {entry.player.id for entry in shown if entry.force}
    asked = event.restrictions.faction_locked or any(p.faction for p in playing)
    return [p for p in playing if not (p.faction or p.id in listed or p.list_waived_at)] if asked else []


def _to_open(player: Player, note: str) -> ReadinessRow:
    cures = (Button(pgettext("button", "Open"), "players.player_details", {"player_id": player.id}),)
    return ReadinessRow(player.id, (player,), cures, note=note)


def _steps(player: Player, against: str) -> ReadinessRow:
    steps = Button(gettext("Take the steps"), "steps.desk_steps", {"player_id": player.id}, asks=access.may_decide)
    group = Button(gettext("See the group"), "campaigns.group", {"player_id": player.id})
    note = gettext("after the game against %(against)s", against=against) if against else gettext("a new group")
    return ReadinessRow(player.id, (player,), (steps, group), note=note)


def _to_check(event: Event, by_id: Mapping[int, Player]) -> Iterable[ReadinessRow]:
    """The groups that went on although their records were in doubt."""
    campaign, of_group = campaign_in_play(event), dict[int, str]()
    for _, step, doubt in doubtful(campaign[0]) if campaign else ():
        of_group[step.group] = f"{doubt} {of_group.get(step.group, '')}".strip()
    steps = Button(gettext("See the steps to check"), "campaigns.manage_campaign", {"_anchor": "differ"})
    for id_, doubt in of_group.items():
        yield ReadinessRow(id_, (by_id[id_],), (steps,), note=doubt)


def _act(player: Player, verb: str, label: str, confirm: str = "") -> Button:
    return Button(label, "players.act_on_player", {"player_id": player.id, "verb": verb}, post=True, confirm=confirm)


def _list_line(event: Event, entry: ListEntry) -> ReadinessRow:
    player = entry.player
    rules = ", ".join(broken_rules(system_of(event), entry.verdict).values())
    note = "" if entry.force else gettext("none yet")
    note = note or rules or {"sent_back": gettext("sent back"), "draft": gettext("a draft")}.get(entry.main_state, "")
    if entry.missing and player.list_unlocked_until:
        note += gettext(", can submit until %(local)s", local=local(player.list_unlocked_until, event, "%a %H:%M"))
    cures = [Button(gettext("Open the list"), "lists_desk.one", {"player_id": player.id})]
    if "locked" in entry.states:
        args: dict[str, int | str] = {"player_id": player.id, "_anchor": "lock"}
        cures.append(Button(gettext("Unlock"), "lists_desk.one", args, asks=access.may_check_lists))
    else:
        link: dict[str, int | str] = {"player_id": player.id, "_anchor": "link"}
        cures.append(Button(gettext("Share link"), "players.player_details", link, asks=access.may_see_private_links))
    return ReadinessRow(player.id, (player,), tuple(cures), note=note)


def _waits(entry: ListEntry) -> bool:
    return "submitted" in entry.states and not entry.states & {"approved", "illegal"}


def _games(
    loaded: Loaded, by_id: Mapping[int, Player], clock: RoundClock | None, now: datetime
) -> dict[str, list[ReadinessRow]]:
    """Rows for disputes, drawn knockout games, results to confirm, and tables still playing; not a season's games."""
    games: dict[str, list[ReadinessRow]] = {"disputed": [], "tied": [], "reported": [], "playing": []}
    event = loaded.event
    for view in loaded.views:
        shared = clock is not None and clock.round.id == view.round.id
        for game in (g for g in view.games if g.table_number is not None and view.round.published_at is not None):
            key = {GameState.DISPUTED: "disputed", GameState.REPORTED: "reported", GameState.OPEN: "playing"}
            if game.state in key and not (view.stage.by_days and game.state == GameState.OPEN):
                timed = read(facts_of_clock(event, view.round), clock.rules, now, game.extra_seconds) if clock else None
                line = _game_line(view, game, by_id, timed if shared and game.extra_seconds else None, at_hand=shared)
                games[key[game.state]].append(line)
        for game in view.tied:
            games["tied"].append(_game_line(view, game, by_id, None, at_hand=False))
    return games


def _game_line(
    view: RoundView, game: Game, by_id: Mapping[int, Player], reading: Reading | None, *, at_hand: bool
) -> ReadinessRow:
    people = tuple(by_id[id_] for id_ in (game.a_id, game.b_id) if id_ is not None)
    number, decide, page = view.round.number, {"game_id": game.id}, "results_desk.decide"
    text, at_tied = N_("round %(number)s"), dict[str, int | str](number=number, _anchor="tied")
    no_show = Button(gettext("No-show"), page, {**decide, "_anchor": "absent"}, asks=access.may_decide)
    cures = {
        GameState.OPEN: (Button(gettext("Enter the result"), page, decide), no_show),
        GameState.REPORTED: (Button(gettext("Check and confirm"), page, decide),),
        GameState.DISPUTED: (
            Button(gettext("Decide"), page, decide, asks=access.may_decide, otherwise=gettext("View")),
        ),
        GameState.CONFIRMED: (Button(gettext("Choose who wins"), "rounds.manage_round", at_tied),),
    }
    if game.state == GameState.CONFIRMED and game.absent:
        text = N_("round %(number)s, nobody came")
    elif game.state == GameState.CONFIRMED:
        not_played = game.ending == "not_played"
        text = N_("round %(number)s, not played") if not_played else N_("round %(number)s, a draw")
    note = "" if at_hand and game.state != GameState.DISPUTED else gettext(text, number=number)
    note = note if view.stage.has_rounds else gettext("challenge")
    table = None if view.stage.by_days else game.table_number
    return ReadinessRow(game.id, people, cures[game.state], table=table, reading=reading, note=note)
