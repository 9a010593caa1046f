"""The user's mistakes, shown as written. Anything else that is raised is ours: logged, and answered with 500."""


class Refused(Exception):
    """What was asked cannot be done; the message says why in the user's words. Nothing was changed.

    ``field`` names the form field that it concerns, where there is one.
    """

    status = 422

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class Stale(Refused):
    """Somebody else changed the same thing since the form was opened."""

    status = 409
