"""The bout: two sides fight until one is left standing. Document 002, Combat's Purpose and Ending Combat."""

from validators.scenario import Limits, Marker, Question, Scenario, Side

STANDING, DOWN, SURRENDERED, FLED = "Standing", "Down", "Surrendered", "Fled"
ENDS = (STANDING, DOWN, SURRENDERED, FLED)
"""How a side can end: combat ends when the aggressive ones have surrendered, are killed or incapacitated, or fled."""
MOST_HP = 999


def _questions(side: Side) -> tuple[Question, ...]:
    return (
        Question(f"{side}.end", side, "choice", "How the side ended", choices=ENDS, decides=True,
                 help="Standing as long as one character is. Down: killed or incapacitated."),
        Question(f"{side}.hp", side, "figure", "HP left", most=MOST_HP,
                 help="Of the characters still standing, added; 0 for a side that is not."),
    )  # fmt: skip


def _bout(ident: str, name: str, summary: str, start: tuple[str, ...], query: str) -> Scenario:
    return Scenario(
        id=ident,
        name=name,
        summary=summary,
        setup=(
            "One hex is one inch on a table of 24 by 24; each side begins at its marker, several characters next to "
            "each other.",
            *start,
            "Turns go from the highest Sequence to the lowest, again and again. Equal Sequences roll a d10, the higher "
            "goes first.",
            "In a turn a character spends AP and may move: 1 or 2 hexes is walking, 3 or 4 jogging, 5 running, each "
            "further hex costs 2 AP. The AP that come back depend on the fastest of these.",
        ),
        scoring=(
            "The bout goes on until every character of one side is killed, incapacitated, has surrendered or has fled.",
            "The side that still stands wins. If both stand when time is up, or neither does, it is a draw.",
            "A side that stands scores 1 VP for each HP left of its characters that stand.",
        ),
        game_rounds=0,
        scoring_from=1,
        most=0,
        limits=Limits(),
        choices=(),
        table_inches=24,
        deployment_inches=0,
        markers=(Marker(12, 6, "Start", "a"), Marker(12, 18, "Start", "b")),
        questions=(*_questions("a"), *_questions("b")),
        hint="",
        note="",
        round_note="the last side standing wins; HP left count only for characters that stand",
        objectives=0,
        objective_kinds=(),
        objective_most=0,
        objective_note="",
        readings=(
            "The document draws no ground: the table, its hexes and the twelve hexes between the sides are set here.",
            "It counts no points: the HP left of the winner are the VP, for the tie-breaks.",
            "Fleeing needs 15 hexes and a Luck check, or a hiding place; leaving the table counts as fled.",
        ),
        queries=(query,),
        source="Document 002: Combat's Purpose; Action Points and the Turn; Ending Combat",
    )


SCENARIOS = (
    _bout(
        "bout",
        "Bout",
        "Two sides face each other in the open, and the last one standing wins.",
        ("Both know of each other: nobody acts before the Sequence.",),
        "Whether a bout that is called off when time is up is a draw, or goes by HP left.",
    ),
    _bout(
        "first-blood",
        "First Blood",
        "One side begins combat: it spends its AP before the Sequence is told.",
        (
            "Both roll a d10, the higher begins combat.",
            "The side that begins spends all AP of one character as it likes, then the Sequence decides.",
        ),
        "Whether the side that begins may be chosen instead of rolled.",
    ),
)
