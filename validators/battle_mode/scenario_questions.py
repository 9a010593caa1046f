"""What a scenario asks and prints, made from its own figures."""

from collections.abc import Iterator

from validators.scenario import OPEN_END, Limits, Question, Side

_SIDES: tuple[Side, ...] = ("a", "b")
_OFTEN = {1: "once", 2: "twice"}


def questions(
    game_rounds: int, first: int, most: int, hint: str, choices: tuple[str, ...], objectives: int
) -> tuple[Question, ...]:
    """What is asked after a game: VP of each game round, objective markers, and a choice if there is one."""
    return tuple(
        question for side in _SIDES for question in _of_side(side, game_rounds, first, most, hint, choices, objectives)
    )


def _of_side(
    side: Side, game_rounds: int, first: int, most: int, hint: str, choices: tuple[str, ...], objectives: int
) -> Iterator[Question]:
    if choices:
        yield Question(
            key=f"{side}.choice",
            side=side,
            kind="choice",
            label="Chosen at the start",
            choices=choices,
            help="May be left out; it scores nothing by itself.",
        )
    for game_round in range(1, game_rounds + 1):
        scores = game_round >= first
        yield Question(
            key=f"{side}.r{game_round}",
            side=side,
            kind="vp",
            label=f"Game round {game_round}",
            game_round=game_round,
            most=most if scores else 0,
            help=hint if scores else "Nothing can be scored yet.",
        )
    if objectives:
        yield Question(
            key=f"{side}.objectives",
            side=side,
            kind="objectives",
            label="Objective markers completed",
            most=objectives,
            help=f"1 VP each, of the player's own {_number(objectives)}.",
        )


def round_note(most: int, limits: Limits) -> str:
    """What binds a game round's figures, in the words of a sheet."""
    said = [] if most >= OPEN_END else [f"at most {most} a player and round"]
    if limits.together_refused:
        said.append(f"both players together: at most {limits.together_refused.above} a round")
    if limits.held_by_one:
        said.append(f"{limits.held_by_one} to one player at most")
    if limits.together_asked:
        said.append(f"both players together: more than {limits.together_asked.above} a round is asked about")
    if limits.one_asked:
        said.append(f"more than {limits.one_asked.above} a player and round is asked about")
    return "; ".join(said) or "no limit"


def objective_note(objectives: int, most_of_a_kind: int) -> str:
    """The rule of the objective markers, in the words of a sheet; "" where a game has none."""
    if not objectives:
        return ""
    every = "" if most_of_a_kind >= objectives else f"no kind more than {_often(most_of_a_kind)}; "
    return f"{every}1 VP for each completed"


def _often(times: int) -> str:
    return _OFTEN.get(times, f"{_number(times)} times")


def _number(number: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)
