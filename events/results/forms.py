"""The forms for results, built from the scenario's questions: for players, for the desk, and for typing from paper."""

from collections.abc import Sequence
from typing import Any

from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, RadioField, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional

from events.tournament.endings import Awarded, Ending
from events.tournament.scores import PLAYED_OUT, Ended
from events.web.forms import SiteForm, WholeNumberField, number, text
from events.web.parsing import LONGEST_REASON, number_or_none, whole_number
from languages.words import N_, gettext
from models.play import Player, ReportSide
from validators.report_detail import A_WINS, B_WINS, DRAW, TOTALS, WON
from validators.scenario import OPEN_END, Answers, Count, Question, Scenario, Side, Tally

FEW = 5
"""The highest figure that is picked with buttons; higher ranges are typed."""


class ReportForm(SiteForm):
    """The base of all result forms. Their pages print the CSRF token themselves."""

    class Meta:
        csrf = False  # the application checks every request's token before it makes a form


def report_form(
    scenario: Scenario, a: Player, b: Player, tallies: Sequence[Tally], own: ReportSide | None = None, **further: Any
) -> type[FlaskForm]:
    """A form class with a field for each question, named by its key, and one for each count of a tally.

    ``own`` is the reporting player's side; ``further`` adds fields by name.
    """
    names = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {"version": HiddenField(), "sure": BooleanField(gettext("Yes, that is right"))}
    if scenario.detail == "outcome":
        return type("FilledReport", (ReportForm,), fields | {WON: outcome_field(a, b, own)} | further)
    for question in scenario.questions:
        if question.kind == "choice" or question.most > 0:
            fields[question.key] = _field(question, names[question.side])
    for tally in tallies:
        for count in tally.counts:
            label = f"{names[tally.question[0]]}, {count.label}"
            fields[count_field(tally, count)] = number(label, 0, count.most, required=False)
    return type("FilledReport", (ReportForm,), fields | further)


def outcome_field(a: Player, b: Player, own: ReportSide | None = None) -> RadioField:
    """The field for who won, initially empty. ``own`` is the reporting player's side."""
    won = {
        side: gettext("I won") if side == own else gettext("%(name)s won", name=player.name)
        for side, player in ((ReportSide.A, a), (ReportSide.B, b))
    }
    if own is not None:
        won[ReportSide.B if own == ReportSide.A else ReportSide.A] = gettext("I lost")
    choices = [
        SelectChoice(A_WINS, won[ReportSide.A]),
        SelectChoice(DRAW, gettext("Draw")),
        SelectChoice(B_WINS, won[ReportSide.B]),
    ]
    if own == ReportSide.B:
        choices.reverse()
    return RadioField(gettext("Who won?"), choices=choices, validate_choice=False)


def _field(question: Question, name: str) -> Any:
    label = gettext("%(name)s: %(label)s", name=name, label=question.said)
    if question.key in TOTALS:  # no default: a total must be entered, and its check asks for a missing one
        return number(label, 0, question.most, required=False)
    if question.kind == "choice":
        return _choice(question, name, description=question.explained)
    if question.most <= FEW:
        choices = [SelectChoice(str(figure)) for figure in range(question.most + 1)]
        # The scenario's own check rejects impossible figures and explains why.
        return RadioField(label, choices=choices, coerce=whole_number, validate_choice=False)
    return number(
        label, 0, question.most, required=False, description=question.explained, render_kw={"placeholder": "0"}
    )


def _choice(question: Question, name: str, **further: Any) -> Any:
    none = gettext("Choose") if question.decides and question.worth else gettext("Not noted")
    options = [SelectChoice("", none), *(SelectChoice(choice, gettext(choice)) for choice in question.choices)]
    return SelectField(
        gettext("%(name)s: %(label)s", name=name, label=question.said),
        choices=options,
        validate_choice=False,
        **further,
    )


def count_field(tally: Tally, count: Count) -> str:
    """The field name of a count."""
    return f"count.{tally.question}.{count.key}"


