"""The forms of a result, made from its scenario's questions: for players, for the desk, and for typing from paper."""

from collections.abc import Sequence
from typing import Any

from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, RadioField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional

from events.play.outcomes import PLAYED_OUT, Ended
from events.play.parsing import number_or_none, whole_number
from events.web.forms import WholeNumberField, number, text
from models.endings import Awarded, Ending
from models.play import Player, ReportSide
from validators.scenario import OPEN_END, Count, Question, Scenario, Side, Tally

FEW = 5
"""Up to this figure a number is picked from buttons, one tap each; above, it is typed."""


class ReportForm(FlaskForm):
    """What every form of a result has. Its page prints the token against forged requests, as for any plain form."""

    class Meta:
        csrf = False  # the application looks at the token of whatever is sent, before any form is made


def report_form(
    scenario: Scenario, a: Player, b: Player, tallies: Sequence[Tally] = (), **further: Any
) -> type[FlaskForm]:
    """A form class with one field per question, named by the question's key, and one for all that can be counted.

    ``further`` are fields by their names that come after these.
    """
    names = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {"version": HiddenField(), "sure": BooleanField("Yes, that is right")}
    for question in scenario.questions:
        if question.kind == "choice" or question.most > 0:
            fields[question.key] = _field(question, names[question.side])
    for tally in tallies:
        for one in tally.counts:
            label = f"{names[tally.question[0]]}, {one.label}"
            fields[count_field(tally, one)] = number(label, 0, one.most, required=False)
    return type("FilledReport", (ReportForm,), fields | further)


def _field(question: Question, name: str) -> Any:
    label = f"{name}: {question.label}"
    if question.kind == "choice":
        options = [SelectChoice("", "Not noted"), *map(SelectChoice, question.choices)]
        return SelectField(label, choices=options, validate_choice=False, description=question.help)
    if question.most <= FEW:
        choices = [SelectChoice(str(figure)) for figure in range(question.least, question.most + 1)]
        # An impossible figure goes on to the scenario's own check, which says why it is impossible.
        return RadioField(label, choices=choices, coerce=whole_number, default=0, validate_choice=False)
    return number(label, question.least, question.most, default=0, description=question.help)


def count_field(tally: Tally, one: Count) -> str:
    """The name of the field in which this is counted."""
    return f"count.{tally.question}.{one.key}"


def answers_in(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally] = ()) -> dict[str, int | str]:
    """What the form says, by question; what was left open is left out. What is counted goes before what is typed."""
    given = {q.key: form[q.key].data for q in scenario.questions if q.key in form}
    for tally in tallies:
        counted = [(form[count_field(tally, one)].data or 0) * one.worth for one in tally.counts]
        if any(counted):
            given[tally.question] = sum(counted)
    return {key: value for key, value in given.items() if value not in (None, "")}


def miscounted(form: FlaskForm, tallies: Sequence[Tally]) -> bool:
    """Whether more is counted of something than there is; says so at its fields."""
    wrong = False
    for side, count in dict.fromkeys((tally.question[0], one) for tally in tallies for one in tally.counts):
        fields = [form[count_field(t, count)] for t in tallies if t.question[0] == side and count in t.counts]
        lost = sum(field.data or 0 for field in fields)
        if lost > count.most:
            wrong = True
            for field in fields:
                field.errors = [*field.errors, f"{lost} are counted, there are {count.most}."]
    return wrong


def version_in(form: FlaskForm) -> int:
    """The game's version that was sent with the form; a missing or tampered one counts as an old one.

    Not the field's data: where nothing was sent, WTForms puts the newest version there.
    """
    version = number_or_none(next(iter(form.version.raw_data or ()), ""))
    return -1 if version is None else version


# ---- how the game ended

PLAYED = "played"
"""The choice of a game that was played out."""


def ending_choices(a: Player, b: Player, own: ReportSide | None = None, *, judge: bool = False) -> list[SelectChoice]:
    """What can be said of a game's end. ``own`` is the side that reports on its own page; a ``judge`` may decide."""
    gave_up = {
        side: "I conceded" if side == own else f"{player.name} conceded"
        for side, player in ((ReportSide.A, a), (ReportSide.B, b))
    }
    choices = [
        SelectChoice(PLAYED, "Played out"),
        SelectChoice(Ending.UNFINISHED.value, "Unfinished when time was called"),
        SelectChoice(Ending.CONCEDED_A.value, gave_up[ReportSide.A]),
        SelectChoice(Ending.CONCEDED_B.value, gave_up[ReportSide.B]),
        SelectChoice(Ending.NOT_PLAYED.value, "Not played, though both were there"),
    ]
    return [*choices, SelectChoice(Ending.DECIDED.value, "Decided by a judge")] if judge else choices


