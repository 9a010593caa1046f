"""The campaign of Fallout Skirmish: groups that grow, starve and trade between their games."""