def score_answers_in(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally] = ()) -> dict[str, int | str]:
    """The given answers by question, without empty ones. A counted total replaces the typed figure."""
    given = {q.key: form[q.key].data for q in scenario.questions if q.key in form}
    for tally in tallies:
        counted = [(form[count_field(tally, count)].data or 0) * count.worth for count in tally.counts]
        if any(counted):
            given[tally.question] = sum(counted)
    return {key: value for key, value in given.items() if value not in (None, "")}


def figure_keys(scenario: Scenario) -> list[str]:
    """The keys of the figures of which an empty one counts as 0: all but totals."""
    return [q.key for q in scenario.questions if q.kind != "choice" and q.most > 0 and q.key not in TOTALS]


def with_zeros(scenario: Scenario, answers: Answers) -> dict[str, int | str]:
    """The answers of a game that was played, with 0 for each empty figure."""
    return {**dict.fromkeys(figure_keys(scenario), 0), **answers}


NOTHING = N_("Nothing is entered yet: enter the figures, 0 where there were none.")


def figures_asked(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> list[str]:
    """The figures of which one must be entered: not those that the forces tell (``Tally.known``)."""
    told = {tally.question for tally in tallies if tally.known is not None}
    return [key for key in figure_keys(scenario) if key in form and key not in told]


def needs(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """The fields of which one must be entered if a game was played out, for the page's script, and the error."""
    asked = figures_asked(form, scenario, tallies)
    counted = [count_field(tally, count) for tally in tallies if asked for count in tally.counts]
    groups = [([*asked, *counted], gettext(NOTHING)), ([WON], gettext("Choose who won, or a draw."))]
    groups += [([key], gettext("Enter both totals.")) for key in TOTALS]
    return [{"keys": keys, "said": words} for keys, words in groups if keys and keys[0] in form]


def nothing_entered(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> bool:
    """Whether all figures of a game that was played out are empty; adds the error to the first one."""
    asked = figures_asked(form, scenario, tallies)
    if ending_in(form).how is not None or not asked or score_answers_in(form, scenario, tallies).keys() & set(asked):
        return False
    form[asked[0]].errors = [gettext(NOTHING)]
    return True


def miscounted(form: FlaskForm, tallies: Sequence[Tally]) -> bool:
    """Whether a count exceeds the number in the force; adds the error to its fields."""
    wrong = False
    for side, count in dict.fromkeys((tally.question[0], entry) for tally in tallies for entry in tally.counts):
        fields = [form[count_field(t, count)] for t in tallies if t.question[0] == side and count in t.counts]
        lost = sum(field.data or 0 for field in fields)
        if lost > count.most:
            wrong = True
            for field in fields:
                field.errors = [
                    *field.errors,
                    gettext("You counted %(lost)s, but there are only %(most)s.", lost=lost, most=count.most),
                ]
    return wrong


def undecided(form: FlaskForm, scenario: Scenario) -> bool:
    """Whether a figure on which two reports differ was left blank; adds the error to its field."""
    left = [form[key] for key in figure_keys(scenario) if key in form and form[key].data is None]
    for field in left:
        field.errors = [gettext("The reports differ here: choose a figure.")]
    return bool(left)


def is_complete(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally], *, disputed: bool) -> bool:
    """Whether the desk's form is valid, and has the figures on which the reports of a dispute differ, or any."""
    if not form.validate() or miscounted(form, tallies):
        return False
    return not (undecided(form, scenario) if disputed else nothing_entered(form, scenario, tallies))


def version_in(form: FlaskForm) -> int:
    """The submitted version of the game; -1 if missing or invalid.

    Reads the raw data, because WTForms fills in the newest version for a missing value.
    """
    version = number_or_none(next(iter(form.version.raw_data or ()), ""))
    return -1 if version is None else version


PLAYED = "played"
"""The choice for a game that was played to the end."""


def ending_choices(a: Player, b: Player, own: ReportSide | None = None, *, judge: bool = False) -> list[SelectChoice]:
    """The available endings. ``own`` is the reporting player's side; a ``judge`` may also decide."""
    gave_up = {
        side: gettext("I conceded") if side == own else gettext("%(name)s conceded", name=player.name)
        for side, player in ((ReportSide.A, a), (ReportSide.B, b))
    }
    choices = [
        SelectChoice(PLAYED, gettext("Played out")),
        SelectChoice(Ending.UNFINISHED.value, gettext("Unfinished when time was called")),
        SelectChoice(Ending.CONCEDED_A.value, gave_up[ReportSide.A]),
        SelectChoice(Ending.CONCEDED_B.value, gave_up[ReportSide.B]),
        SelectChoice(Ending.NOT_PLAYED.value, gettext("Not played: both players were present")),
    ]
    return [*choices, SelectChoice(Ending.DECIDED.value, gettext("Decided by a judge"))] if judge else choices


def ending_field(a: Player, b: Player, own: ReportSide | None) -> RadioField:
    """The field for the ending. ``own`` is the reporting player's side."""
    return RadioField(gettext("How did the game end?"), choices=ending_choices(a, b, own), default=PLAYED)


def ending_shown(how: Ended, *, judge: bool = False) -> dict[str, str]:
    """The field's value for a stored ending. A player's form does not offer a judge's decision."""
    shown = how.how if judge or how.how != Ending.DECIDED else None
    return {"ending": shown.value if shown is not None else PLAYED}


def ending_in(form: FlaskForm) -> Ended:
    """The submitted ending; without one, as from an outdated page, the game was played to the end.

    A judge's decision is read only from the desk's form, which has fields for its winner and reason.
    """
    chosen = form["ending"].data
    if chosen not in set(Ending) or (chosen == Ending.DECIDED and "awarded" not in form):
        return PLAYED_OUT
    how = Ending(chosen)
    if how != Ending.DECIDED:
        return Ended(how)
    return Ended(how, Awarded(form["awarded"].data) if form["awarded"].data else None, form["reason"].data)


def decision_form(scenario: Scenario, a: Player, b: Player, tallies: tuple[Tally, ...]) -> type[FlaskForm]:
    """The desk's form class of one game, with ending, winner and reason."""
    winners = [
        SelectChoice("", gettext("The winner by the figures")),
        SelectChoice(Awarded.A.value, a.name),
        SelectChoice(Awarded.B.value, b.name),
        SelectChoice(Awarded.DRAW.value, gettext("Nobody: a draw")),
    ]
    fields: dict[str, Any] = {
        "ending": SelectField(gettext("How it ended"), choices=ending_choices(a, b, judge=True), default=PLAYED),
        "awarded": SelectField(
            gettext("Winner"), choices=winners, description=gettext("Only for a game that a judge decides.")
        ),
        "reason": text(
            gettext("Reason"),
            LONGEST_REASON,
            required=False,
            description=gettext("Both players read it, and it stays with the result."),
        ),
    }
    return report_form(scenario, a, b, tallies, **fields)


def ending_fields(how: Ended, reason: str) -> dict[str, str]:
    """The values of the desk's fields for a stored ending."""
    return ending_shown(how, judge=True) | {
        "awarded": how.awarded.value if how.awarded else "",
        "reason": how.reason or reason,
    }


def grid_columns(scenario: Scenario, side: Side) -> list[Question]:
    """The questions in a side's row of the score grid: game rounds, then other figures except objective markers."""
    asked = [q for q in scenario.questions if q.side == side and q.kind in ("vp", "figure")]
    return sorted(asked, key=lambda q: (q.game_round is None, q.game_round or 0))


def heads(scenario: Scenario) -> tuple[str, ...]:
    """The headings of these columns; empty if they are only game rounds."""
    asked = grid_columns(scenario, "a")
    if all(q.kind == "vp" for q in asked):
        return ()
    return tuple(gettext("Round %(number)s", number=q.game_round) if q.game_round else q.said for q in asked)


def most_in(scenario: Scenario, side: Side) -> tuple[int | None, ...]:
    """The limit in each of these columns; None for no limit."""
    return tuple(None if q.most >= OPEN_END else q.most for q in grid_columns(scenario, side))


SIDES: tuple[Side, Side] = ("a", "b")
YES = " (1: yes)"
"""The end of the label of a figure that is 1 for yes and 0 for no."""
TO_TICK = (N_("APC left by the south edge"), N_("Left the table first"))
"""The labels that have this end, without it."""
OF_ENEMY = {
    "Models lost": N_("Enemy models lost"),
    "Models lost with Charisma": N_("Enemy models lost with Charisma"),
    "Force at the end": N_("Enemy force at the end"),
    "Own points lost": N_("Enemy points lost"),
    "Points of the figures killed by the other side’s troops or beasts, and of those that left the table.": N_(
        "Points of the figures killed by your own troops or beasts, and of those that left the table."
    ),
}
"""The labels and meanings of a side's losses, for the player who scores by them."""
TYPED = {"type": "text", "inputmode": "numeric", "autocomplete": "off"}
"""A text box for figures. In a number field, the wheel or an arrow key could change them."""


def sheet_form(scenario: Scenario, a: Player, b: Player) -> type[FlaskForm]:
    """A form class with a box for each question that can score, named by the question's key."""
    names: dict[Side, str] = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {
        "version": HiddenField(), "game": HiddenField(), "sure": BooleanField(gettext("Yes, that is right")),
    }  # fmt: skip
    for question in scenario.questions:
        if question.key == WON:
            won = outcome_field(a, b).kwargs["choices"]
            fields[WON] = SelectField(
                gettext("Result"), choices=[SelectChoice("", gettext("Choose")), *won], validate_choice=False
            )
        elif question.kind == "choice":
            fields[question.key] = _choice(question, names[question.side])
        elif question.most > 0:
            # The scenario's own check rejects impossible figures and explains why.
            label = gettext("%(name)s: %(label)s", name=names[question.side], label=question.said)
            if question.most == 1 and question.kind == "figure":  # a box to tick on paper, too
                fields[question.key] = BooleanField(label, false_values=("", "0"), filters=[lambda on: int(on) or None])
                continue
            most = {"data-most": question.most, "maxlength": len(str(question.most))}
            fields[question.key] = WholeNumberField(label, [Optional()], render_kw=TYPED | most)
    fields["ending"] = SelectField(gettext("How it ended"), choices=ending_choices(a, b), default=PLAYED)
    return type("SheetForm", (SiteForm,), fields)


def scores_by_losses(scenario: Scenario) -> bool:
    """Whether all VP of a player come from figures of the other side: its losses."""
    counted = [q for q in scenario.questions if q.kind != "choice"]
    return bool(counted) and all(q.for_enemy for q in counted)


def scored_label(scenario: Scenario, question: Question) -> str:
    """A question's label for the player who scores by it: "Enemy models lost", "HP left"."""
    return enemy_label(question) if scores_by_losses(scenario) else question.said


def printed_label(scenario: Scenario, question: Question) -> str:
    """A question's label in the part of the player who scores by it: "Enemy models lost", "APC left"."""
    return scored_label(scenario, question) if scores_by_losses(scenario) else without_yes(question)


def without_yes(question: Question) -> str:
    """The label of a figure that is 1 for yes and 0 for no, for a box to tick."""
    return gettext(question.label.removesuffix(YES)) if question.label.endswith(YES) else question.said


def enemy_label(question: Question) -> str:
    """The label of a side's loss for the player who scores by it: "Enemy models lost"."""
    return gettext(OF_ENEMY[question.label]) if question.label in OF_ENEMY else question.said


def asked_sides(scenario: Scenario) -> tuple[Side, Side]:
    """The side that the questions in A's part of a form or sheet, and in B's, are about."""
    return ("b", "a") if scores_by_losses(scenario) else SIDES


def paper_order(scenario: Scenario) -> list[tuple[Side, list[Question]]]:
    """The questions in the printed sheet's order: the row of A, then the row of B, each with its own markers."""
    rows: list[tuple[Side, list[Question]]] = []
    for row, side in zip(SIDES, asked_sides(scenario), strict=True):
        chosen = [q for q in scenario.questions if q.side == side and q.kind == "choice"]
        markers = [q for q in scenario.questions if q.side == row and q.kind == "objectives"]
        if asked := [*chosen, *grid_columns(scenario, side), *markers]:
            rows.append((row, asked))
    return rows


class CodeForm(SiteForm):
    """The form for a sheet's code. Posted, so that the code does not stay in an address."""

    code = StringField()
