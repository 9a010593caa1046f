"""What a terminal can show."""

import sys

import click


def say(text: str, *, err: bool = False) -> None:
    """Print what the terminal can show, on standard error with ``err``; what it cannot is escaped, never a crash."""
    encoding = (sys.stderr if err else sys.stdout).encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)
