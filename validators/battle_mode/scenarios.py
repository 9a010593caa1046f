"""The five scenarios of the Battle Mode rulebook 1.0 as data, told in our own words.

Inches on the 36-inch table, from the left end of player A's edge. Where the rulebook leaves a question open
the scenario's ``readings`` give the answer used here.
"""

from validators.contract import Marker, Question, Scenario, Side

GAME_ROUNDS = 6
OBJECTIVE_KINDS = (
    "Locked Safe",
    "Hidden Item",
    "Secure Console",
    "Passing Wastelander",
    "Trophy Wrack",
    "Trick Shot",
)
OBJECTIVES = 5
"""Objective markers a player has, in every scenario, each worth 1 VP when completed."""

_DEPLOYMENT = (
    "Each player rolls two Black dice; the higher roll chooses a table edge, the other player says who places first.",
    "Players place one model at a time, within Red (6 inches) of their own edge, until all are down.",
    "Whoever has placed everything first takes the Advantage Marker and decides who has priority in game round 1.",
)
_OBJECTIVES_SETUP = (
    "Each player secretly makes five objective markers out of the six kinds, no kind more than twice, and "
    "the players put them down in turn, face down: two in the own half, one on the centre line, two in the "
    "enemy half.",
    "No objective marker stands within Red (6 inches) of an edge, within Blue (10 inches) of another of the "
    "same player, or against a scenario marker.",
)
_OBJECTIVES_SCORING = "Each own objective marker completed: 1 VP, at most 5 in the game."
_DRAW = "Equal VP are a draw."
_SIDES: tuple[Side, ...] = ("a", "b")


def _questions(most: int, first: int, help_text: str, choices: tuple[str, ...] = ()) -> tuple[Question, ...]:
    """What is asked after a game: VP of each game round, objective markers, and a choice if there is one."""
    asked: list[Question] = []
    for side in _SIDES:
        if choices:
            asked.append(
                Question(
                    key=f"{side}.choice",
                    side=side,
                    kind="choice",
                    label="Chosen at the start",
                    choices=choices,
                    help="May be left out; it scores nothing by itself.",
                )
            )
        for game_round in range(1, GAME_ROUNDS + 1):
            scores = game_round >= first
            asked.append(
                Question(
                    key=f"{side}.r{game_round}",
                    side=side,
                    kind="vp",
                    label=f"Game round {game_round}",
                    game_round=game_round,
                    most=most if scores else 0,
                    help=help_text if scores else "Nothing can be scored yet.",
                )
            )
        asked.append(
            Question(
                key=f"{side}.objectives",
                side=side,
                kind="objectives",
                label="Objective markers completed",
                most=OBJECTIVES,
                help="1 VP each, of the player's own five.",
            )
        )
    return tuple(asked)


def _scenario(
    ident: str,
    name: str,
    *,
    summary: str,
    markers: tuple[Marker, ...],
    placing: tuple[str, ...],
    scoring: tuple[str, ...],
    most: int,
    first: int,
    asked: str,
    bound: str,
    readings: tuple[str, ...],
    choices: tuple[str, ...] = (),
) -> Scenario:
    return Scenario(
        id=ident,
        name=name,
        summary=summary,
        setup=(*placing, *_OBJECTIVES_SETUP, *_DEPLOYMENT),
        scoring=(*scoring, _OBJECTIVES_SCORING),
        game_rounds=GAME_ROUNDS,
        scoring_from=first,
        table_inches=36,
        deployment_inches=6,
        markers=markers,
        questions=_questions(most, first, asked, choices),
        round_note=bound,
        objective_kinds=OBJECTIVE_KINDS,
        objective_note="no kind more than twice; 1 VP for each completed",
        readings=(*readings, _DRAW),
        source=f"Rulebook 1.0, Scenarios: {name}; Preparing the Battlefield: Objective Markers, End of Game",
    )


HOLD_THE_LINE = _scenario(
    "hold-the-line",
    "Hold the Line",
    summary="Two ways into a vault, uncovered by a storm. Stand at them, and keep the enemy away.",
    markers=(Marker(6, 18, "Entrance"), Marker(30, 18, "Entrance")),
    placing=("Two searchable markers on the centre line, each Red (6 inches) from a side edge.",),
    scoring=(
        "At the end of each game round from the second: 1 VP for each marker that a model of yours touches "
        "and no enemy model touches.",
    ),
    most=2,
    first=2,
    asked="1 for each of the two markers held alone.",
    bound="both players together: at most 2 a round",
    readings=("One marker is held by one player at most, so both players together score at most 2 in a round.",),
)

