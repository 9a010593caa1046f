"""Errors that users can fix; their messages are shown as written.

Any other exception is a bug: logged, answered with 500.
"""


class Refused(Exception):
    """The request cannot be carried out, and nothing was changed; the message tells the user why.

    ``field`` names the form field with the error, if any; ``also`` are further fields with their errors.
    """

    status = 422

    def __init__(self, message: str, field: str = "", also: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.also = also


class Stale(Refused):
    """The data was changed after the form was opened."""

    status = 409
