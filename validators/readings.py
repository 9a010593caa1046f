"""Comparing two differing reports of one game: the differences and the likely results, for the organiser to decide.

A reading is a complete set of possible answers: one of the reports, or a result from which a common slip would explain
both. A slip is a guess and stands with the report that may have it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from languages.words import N_, gettext, listed
from validators.scenario import SIDES, Answers, Doubt, Question, Scenario, Score, Side
from validators.strict_json import fingerprint

Check = Callable[[Scenario, Answers], Sequence[Doubt]]
Worth = Callable[[Scenario, Answers], Score]


@dataclass(frozen=True)
class Difference:
    """A question that the two reports answer differently."""

    question: Question
    a: int | str
    """Player A's answer; a missing one is 0, or "" for a choice."""
    b: int | str
    slip: str = ""
    """The slip that relates the two figures, in a few words; "" for none."""


@dataclass(frozen=True)
class Reading:
    """A likely result: possible answers and their score."""

    answers: Answers
    score: Score
    report: Side | None
    """The side whose report it is; None if it is neither report."""
    why: tuple[str, ...]
    """What is odd in a report; of another result, how both reports would come from it."""

    @property
    def key(self) -> str:
        """The reading's value on a form; equal answers have equal values."""
        return fingerprint(dict(self.answers))


@dataclass(frozen=True)
class Compared:
    """Two reports compared."""

    differences: tuple[Difference, ...]
    same_worth: str
    """That both reports come to the same; "" if they do not."""
    readings: tuple[Reading, ...]
    """First the reports that are possible, then results explained by slips."""
    impossible: Mapping[Side, str]
    """Why a report is impossible, by side."""
    slips: Mapping[Side, tuple[str, ...]]
    """Slips that this side's report may have, by side, as guesses: they would explain what the other side wrote."""


def compare(
    scenario: Scenario, a: Answers, b: Answers, names: Mapping[Side, str], check: Check, worth: Worth
) -> Compared:
    """Compare player A's report with player B's. ``names`` are the players', for the sentences.

    ``check`` returns what is impossible or unusual about answers, ``worth`` their score; both accept anything that a
    report may hold.
    """
    reports: dict[Side, Answers] = {"a": a, "b": b}
    apart = [(question, _answer(a, question), _answer(b, question)) for question in differing(scenario, a, b)]
    differences = tuple(Difference(question, of_a, of_b, _slip(of_a, of_b)) for question, of_a, of_b in apart)
    doubts = {side: check(scenario, reports[side]) for side in SIDES}
    refused = {side: " ".join(doubt.message for doubt in doubts[side] if doubt.refused) for side in SIDES}
    impossible = {side: words for side, words in refused.items() if words}
    slips: dict[Side, tuple[str, ...]] = {
        side: tuple(_slips(scenario, reports, side, differences, names)) for side in SIDES
    }
    odd = {side: " ".join(doubt.message for doubt in doubts[side] if not doubt.refused) for side in SIDES}
    readings = [
        Reading(
            reports[side],
            worth(scenario, reports[side]),
            side,
            (gettext("Odd in it: %(odd)s", odd=odd[side]),) if odd[side] else (),
        )
        for side in SIDES
        if side not in impossible
    ]
    for why, answers in _made_of_both(scenario, reports, names, len(differences)):
        if any(doubt.refused for doubt in check(scenario, answers)):
            continue
        same = next((reading for reading in readings if not differing(scenario, reading.answers, answers)), None)
        if same is None:
            readings.append(Reading(answers, worth(scenario, answers), None, (why,)))
        elif same.report is None:
            readings[readings.index(same)] = replace(same, why=(*same.why, why))
    same_worth, (of_a, of_b) = "", (worth(scenario, entry) for entry in (a, b))
    if not impossible and (of_a.a, of_a.b, of_a.outcome) == (of_b.a, of_b.b, of_b.outcome):
        text = N_("Both come to %(a)s : %(b)s: whichever you take, the standings are the same.")
        same_worth = gettext(text, a=of_a.a, b=of_a.b)
    return Compared(differences, same_worth, tuple(readings), impossible, slips)


def differing(scenario: Scenario, a: Answers, b: Answers) -> list[Question]:
    counting = [q for q in scenario.questions if q.kind != "choice" or q.decides]
    return [q for q in counting if _answer(a, q) != _answer(b, q)]


def _answer(answers: Answers, question: Question) -> int | str:
    return answers.get(question.key) or ("" if question.kind == "choice" else 0)


def _slip(a: int | str, b: int | str) -> str:
    if isinstance(a, str) or isinstance(b, str):
        return ""
    if str(a) == str(b)[::-1]:
        return gettext("the same digits the other way round")
    return gettext("one zero more or less") if min(a, b) * 10 == max(a, b) else ""


def place(question: Question, names: Mapping[Side, str]) -> str:
    """A question in words, with its player: "Ada, round 3"."""
    return f"{names[question.side]}, {question.in_sentence}"


