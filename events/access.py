"""Who may do what, of an event and of the club: one function per question, asked by the route and by the button alike.

What is asked about force lists stands in ``access_lists``, about games, rounds, votes and awards in ``access_play``.
``def may_`` finds each question in these files, and a test sees that none stands elsewhere.
"""

from events.roles import Right, allows
from events.visitor import Visitor
from models.event import Event, EventState
from models.play import Game, GameState, Player, PlayerState


def may_run_club(visitor: Visitor) -> bool:
    """Make events of one's own, scenarios and editions: the club's organisers, not who was invited to one event."""
    return visitor.account is not None and visitor.account.runs_club


def may_create_events(visitor: Visitor) -> bool:
    """Make an event, or take one in from its archive, and own it."""
    return may_run_club(visitor)


def may_write_scenarios(visitor: Visitor) -> bool:
    """Write scenarios of the club's own."""
    return may_run_club(visitor)


def may_add_editions(visitor: Visitor) -> bool:
    """Add editions of the force lists."""
    return may_run_club(visitor)


def may_see_desk(visitor: Visitor, event: Event) -> bool:
    """See the event's desk: all of its staff."""
    return allows(visitor.role_in(event), Right.SEE_DESK)


def may_see_players(visitor: Visitor, event: Event) -> bool:
    """See at the desk who is entered, here, or dropped."""
    return allows(visitor.role_in(event), Right.SEE_PLAYERS)


def may_see_rounds(visitor: Visitor, event: Event) -> bool:
    """See the desk's pages of rounds, with what is still open; a draft takes ``may_pair``."""
    return allows(visitor.role_in(event), Right.SEE_ROUNDS)


def may_print(visitor: Visitor, event: Event) -> bool:
    """See the print room, and print what only the desk prints: scoresheets."""
    return allows(visitor.role_in(event), Right.PRINT)


def may_check_in(visitor: Visitor, event: Event) -> bool:
    """Say who is here."""
    return allows(visitor.role_in(event), Right.CHECK_IN)


def may_mark_paid(visitor: Visitor, event: Event) -> bool:
    """Know who has paid, and say so."""
    return allows(visitor.role_in(event), Right.MARK_PAID)


def may_see_private_links(visitor: Visitor, event: Event) -> bool:
    """See players' private links, print them on badges, and renew them. Anyone with one can act for the player."""
    return allows(visitor.role_in(event), Right.SEE_PRIVATE_LINKS)


def may_change_players(visitor: Visitor, event: Event) -> bool:
    """Enter players, correct, drop, remove and bring them back, give byes and places; the same of teams."""
    return allows(visitor.role_in(event), Right.CHANGE_PLAYERS)


def may_read_lists(visitor: Visitor, event: Event) -> bool:
    """Read every list at any time."""
    return allows(visitor.role_in(event), Right.READ_LISTS)


def may_check_lists(visitor: Visitor, event: Event) -> bool:
    """Approve a list, send it back, unlock it and lock it again."""
    return allows(visitor.role_in(event), Right.CHECK_LISTS)


def may_check_list(visitor: Visitor, event: Event, player: Player) -> bool:
    """Decide about this list. Staff who play leave their own list to others, unless they may change all lists."""
    return may_check_lists(visitor, event) and (not visitor.is_player(player) or may_change_lists(visitor, event))


def may_change_lists(visitor: Visitor, event: Event) -> bool:
    """Write a player's list on their behalf; lock, show and reopen all lists."""
    return allows(visitor.role_in(event), Right.CHANGE_LISTS)


def may_enter_results(visitor: Visitor, event: Event) -> bool:
    """Enter a result where none is confirmed and none disputed."""
    return allows(visitor.role_in(event), Right.ENTER_RESULTS)


def may_enter_result(visitor: Visitor, event: Event, game: Game) -> bool:
    """Enter the result of this game. One that is confirmed or disputed is for judges to decide."""
    if leaves_to_others(visitor, event, game):
        return False
    settled = game.state in (GameState.DISPUTED, GameState.CONFIRMED) or game.absent is not None
    return may_decide(visitor, event) if settled else may_enter_results(visitor, event)


def plays_in(visitor: Visitor, event: Event, game: Game) -> bool:
    """Whether the visitor is one of the game's two players."""
    player = visitor.player_in(event)
    return player is not None and player.id in (game.a_id, game.b_id)


def leaves_to_others(visitor: Visitor, event: Event, game: Game) -> bool:
    """Staff who play in a game do not act on it at the desk, except those who run the event: the journal says so."""
    return plays_in(visitor, event, game) and not may_pair(visitor, event)


