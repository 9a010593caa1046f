"""What may stand in the variable parts of an address."""

from werkzeug.routing import BaseConverter, IntegerConverter, ValidationError

from validators import SYSTEMS


class ShortNumber(IntegerConverter):
    """A number in an address that both databases can look for; a longer one is no page's."""

    regex = "[0-9]{1,10}"


class GameInAddress(BaseConverter):
    """A game's id in an address, where its words are joined by hyphens."""

    regex = "[a-z_-]{1,40}"

    def to_python(self, value: str) -> str:
        """The id of a known game. Raises ValidationError for any other."""
        game = value.replace("-", "_")
        if game not in SYSTEMS:
            raise ValidationError
        return game

    def to_url(self, value: str) -> str:
        """The id as an address spells it."""
        return value.replace("_", "-")
