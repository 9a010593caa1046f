"""Records: the scoresheets of finished games, filled in with their result and history."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from events.papers.scoresheets import asked_choices, asked_figures
from events.results.forms import asked_sides, printed_label
from events.results.queries import Version
from events.rounds.endings import how_ended
from events.store.editions import system_of
from events.store.outcomes import absence, ended, ending_words, lone_board
from events.store.players import players_by_id
from events.store.rounds import through_text
from events.tournament.endings import Ending
from events.tournament.scores import Ended
from events.web.request import local
from languages.message import worded
from languages.words import N_, capital, gettext, lazy_gettext, lazy_pgettext, with_nbsp
from models.event import Event
from models.play import Absent, Game, GameState
from pdf.sheet_data import Scoresheet, SheetResult, shown_vp
from validators.scenario import SIDES, Answers, Outcome, Parts, Question, Scenario, Score, WhyWon

RESULTS = {"win": lazy_gettext("Won"), "loss": lazy_pgettext("game", "Lost"), "draw": lazy_gettext("Draw")}


def has_result(game: Game) -> bool:
    """Whether a game of two players is over, so that its filled-in sheet can be printed."""
    return game.b_id is not None and (game.absent is not None or game.state == GameState.CONFIRMED)


def filled_sheet(
    event: Event, sheet: Scoresheet, scenario: Scenario, game: Game, versions: Sequence[Version]
) -> Scoresheet:
    """The sheet of a finished game, without its code. ``versions`` are those of the result, newest first."""
    how, board = ended(game), lone_board(event, sheet.round_number, scenario, game)
    played = game.absent is None and how.how != Ending.NOT_PLAYED
    score = board.score if played else None
    nobody = how.how == Ending.NOT_PLAYED or game.absent == Absent.BOTH
    winner = None if nobody else board.winner
    names = {"a": sheet.a.name, "b": sheet.b.name}
    won = gettext("Draw") if winner else gettext("Nobody has won")
    if winner in names:
        won = gettext("Winner: %(name)s", name=names[winner])
    elif game.goes_through:
        won = capital(worded(through_text(game, game.goes_through, names["a"], names["b"])))
    is_known = score is not None and score.known
    card, gone = board.card, absence(event, game, players_by_id(event))
    answers = game.answers if played else None
    parts, in_words = _parts(event, scenario, answers, score), how_ended(event, game)
    notes = (
        f"{won}." if winner not in names and game.goes_through else "",
        system_of(event).scoring.explained(scenario, answers) if answers and parts[0] else "",
        f"{gone}." if gone else _ending_words(how, names),
        f"{in_words.counts}." if in_words and in_words.counts else "",
        gettext("%(name)s has lost the game by a card.", name=names["b" if card == "a" else "a"]) if card else "",
        _by_scenario(score, score.why) if score and score.why else "",
    )
    result = SheetResult(
        reported_rows(scenario, answers, parts) if answers else (),
        (score.a, score.b) if score and is_known else (None, None),
        tuple(filter(None, notes)),
        tuple(_version_words(event, version, how.reason, versions[0].after.text) for version in reversed(versions)),
        won,
        () if winner is None or game.goes_through else _by_side(winner),
    )
    return replace(sheet, turns=None, losses=(), url="", code="", address="", result=result)


def _by_side(winner: Outcome) -> tuple[str, ...]:
    """What A and B have done: "Won" and "Lost"."""
    return tuple(str(RESULTS["draw" if winner == "draw" else "win" if winner == side else "loss"]) for side in SIDES)


def _by_scenario(score: Score, why: WhyWon) -> str:
    """Why the higher total has not simply won."""
    if score.outcome == "draw":
        apart = abs(score.a - score.b)
        return gettext("VP differ by %(apart)s, which the scenario’s scoring counts as a draw.", apart=apart)
    if score.outcome == Score(score.a, score.b).outcome:
        return f"{capital(gettext(why.named))}."
    return gettext("So decided by the scenario’s scoring, not by VP.")


def _parts(event: Event, scenario: Scenario, answers: Answers | None, score: Score | None) -> Parts:
    """The parts that add up to the VP of A and of B; empty if the score is not their sum, as after a concession."""
    parts_of = system_of(event).scoring.parts
    if not (parts_of and answers and score and scenario.sums and scenario.detail == "full"):
        return (), ()
    a, b = parts_of(scenario, answers)
    return (a, b) if (sum(a), sum(b)) == (score.a, score.b) else ((), ())


def reported_rows(scenario: Scenario, answers: Answers, parts: Parts) -> tuple[tuple[str, str, str], ...]:
    """What was asked, as A and as B answered it, then the parts of the sum; without what nobody can have reported."""
    asked = ((*asked_choices(scenario, side), *asked_figures(scenario, side)) for side in asked_sides(scenario))
    marked = ([q for q in scenario.questions if q.side == side and q.kind == "objectives"] for side in SIDES)
    questions = [*zip(*asked, strict=True), *zip(*marked, strict=True)]
    rows = [(_printed(scenario, a), _answer(a, answers), _answer(b, answers)) for a, b in questions]
    rows += [(gettext(words), shown_vp(a), shown_vp(b)) for words, a, b in zip(scenario.sums, *parts, strict=False)]
    return tuple(row for row in rows if any(row[1:]))


def _printed(scenario: Scenario, question: Question) -> str:
    return gettext("Markers") if question.kind == "objectives" else printed_label(scenario, question)


def _answer(question: Question, answers: Answers) -> str:
    """A choice or a number with what it is worth, "2 × 5 = 10 VP"; "yes" for what is so, "" for what cannot be."""
    worth = question.worth or (1,) * (question.for_enemy or question.kind in ("vp", "objectives"))
    if question.kind == "choice":
        choice = str(answers.get(question.key, ""))
        vp = dict(zip(question.choices, worth, strict=False)).get(choice)
        return gettext(choice) + (f" ({shown_vp(vp)})" if vp is not None and any(worth) else "")
    if not question.most:
        return ""
    number, each = int(answers.get(question.key, 0)), worth[0] if worth else 0
    if question.most == 1 and question.kind == "figure":
        return gettext("yes") if number else gettext("no")
    return f"{number} × {each} = {shown_vp(number * each)}" if each > 1 else shown_vp(number) if each else str(number)


def _ending_words(how: Ended, names: Mapping[str, str]) -> str:
    match how.how:
        case Ending.CONCEDED_A | Ending.CONCEDED_B:
            return f"{ending_words(how.how, names['a'], names['b'])}."
        case Ending.UNFINISHED:
            return gettext("Unfinished when time was called: scored as it stood.")
        case Ending.NOT_PLAYED:
            return gettext("Not played: both players were present.")
        case Ending.DECIDED:
            return gettext("Decided by a judge: %(reason)s", reason=how.reason)
    return ""


def _version_words(event: Event, version: Version, reason: str, final: str) -> str:
    """A version of the result in one line, without a reason or a result that the sheet says anyway."""
    did = {
        (True, True): N_("Corrected by %(name)s on %(at)s"),
        (True, False): N_("Opened again by %(name)s on %(at)s"),
        (False, True): N_("Confirmed by %(name)s on %(at)s"),
        (False, False): N_("Reported by %(name)s on %(at)s"),
    }
    at = with_nbsp(local(version.at, event, "%a %-d %b, %H:%M"))
    what = gettext(did[bool(version.corrects), bool(version.confirms)], name=version.by, at=at)
    before = " " + gettext("Before: %(result)s.", result=version.before.text) if version.corrects else ""
    why = " " + gettext("Why: %(reason)s", reason=version.why) if version.why and version.why != reason else ""
    result = version.after.text  # by now it is confirmed
    return f"{what}{'' if result == final else f' ({result})'}.{before}{why}"
