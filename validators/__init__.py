"""The games, listed by hand: one folder and one line here for each."""

from validators.battle_mode import SYSTEM as BATTLE_MODE
from validators.fallout_skirmish import SYSTEM as FALLOUT_SKIRMISH
from validators.fallout_warfare import SYSTEM as FALLOUT_WARFARE
from validators.game_system import GameSystem
from validators.new_vegas import SYSTEM as NEW_VEGAS
from validators.skill_combat import SYSTEM as SKILL_COMBAT

SYSTEMS: dict[str, GameSystem] = {
    system.id: system for system in (BATTLE_MODE, FALLOUT_WARFARE, FALLOUT_SKIRMISH, NEW_VEGAS, SKILL_COMBAT)
}

# The factions of all games: one that several games have looks the same in each.
FACTIONS = tuple(dict.fromkeys(name for system in SYSTEMS.values() for name in system.editions[0].factions))
