"""What the pages of a campaign show, as far as the reader may see it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from events.store.campaign import Games, Todo, comes, fights, group_name, muster_words, settling_rulings, todo_of
from events.store.editions import system_of
from events.store.players import by_name
from events.store.verdicts import terms_for, verdict_of, verdict_words
from events.tournament.tournament import Tournament
from languages.message import Message, worded
from languages.words import N_, form, gettext, minus, ngettext, pgettext, signed
from models.event import Event, EventState
from models.play import Player
from validators.campaign import Account, CampaignRules, Dice, Member, Phase, Setting, Step, StepRefused
from validators.campaign_changes import SEEN_FIRST, Redone, held_by
from validators.campaign_history import History, HistoryEntry, apply_step
from validators.contract import Terms
from validators.sheet import Column, Table

VERBS = {"win": N_("beat"), "loss": N_("lost to"), "draw": N_("drew with")}
NEITHER = N_("did not fight")
WORDLESS = {"play": N_("Begin of the steps."), "next": N_("End of a phase.")}
AFTER = {
    "win": N_("After round %(round)s: win against %(name)s"),
    "loss": N_("After round %(round)s: loss against %(name)s"),
    "draw": N_("After round %(round)s: draw against %(name)s"),
}
TAKEN_AGAIN = N_("taken again after a seen roll")
SUBJECT = re.compile(r"%\((\w+)\)s: ")
"""The beginning of a message about somebody or something, in the text that its figures are filled in."""
SUM = re.compile(r"\b\d+(?: [+−×-] \d+)+ = \d+, ")
"""The arithmetic of a roll, "8 + 5 = 13, "."""
OF_GROUP = {"caps": N_("Caps"), "food": N_("Food"), "points": N_("Points")}


def amount_in_words(account: Account, amount: int = 0) -> str:
    """An account in words, after this amount of it: "1 Cap"."""
    if account.kind == "food" and account.name:
        return gettext("Irradiated food")
    if (account.kind, amount) == ("caps", 1):
        return gettext("Cap")
    named = worded(account.said) or account.name
    if account.kind == "hits":
        return gettext("Hit points of %(label)s", label=named)
    return named or gettext(OF_GROUP.get(account.kind, account.kind.capitalize()))


def counted(account: Account, amount: int, shown: object) -> str:
    """An amount of an account in words, ``shown`` as this: "−10 Caps"."""
    if account.kind == "points":
        return form("%(num)s point", "%(num)s points", abs(amount)) % {"num": shown}
    return f"{shown} {amount_in_words(account, abs(amount))}"


def held(history: History, player_id: int, without: str = "") -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """What a group has, labelled: its Caps, food and points, but for accounts of one kind; its items and turfs."""
    state = history.world.groups.get(player_id)
    has = {} if state is None else history.world.rules.balances(state)
    named = [
        (account.kind, amount_in_words(account, amount), amount) for account, amount in sorted(has.items()) if amount
    ]
    purse = [(label, amount) for kind, label, amount in named if kind in OF_GROUP and kind != without]
    return purse, [(label, amount) for kind, label, amount in named if kind in ("item", "turf")]


def parts_of(history: History, player_id: int) -> list[tuple[str, list[HistoryEntry]]]:
    """A group's steps from one game to the next, each part with its title, the newest first."""
    parts: list[tuple[str, list[HistoryEntry]]] = []
    for entry in history.entries_of(player_id):
        if entry.step.kind == "found":
            parts.append((gettext("The founding"), []))
        elif entry.step.kind == "play":
            data = entry.step.data
            against = history.world.names.get(data["opponent"], "?")
            title = gettext(AFTER[data["result"]], round=data["round"], name=against)
            parts.append((title if data.get("fought", True) else ", ".join((title, gettext("not fought"))), []))
        parts[-1][1].append(entry)
    return parts[::-1]


