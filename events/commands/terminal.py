"""What a terminal can show."""

import sys

import click


def say(text: str) -> None:
    """Print what the terminal can show; what it cannot is escaped, never a crash."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding))