def may_decide(visitor: Visitor, event: Event) -> bool:
    """Decide disputes, correct confirmed results, say who did not come and who goes through."""
    return allows(visitor.role_in(event), Right.DECIDE)


def may_run_clock(visitor: Visitor, event: Event) -> bool:
    """Start, pause and stop the rounds' clocks, and give time."""
    return allows(visitor.role_in(event), Right.RUN_CLOCK)


def may_announce(visitor: Visitor, event: Event) -> bool:
    """Show a line to everybody, and take it back."""
    return allows(visitor.role_in(event), Right.ANNOUNCE)


def may_message(visitor: Visitor, event: Event) -> bool:
    """Write to players, see how far each message is, and read their mail addresses."""
    return allows(visitor.role_in(event), Right.MESSAGE)


def may_read_journal(visitor: Visitor, event: Event) -> bool:
    """Read who did what."""
    return allows(visitor.role_in(event), Right.READ_JOURNAL)


def may_pair(visitor: Visitor, event: Event) -> bool:
    """Draw rounds, change and publish them, take them back, cut, seed, and seat the player meeting."""
    return allows(visitor.role_in(event), Right.PAIR)


def may_undo(visitor: Visitor, event: Event) -> bool:
    """Take back the last step of the desk, whoever made it."""
    return allows(visitor.role_in(event), Right.UNDO)


def may_change_settings(visitor: Visitor, event: Event) -> bool:
    """Change how the event is played, open its registration, close it and open it again."""
    return allows(visitor.role_in(event), Right.CHANGE_SETTINGS)


def may_manage_staff(visitor: Visitor, event: Event) -> bool:
    """Invite people, change what they are, and remove them."""
    return allows(visitor.role_in(event), Right.MANAGE_STAFF)


def may_archive(visitor: Visitor, event: Event) -> bool:
    """Take everything of the event away as one file, secret lists and votes included."""
    return allows(visitor.role_in(event), Right.ARCHIVE)


def may_go_back(visitor: Visitor, event: Event) -> bool:
    """Put the event's play to what it was before a step, or to what the journal says of it."""
    return allows(visitor.role_in(event), Right.GO_BACK)


def may_take_pack(visitor: Visitor, event: Event) -> bool:
    """Take a round's pack away as a ZIP, by which the event is finished on paper; its archive only for who may that."""
    return allows(visitor.role_in(event), Right.TAKE_PACK)


def may_judge_painting(visitor: Visitor, event: Event) -> bool:
    """Tick the check list for painting, at the tables."""
    return allows(visitor.role_in(event), Right.JUDGE_PAINTING)


def may_give_penalties(visitor: Visitor, event: Event) -> bool:
    """Give penalties and bonuses, take them back, and read all of them with their reasons."""
    return allows(visitor.role_in(event), Right.GIVE_PENALTIES)


def may_rule_on(visitor: Visitor, event: Event, *, own_game: bool) -> bool:
    """Give a player or team a ruling, or take it back. Staff who play leave their own games and opponents to others.

    Those who run the event may rule on them too, and the journal says so.
    """
    return may_give_penalties(visitor, event) and (not own_game or may_pair(visitor, event))


def may_give_cards(visitor: Visitor, event: Event) -> bool:
    """Show a yellow or a red card, and say what a red one leads to."""
    return allows(visitor.role_in(event), Right.GIVE_CARDS)


def may_award(visitor: Visitor, event: Event) -> bool:
    """Collect votes and marks, read opponents' marks, set up awards, name winners, publish and present them."""
    return allows(visitor.role_in(event), Right.AWARD)


def may_see_event(visitor: Visitor, event: Event) -> bool:
    """A draft is for its staff alone."""
    return event.state != EventState.DRAFT or may_see_desk(visitor, event)


def may_see_entry(visitor: Visitor, event: Event, player: Player) -> bool:
    """See that a player is entered. While a sign-up waits for approval, only staff and the player do."""
    waits_for_approval = event.approval and player.state == PlayerState.WAITING
    return not waits_for_approval or visitor.is_player(player) or may_see_players(visitor, event)


def may_register(event: Event) -> bool:
    """Sign up on the event's page."""
    return event.state == EventState.REGISTRATION


def is_of_staff(rule: str) -> bool:
    """Whether an address, as its route is written, belongs to the staff of an event."""
    return rule.startswith("/e/<slug>/desk") or rule.endswith(("/scoresheets.pdf", "/setup.pdf"))