def _slips(
    scenario: Scenario,
    reports: Mapping[Side, Answers],
    side: Side,
    differences: Sequence[Difference],
    names: Mapping[Side, str],
) -> list[str]:
    """Slips in this side's report that would explain the differences, in sentences about its player."""
    name, own, other = names[side], reports[side], reports["b" if side == "a" else "a"]
    found = []
    if differences and not differing(scenario, _mirrored(scenario, own), other):
        found.append(gettext("Perhaps %(name)s exchanged the two sides.", name=name))
    for of in SIDES:
        right, written = of_a_side(scenario, other, of), of_a_side(scenario, own, of)
        if right == written:
            continue
        if running_totals(right, written):
            text = N_("Perhaps %(name)s wrote running totals for %(of)s instead of each game round’s figure.")
            found.append(gettext(text, name=name, of=names[of]))
        elif total_in_one_round(right, written):
            text = N_("Perhaps %(name)s wrote the total of %(of)s (%(total)s) into one game round.")
            found.append(gettext(text, name=name, of=names[of], total=sum(right)))
        elif sum(written) == sum(right) and written in ((*right[1:], 0), (0, *right[:-1])):
            text = N_("Perhaps %(name)s has the figures of %(of)s one game round off.")
            found.append(gettext(text, name=name, of=names[of]))
    left_out = [d for d in differences if not _answer(own, d.question) and _answer(other, d.question)]
    if left_out and len(left_out) == len(differences):
        places = [place(d.question, names) for d in left_out[:3]]
        if len(left_out) > 3:
            places.append(gettext("%(n)s more", n=len(left_out) - 3))
        found.append(gettext("Perhaps %(name)s left out: %(places)s.", name=name, places=listed(places)))
    return found


def _made_of_both(
    scenario: Scenario, reports: Mapping[Side, Answers], names: Mapping[Side, str], apart: int
) -> list[tuple[str, Answers]]:
    """Results that slips in the reports would explain, with the slip in a sentence, the most likely first."""
    rows: list[tuple[str, Answers]] = []
    exchanged = False
    for side in SIDES:
        own, other = reports[side], reports["b" if side == "a" else "a"]
        mirrored = _mirrored(scenario, own)
        near = len(differing(scenario, mirrored, other))
        exchanged = exchanged or near < apart - 1
        if 0 < near < apart - 1:
            why = gettext("%(name)s’s report with the two sides exchanged.", name=names[side])
            rows.append((why, mirrored))
        for of in SIDES:
            written, theirs = of_a_side(scenario, own, of), of_a_side(scenario, other, of)
            if written == theirs:
                continue
            single = taken_apart(written)
            if single is not None and sum(single) == sum(theirs) != sum(written):
                text = N_("%(name)s’s report, where the figures of %(of)s are running totals.")
                why = gettext(text, name=names[side], of=names[of])
                rows.append((why, _with_side(scenario, own, of, single)))
            last = max((n for n, figure in enumerate(written) if figure), default=0)
            before = sum(written[:last])
            if before and written[last] >= before and sum(theirs) == written[last]:
                figures = (*written[:last], written[last] - before, *written[last + 1 :])
                text = N_("%(name)s’s report, where %(figure)s of %(of)s is the total and not the round’s.")
                why = gettext(text, name=names[side], figure=written[last], of=names[of])
                rows.append((why, _with_side(scenario, own, of, figures)))
    if exchanged:  # if a report has its sides swapped, half of it is useless
        return rows
    own_figures = gettext("The figures of each player as that player reported them.")
    others_figures = gettext("The figures of each player as the opponent reported them.")
    for why, by in ((own_figures, reports), (others_figures, {"a": reports["b"], "b": reports["a"]})):
        answers = {q.key: by[q.side][q.key] for q in scenario.questions if q.key in by[q.side]}
        rows.append((why, answers))
    return rows


def _mirrored(scenario: Scenario, answers: Answers) -> dict[str, int | str]:
    """The answers with the sides swapped; an answer to a question that only one side has stays."""
    asked = {question.key for question in scenario.questions}
    turned: dict[str, int | str] = {}
    for key, value in answers.items():
        other = {"a": "b", "b": "a"}.get(key[0], key[0]) + key[1:]
        turned[other if other in asked else key] = value
    return turned


def _with_side(scenario: Scenario, answers: Answers, side: Side, figures: Sequence[int]) -> dict[str, int | str]:
    keys = keys_of(scenario, side)
    given = {key: figure for key, figure in zip(keys, figures, strict=True) if figure or key in answers}
    return {**answers, **given}


def of_a_side(scenario: Scenario, answers: Answers, side: Side) -> tuple[int, ...]:
    """A side's score in each scoring game round; a missing round counts as 0."""
    return tuple(int(answers.get(key) or 0) for key in keys_of(scenario, side))


def keys_of(scenario: Scenario, side: Side) -> list[str]:
    return [
        question.key
        for question in scenario.questions
        if question.side == side and question.kind == "vp" and question.most > 0
    ]


def running_totals(right: Sequence[int], written: Sequence[int]) -> bool:
    """Whether the written figures are the running totals of the right ones, up to the last written game round."""
    to = _written(written)
    return tuple(accumulate(right))[:to] == tuple(written)[:to] and not any(right[to:])


def taken_apart(figures: Sequence[int]) -> tuple[int, ...] | None:
    """The figures whose running totals these are; None if they cannot be running totals."""
    to = _written(figures)
    numbers = [later - earlier for earlier, later in pairwise((0, *figures[:to]))]
    return None if min(numbers, default=0) < 0 else (*numbers, *figures[to:])


def _written(figures: Sequence[int]) -> int:
    """The number of the last game round that scored."""
    return max((place for place, figure in enumerate(figures, 1) if figure), default=0)


def total_in_one_round(right: Sequence[int], written: Sequence[int]) -> bool:
    """Whether one written figure is the total of the right ones, while the others are right or missing."""
    wrong = [(was, says) for was, says in zip(right, written, strict=True) if was != says]
    return sum(says == sum(right) for _, says in wrong) == 1 and sum(says != 0 for _, says in wrong) == 1
