"""What the organiser chooses in a campaign of Fallout: Warfare, and the parts of the sequence after a battle."""

from math import ceil, floor

from validators.campaign import Phase, Setting, World

POINTS = tuple(str(points) for points in (100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1500))
LEAST_START, MOST_START = 500, 1500
"""Army points with which a campaign is advised to start (8.1)."""

SETTINGS = (
    Setting(
        "start",
        "Starting army points",
        (("advised", "500 to 1500 are advised"), ("bound", "500 to 1500, no others")),
        "advised",
        "8.1 calls these numbers “a good place to start”, which is advice.",
    ),
    Setting(
        "most",
        "Most army points in a battle",
        tuple((points, f"{points} points") for points in POINTS),
        "200",
        "8.1 leaves the number open; 200 is a standard game (7.0, S1) and a tournament army (3.3).",
    ),
    Setting(
        "least",
        "Fewest army points in a battle",
        (("25", "A quarter of the most"), ("50", "Half of the most"), ("75", "Three quarters of the most")),
        "50",
        "8.1 leaves the number open; a small game of S1 has half the points of a standard one.",
    ),
    Setting(
        "limits",
        "Limits of a battle’s army",
        (
            ("tournament", "Tournament limits: faction, heroes, vehicles"),
            ("all", "These and all rules of squads, leaders and weapons"),
        ),
        "tournament",
        "8.1 asks for the tournament limits only, and losses break squads that nothing can fill up.",
    ),
    Setting(
        "retreat",
        "Forces that retreated",
        (("1", "Miss the next battle"), ("0", "Fight in the next battle")),
        "1",
        "“In a battle after the following battle” (8.1) is the one after the next; the delay has a reason there.",
    ),
    Setting(
        "doctor",
        "A Doctor between battles",
        (("break", "Adds the skill level to a break"), ("all", "Restores all hit points of all wounded heroes")),
        "break",
        "8.1 and 5.0 say different things; 8.1 is the chapter of campaigns.",
    ),
    Setting(
        "extra",
        "Most extra experience by a scenario",
        tuple((str(most), str(most)) for most in range(6)),
        "0",
        "8.2 says that some scenarios give some; none of the four printed ones does.",
    ),
    Setting(
        "map",
        "Map",
        (("no", "No map"), *((str(many), f"{many} places for each group") for many in range(6, 11))),
        "no",
        "8.1 says that a map can be used, with 6 to 10 places for each player.",
    ),
    Setting(
        "picks",
        "Starting places of each group",
        (("2", "2"), ("3", "3")),
        "2",
        "8.1 says 2 or 3.",
    ),
    Setting(
        "holds",
        "Who holds a place",
        (("battle", "Who won the last battle there, or came first"), ("troops", "Who alone has troops there")),
        "battle",
        "8.1 leaves it open; a battle over a place must decide something.",
    ),
)

PHASES = (
    Phase("losses", "Losses", "Record who died, retreated or was damaged. Everybody else held.", "FW 8.1"),
    Phase("heroes", "Experience", "Heroes grow, and spend skill points.", "FW 8.2"),
    Phase("rest", "Rest", "Heroes may miss the next battle to heal.", "FW 8.1; 5.0"),
    Phase("moves", "Moves", "Move troops to adjacent places.", "FW 8.1, Using a Map"),
    Phase("muster", "Muster", "Choose who fights in the next battle.", "FW 8.1; 3.3"),
)
FIRST_PHASE = 3
"""A new group picks its places, then musters."""


def battle_points(world: World) -> tuple[int, int]:
    """The fewest and the most army points of a battle."""
    most = int(world.settings["most"])
    return ceil(most * int(world.settings["least"]) / 100), most


def battles(start: int, most: int) -> tuple[int, int]:
    """How many battles are advised: 125 to 150 % of start over most, rounded down and up."""
    return floor(start * 5 / (most * 4)), ceil(start * 3 / (most * 2))
