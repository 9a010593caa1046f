"""Numbers as messages tell them."""


def told(value: int) -> str:
    """A number for a message; one of thousands of digits is not written out."""
    return str(value) if abs(value) < 10**9 else "a number far too large"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: "1 heavy weapon", "2 heavy weapons", and with ``nouns`` "2 heroes"."""
    return f"{number} {noun}" if number == 1 else f"{number} {nouns or noun + 's'}"