def sentences_by_subject(entries: Iterable[HistoryEntry]) -> list[tuple[str, list[str]]]:
    """What steps did, by the figure that their messages begin with, without sums; all others first, under ""."""
    by_subject: dict[str, list[str]] = {"": []}
    for message in (message for entry in entries if entry.step.kind != "play" for message in entry.messages):
        subject, label = "", SUBJECT.match(message.text) if isinstance(message, Message) else None
        if label and isinstance(message, Message):
            subject = worded(message.figures[label[1]])
            message = replace(message, figures={**message.figures, label[1]: ""})
        by_subject.setdefault(subject, []).append(SUM.sub("", worded(message).lstrip(": \u00a0\u202f")))
    return [(subject, list(dict.fromkeys(sentences))) for subject, sentences in by_subject.items() if sentences]


def step_words(entry: HistoryEntry | Redone, ends: Phase | None) -> str:
    """What a step did, in one line, with the phase that it ``ends``."""
    sentences = [*map(worded, entry.messages)]
    sentences += [gettext("End of “%(title)s”.", title=gettext(ends.title))] if ends else []
    return " ".join(sentences) or gettext(WORDLESS.get(entry.step.kind, N_("A step")))


def ended_by(history: History, step: Step) -> Phase | None:
    """The phase that a step of the history ends."""
    return history.before(step.number).phase(step.group) if step.kind == "next" else None


def figures_in(done: Sequence[HistoryEntry], text: str = "") -> str:
    """The Caps, food and points that steps gave or cost, "−35 Caps", without those that ``text`` has."""
    sums: Counter[Account] = Counter()
    for line in (line for entry in done for line in entry.lines):
        if line.account.kind in OF_GROUP:
            sums[line.account] += line.amount
    return ", ".join(
        counted(account, amount, signed(amount))
        for account, amount in sorted(sums.items())
        if amount and str(abs(amount)) not in re.findall(r"\d+", text)
    )


def ruled_later(history: History, player_id: int) -> str:
    """What rulings give or take after the steps that the group can take now, "+50 Caps"; "" for nothing."""
    before = len(history.seen_by(player_id).entries_of(player_id))
    return figures_in(history.entries_of(player_id)[before:])


def redone_words(done: Sequence[Redone]) -> str:
    """What redoing steps did, in a sentence or two."""
    many = sum(not redone.why_not for redone in done)
    why_not = next((redone.why_not for redone in done if redone.why_not), "")
    sentence = ngettext("%(num)s step redone.", "%(num)s steps redone.", many)
    if not why_not:
        return sentence
    return gettext("%(said)s Then one is not possible any more: %(why_not)s", said=sentence, why_not=why_not)


def steps_in_words(history: History, player_id: int) -> list[tuple[str, list[tuple[HistoryEntry, str]]]]:
    """A group's steps with their words, in parts as in ``parts_of``; the ends of phases are named."""
    parts = []
    for title, entries in parts_of(history, player_id):
        parts.append((title, [(entry, step_words(entry, ended_by(history, entry.step))) for entry in entries]))
    return parts


def end_of(history: History, player: Player) -> tuple[bool, str]:
    """Whether the end of the group's phase closes its sequence; and why it cannot end yet, "" where it can."""
    try:
        ended = apply_step(history.world, Step(0, player.id, "next"), Dice(given=()))
    except StepRefused as refused:
        return False, refused.message
    closes = player.id not in ended.world.phases
    return closes, gettext(SEEN_FIRST) if held_by(history, player.id, closes=closes) else ""


def passed(history: History, player_id: int) -> list[str]:
    """The phases directly before the group's present one that had nothing for it, each with its reason."""
    rules, now = history.world.rules, history.world.phases.get(player_id)
    if now is None:
        return []
    first = -1 if player_id in history.world.played else rules.first_phase - 1
    newest_first = (history.before(entry.step.number) for entry in reversed(history.entries_of(player_id)))
    worlds = takewhile(lambda world: player_id in world.phases, newest_first)
    stood = (world.phases[player_id] for world in worlds if rules.offers(world, player_id))
    phases = rules.phases[next(stood, first) + 1 : now]
    return [
        f"{gettext(phase.title)} ({gettext(phase.idle)})" if phase.idle else gettext(phase.title) for phase in phases
    ]


