"""The ``overseer`` command.

A subcommand's module is loaded only when it is called: checking forces needs no web code.
"""

import gc
import importlib
from typing import Any, ClassVar

import click

from service.private_files import keep_new_files_private


class Commands(click.Group):
    """A group whose commands are listed here and imported on use."""

    where: ClassVar[dict[str, str]] = {
        "archive": "service.commands.backup",
        "archive-in": "service.commands.backup",
        "backup": "service.commands.backup",
        "demo": "service.commands.demo",
        "doctor": "service.commands.doctor",
        "maintain": "service.commands.maintain",
        "migrate": "service.commands.database",
        "password-link": "service.commands.database",
        "replay": "service.commands.backup",
        "restore": "service.commands.backup",
        "roster": "service.commands.roster",
        "second-factor-off": "service.commands.database",
        "serve": "service.commands.serve",
        "set-up-link": "service.commands.database",
        "verify": "service.commands.verify",
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

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand. A failure that an operator can remedy ends it with one line."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if line := importlib.import_module("service.commands.failures").line_for(error):
                raise click.ClickException(line) from error
            raise


@click.command(cls=Commands)
@click.version_option(package_name="overseer-desk", prog_name="overseer")
def overseer() -> None:
    """The tournament desk that a club hosts itself: forces checked, rounds paired, results kept, sheets printed."""


def main() -> None:
    """The entry point of the shell command."""
    keep_new_files_private()
    # Python 3.11 can crash during garbage collection (gunicorn_settings.post_worker_init).
    gc.disable()
    overseer()


if __name__ == "__main__":
    main()
