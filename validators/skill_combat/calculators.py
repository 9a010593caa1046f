"""The calculators of skill combat, in the order in which a bout needs them."""

from validators.skill_combat.burst_calculator import BURST
from validators.skill_combat.shot_calculator import SHOT
from validators.skill_combat.turn_calculators import HIDE, TURN

CALCULATORS = (SHOT, BURST, TURN, HIDE)
