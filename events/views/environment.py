"""What templates are rendered by."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from flask.templating import Environment


class Pages(Environment):
    """Flask's templates, with the globals of each in one plain dict.

    Jinja compares their names at every import of a macro, which over its own chain of dicts is a tenth of a page.
    """

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template: all that are registered by now, and ``d``."""
        return self.globals | dict(d or {})
