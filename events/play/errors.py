"""The user's mistakes, shown as written. Anything else that is raised is ours: logged, and answered with 500."""


class Refused(Exception):
    """What was asked cannot be done; the message says why in the user's words. Nothing was changed.

    ``field`` names the form field that it concerns, where there is one; ``also`` are further fields with what is wrong
    in them.
    """

    status = 422

    def __init__(self, message: str, field: str = "", also: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.also = also


class Stale(Refused):
    """Somebody else changed the same thing since the form was opened."""

    status = 409
