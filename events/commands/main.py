"""The ``overseer`` command. Each subcommand's module is loaded only when it is called: checking forces needs no web."""

import gc
import importlib
from typing import ClassVar

import click

from events.private_files import keep_new_files_private


class Commands(click.Group):
    """A group whose members are named here and imported when asked for."""

    where: ClassVar[dict[str, str]] = {
        "archive": "events.commands.archive",
        "archive-in": "events.commands.archive",
        "backup": "events.commands.backup",
        "demo": "events.commands.demo",
        "doctor": "events.commands.doctor",
        "edition": "events.commands.edition",
        "maintain": "events.commands.maintain",
        "migrate": "events.commands.database",
        "pair": "events.commands.pair",
        "password-link": "events.commands.links",
        "replay": "events.commands.replay",
        "restore": "events.commands.backup",
        "roster": "events.commands.roster",
        "second-factor-off": "events.commands.second_factor",
        "serve": "events.commands.serve",
        "set-up-link": "events.commands.links",
        "simulate": "events.commands.simulate",
        "verify": "events.commands.verify",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all subcommands."""
        return sorted(self.where)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, imported now."""
        if cmd_name not in self.where:
            return None
        command = getattr(importlib.import_module(self.where[cmd_name]), cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)  # noqa: S101 - the table above is ours
        return command


@click.command(cls=Commands)
@click.version_option(package_name="overseer-desk", prog_name="overseer")
def overseer() -> None:
    """The tournament desk that a club hosts itself: forces checked, rounds paired, results kept, sheets printed."""


def main() -> None:
    """The entry point of the shell command."""
    keep_new_files_private()
    # Python 3.11 can crash while it collects garbage (gunicorn_settings.post_worker_init).
    gc.disable()
    overseer()


if __name__ == "__main__":
    main()