DEFEND_YOUR_STASH = _scenario(
    "defend-your-stash",
    "Defend Your Stash",
    summary="Both sides have something worth taking. Take theirs, keep yours, and watch the middle.",
    markers=(
        Marker(12, 12, "Home of A", owner="a"),
        Marker(18, 18, "Middle"),
        Marker(24, 24, "Home of B", owner="b"),
    ),
    placing=(
        "One searchable marker in the very middle, and two on a diagonal through it, each Black (12 inches) "
        "from two edges. The one nearer your edge is your home marker.",
    ),
    scoring=(
        "At the end of each game round from the second, for a marker that a model of yours touches and no "
        "enemy model touches: the middle 1 VP, the enemy's home 2 VP. Your own home scores nothing.",
    ),
    most=3,
    first=2,
    asked="Middle 1, enemy home 2, both 3.",
    bound="middle 1, enemy home 2; the middle to one player at most",
    readings=(
        "The homes lie on the diagonal from the left of player A's edge to the right of player B's.",
        "The middle is held by one player at most in a round.",
    ),
)

EXTRACT_THE_INFORMATION = _scenario(
    "extract-the-information",
    "Extract the Information",
    summary="Three consoles have woken up. Read them, or make sure that nobody does.",
    markers=(Marker(12, 18, "Console"), Marker(18, 18, "Console"), Marker(24, 18, "Console")),
    placing=(
        "Three searchable markers with the computer side up on the centre line: one in the middle, one on "
        "either side Black (12 inches) from the side edge.",
        "Each player says whether the force are hackers or smashers; both may say the same.",
    ),
    scoring=(
        "From game round 2, for each marker once a round: 1 VP when a model touching it passes its test, "
        "computers for hackers, Agility for smashers.",
    ),
    most=3,
    first=2,
    asked="1 for each console scored this round.",
    bound="both players together: more than 3 a round is asked about",
    readings=(
        "Each marker scores once a round in all, not once for each player, so more than 3 VP for both "
        "together in a round is put to the organiser.",
    ),
    choices=("Hackers", "Smashers"),
)

RAIDERS = _scenario(
    "raiders",
    "Raiders",
    summary="They have been saving up. Find out where they put it, and stand on it.",
    markers=(
        *(Marker(x, 6, "Face down", owner="a") for x in (12, 18, 24)),
        *(Marker(x, 30, "Face down", owner="b") for x in (12, 18, 24)),
    ),
    placing=(
        "Each player shuffles two lettered searchable markers and a blank one, face down, and places them "
        "Red (6 inches) up from the own edge: one in the middle, one on either side Black (12 inches) from "
        "the side edge.",
    ),
    scoring=(
        "A passed search test turns an enemy marker up; a blank one is taken away.",
        "In every game round, for each enemy marker once a round: 1 VP when it is turned up and a model of "
        "yours touches it.",
    ),
    most=2,
    first=1,
    asked="1 for each lettered enemy marker.",
    bound="at most 2 a player and round",
    readings=("The rulebook names no first scoring round here, so game round 1 can score.",),
)

SCRAPYARD = _scenario(
    "scrapyard",
    "Scrapyard",
    summary="Useful scrap in three heaps. Dig, and go on digging.",
    markers=(Marker(12, 18, "Heap"), Marker(18, 18, "Heap"), Marker(24, 18, "Heap")),
    placing=(
        "Three searchable markers on the centre line: one in the middle, one on either side Black (12 "
        "inches) from the side edge.",
    ),
    scoring=(
        "From game round 2: 1 VP for each search test passed while touching a marker. Any number of models "
        "of both sides may search one marker, and any number of times, but an X rolled there ends all "
        "searching of that marker for the round.",
    ),
    most=99,
    first=2,
    asked="1 for each search test passed.",
    bound="no printed limit; more than 6 a player and round is asked about",
    readings=(
        "The rulebook prints no limit: more than 6 VP for one player in a round is put to the organiser, "
        "more than 99 is refused.",
    ),
)

SCENARIOS: tuple[Scenario, ...] = (
    HOLD_THE_LINE,
    DEFEND_YOUR_STASH,
    EXTRACT_THE_INFORMATION,
    RAIDERS,
    SCRAPYARD,
)