def doubtful(history: History) -> Iterator[tuple[set[int], Step, str]]:
    """What is to be checked, newest first: both groups of the game, the step that went on, and what is in doubt."""
    done = settling_rulings(history)
    for world, step in zip(
        reversed(history.worlds[:-1]), (entry.step for entry in reversed(history.entries)), strict=True
    ):
        if (doubt := step.data.get("doubt")) and step.number not in done:
            played = world.played[step.group]
            yield (
                {step.group, played.opponent},
                step,
                gettext("Round %(round)s: %(doubt)s", round=played.round, doubt=worded(doubt)),
            )


def ledger(history: History, player_id: int) -> Table:
    """A group's ledger, oldest first; the balance is the account's after the line."""
    sums: Counter[Account] = Counter()
    booked, marked = [], history.taken_again(player_id)
    for number, line in ((entry.step.number, line) for entry in history.entries_of(player_id) for line in entry.lines):
        sums[line.account] += line.amount
        why = worded(line.why) + (f", {gettext(TAKEN_AGAIN)}" if number in marked else "")
        label, balance = amount_in_words(line.account), minus(sums[line.account])
        booked.append((str(number), label, why, signed(line.amount), balance))
    figures = Column(pgettext("ledger", "Change"), "figure"), Column(gettext("Balance"), "figure")
    heads = (Column(gettext("Step"), "figure"), Column(gettext("Account")), Column(gettext("Why")), *figures)
    return Table(gettext("Ledger"), heads, tuple(booked))


@dataclass(frozen=True)
class Row:
    """A group in the list of all."""

    player: Player
    todo: Todo | None
    name: str = ""
    """As its player named it."""
    rating: int | None = None
    """None: the reader may not see the group."""
    record: str = ""
    """Its games as in the standings, "2–0–1 +1": won, drawn, lost, and won by forfeit or bye."""
    members: tuple[Member, ...] = ()
    """All that it has ever had."""
    forfeits: str = ""
    """Why it will not fight its next battle."""

    @property
    def present(self) -> list[Member]:
        """The members who have not left."""
        return [member for member in self.members if not member.gone]


def rows_of_groups(
    event: Event,
    history: History,
    games: Games,
    people: Mapping[int, Player],
    seen: Sequence[int],
    won_lost: Mapping[str, str],
) -> list[Row]:
    """All groups, the highest rating first; ``seen`` are the ids of those that the reader may see.

    ``won_lost`` is the tournament's.
    """
    rules, rows = history.world.rules, []
    for id_, group in history.world.groups.items():
        if id_ not in people:
            continue
        row = Row(people[id_], todo_of(event, history, games, id_), record=won_lost.get(str(id_), "").replace("-", "–"))
        if id_ in seen:
            name = group_name(history.world, id_)
            now = comes(history, games, id_) if event.state == EventState.IN_PROGRESS else None
            reason = muster_words(history, games, id_) if now and now.forfeits else ""
            row = replace(row, name=name, rating=rules.rating(group), members=rules.members(group), forfeits=reason)
        rows.append(row)
    return sorted(rows, key=lambda row: (-(row.rating or 0), by_name(row.player)))


def own_row(
    event: Event,
    history: History,
    games: Games,
    player: Player,
    terms: Terms,
    won_lost: Mapping[str, str],
    *,
    own: bool,
) -> tuple[Row, str] | None:
    """A player's group as it is now, and in words what fights of it next, with the verdict by a battle’s ``terms``.

    None before it is founded. ``own``: its player reads it.
    """
    world = history.world
    if player.id not in world.groups:
        return None
    rows = rows_of_groups(event, history, games, {player.id: player}, [player.id], won_lost)
    fielded = fights(world, player.id) if world.rules.brings else None
    if rows[0].forfeits:
        return rows[0], muster_words(history, games, player.id, own=own)
    if fielded is None or not (verdict := verdict_of(event, fielded, terms_for(terms, player))).total:
        return rows[0], ""
    words, unit = verdict_words(verdict), system_of(event).unit
    return rows[0], gettext("Musters %(n)s %(unit)s: %(verdict)s.", n=verdict.total, unit=unit, verdict=words)