def ending_field(a: Player, b: Player, own: ReportSide | None) -> RadioField:
    """The question of how the game ended. ``own`` is the side that reports on its own page."""
    return RadioField("How did the game end?", choices=ending_choices(a, b, own), default=PLAYED)


def ending_shown(how: Ended, *, judge: bool = False) -> dict[str, str]:
    """The field's value for a report that stands; a judge's decision is no player's to repeat."""
    told = how.how if judge or how.how != Ending.DECIDED else None
    return {"ending": told.value if told is not None else PLAYED}


def ending_in(form: FlaskForm) -> Ended:
    """What the form says. One that says nothing, as that of an older version: the game was played out.

    A judge's decision has its winner and its reason from the form that has fields for them, and stands in no other.
    """
    chosen = form["ending"].data
    if chosen not in set(Ending) or (chosen == Ending.DECIDED and "awarded" not in form):
        return PLAYED_OUT
    how = Ending(chosen)
    if how != Ending.DECIDED:
        return Ended(how)
    return Ended(how, Awarded(form["awarded"].data) if form["awarded"].data else None, form["reason"].data)


def decision_form(scenario: Scenario, a: Player, b: Player, tallies: tuple[Tally, ...]) -> type[FlaskForm]:
    """The form class of one game."""
    winners = [
        SelectChoice("", "Whoever the figures say"),
        SelectChoice(Awarded.A.value, a.name),
        SelectChoice(Awarded.B.value, b.name),
        SelectChoice(Awarded.DRAW.value, "Nobody: a draw"),
    ]
    fields: dict[str, Any] = {
        "ending": SelectField("How it ended", choices=ending_choices(a, b, judge=True), default=PLAYED),
        "awarded": SelectField(
            "The judge gives it to", choices=winners, description="Only for a game that a judge decides."
        ),
        "reason": text("Why", 500, required=False, description="Both players read it, and it stays with the result."),
    }
    return report_form(scenario, a, b, tallies, **fields)


def ending_fields(how: Ended, reason: str) -> dict[str, str]:
    """What the form's fields of the ending hold for a game that ended so."""
    return ending_shown(how, judge=True) | {
        "awarded": how.awarded.value if how.awarded else "",
        "reason": how.reason or reason,
    }


def columns(scenario: Scenario, side: Side) -> list[Question]:
    """What a side's row of the score grid asks: the game rounds, then every other figure but the objective markers."""
    asked = [q for q in scenario.questions if q.side == side and q.kind in ("vp", "figure")]
    return sorted(asked, key=lambda q: (q.game_round is None, q.game_round or 0))


def heads(scenario: Scenario) -> tuple[str, ...]:
    """Names for these columns, where they are not the game rounds alone."""
    asked = columns(scenario, "a")
    if all(q.kind == "vp" for q in asked):
        return ()
    return tuple(f"Round {q.game_round}" if q.game_round else q.label for q in asked)


def most_in(scenario: Scenario, side: Side) -> tuple[int | None, ...]:
    """The most of a side in each of these columns; None where there is no limit to print."""
    return tuple(None if q.most >= OPEN_END else q.most for q in columns(scenario, side))


SIDES: tuple[Side, Side] = ("a", "b")
TYPED = {"type": "text", "inputmode": "numeric", "maxlength": 4, "autocomplete": "off"}
"""A box for figures. No spinning: a wheel or an arrow key must not change what was typed from paper."""


def sheet_form(scenario: Scenario, a: Player, b: Player) -> type[FlaskForm]:
    """A form class with a box for each question that can score, named by the question's key."""
    names: dict[Side, str] = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {
        "version": HiddenField(), "game": HiddenField(), "sure": BooleanField("Yes, that is right"),
    }  # fmt: skip
    for question in scenario.questions:
        if question.kind == "choice":
            options = [SelectChoice("", "Not noted"), *map(SelectChoice, question.choices)]
            label = f"{names[question.side]}: {question.label}"
            fields[question.key] = SelectField(label, choices=options, validate_choice=False)
        elif question.most > 0:
            # What cannot be goes on to the scenario's own check, which says why.
            label = f"{names[question.side]}: {question.label}"
            fields[question.key] = WholeNumberField(label, [Optional()], render_kw=dict(TYPED))
    fields["ending"] = SelectField("How it ended", choices=ending_choices(a, b), default=PLAYED)
    return type("SheetForm", (FlaskForm,), fields)


def paper_order(scenario: Scenario) -> list[tuple[Side, list[Question]]]:
    """The questions as the printed sheet asks them: row A, row B, then the markers of either."""
    rows: list[tuple[Side, list[Question]]] = []
    for side in SIDES:
        chosen = [q for q in scenario.questions if q.side == side and q.kind == "choice"]
        rows.append((side, [*columns(scenario, side), *chosen]))
    for side in SIDES:
        markers = [q for q in scenario.questions if q.side == side and q.kind == "objectives"]
        if markers:
            rows.append((side, markers))
    return rows