def state_words(t: Tournament, rows: Sequence[Row], forfeited: Collection[int]) -> str:
    """Where the campaign is, in a sentence or two; the same on its page and in its book.

    ``forfeited`` are the open games that will not be fought.
    """
    takes_steps = any(row.todo and not row.todo.over for row in rows)
    if t.rules.closed:
        return gettext("The campaign is over.")
    if not rows:
        return gettext("Groups are founded from the locked lists when round 1 is published.")
    if t.open_games:
        n = t.open_games - len(forfeited)
        plays = ngettext("%(num)d game can be played now.", "%(num)d games can be played now.", n)
        not_fought = ngettext(
            "%(num)d game is forfeited: the desk records it.",
            "%(num)d games are forfeited: the desk records them.",
            len(forfeited),
        )
        return " ".join([plays] * bool(n) + [not_fought] * bool(forfeited))
    if not t.published:
        return gettext("The groups are founded. No round is published.")
    if takes_steps:
        return gettext("The games are fought; now the groups take their steps.")
    if t.rules.season and t.rules.season.by_challenge:
        return gettext("No challenge is open.")
    if t.played_out:
        return gettext("All games are played and all steps taken.")
    return gettext("All steps are taken. The next round is not published yet.")


def battles(
    t: Tournament, games: Games, people: Mapping[int, Player]
) -> Iterator[tuple[int, Player, str, Player, str, str]]:
    """All games: the round, both players with what one did to the other, the VP if they are known, and the scenario."""
    names = {board.scenario.id: board.scenario.name for board in t.boards.values() if board.scenario and board.b}
    scores = {id_: t.boards[id_].score for id_ in games}
    for (id_, played), (_, other) in (sides.items() for sides in games.values()):
        where, score = (
            names.get(played.scenario, "") if played.fought else gettext("not fought"),
            scores.get(played.game),
        )
        vp = f"{score.a} : {score.b}" if played.fought and score and score.known else ""
        yield (
            played.round,
            people[id_],
            VERBS[played.result] if played.fought or played.result != other.result else NEITHER,
            people[played.opponent],
            vp,
            where,
        )


def statistics(history: History, groups: Iterable[Row]) -> Table:
    """What the groups that the reader may see have come through since their founding, counted from their steps."""
    rows = []
    shown = {row.player.id: row for row in groups if row.rating is not None}
    for id_ in (id_ for id_ in history.world.groups if id_ in shown):
        entries = [entry for entry in history.entries_of(id_) if entry.step.kind != "found"]
        lines = [line for entry in entries for line in entry.lines]
        unit = _unit_of(history, id_)
        amounts = [line.amount for line in lines if line.account == unit]
        gained, spent = (
            sum(amount for amount in amounts if amount > 0),
            -sum(amount for amount in amounts if amount < 0),
        )
        joined = sum(line.amount for line in lines if line.account.kind == "character" and line.amount > 0)
        fallen = sum(member.fallen for member in shown[id_].members)
        texts = *(counted(unit, n, n) if n else "0" for n in (gained, spent)), str(joined), str(fallen)
        rows.append((shown[id_].player.name, *texts))
    # Army points are lost, and gained only by a ruling.
    pay = all(_unit_of(history, id_).kind != "points" for id_ in shown)
    paid = gettext("Spent") if pay else gettext("Lost")
    heads = (gettext("Gained"), paid, gettext("Joined"), gettext("Fallen"))
    columns = (Column(gettext("Group")), *(Column(head, "figure") for head in heads))
    if not pay and all(row[1] == "0" for row in rows):
        rows, columns = [(row[0], *row[2:]) for row in rows], (columns[0], *columns[2:])
    return Table(gettext("Since the founding"), columns, tuple(rows))


def _unit_of(history: History, player_id: int) -> Account:
    """In what a group counts what it has: the account of its founding."""
    of_group = (line.account for line in history.entries_of(player_id)[0].lines if line.account.kind in OF_GROUP)
    return next(of_group, Account("points"))


def chosen_in(rules: CampaignRules, settings: Mapping[str, str]) -> list[tuple[Setting, str]]:
    """The settings of a campaign with the labels of what was chosen."""
    return [(setting, gettext(dict(setting.choices).get(settings[setting.key], ""))) for setting in rules.settings]
