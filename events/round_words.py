"""What the round pack says in plain words: how the event goes on on paper, and is typed in later."""

from models.event import Event

README = """{event}, round {number}
{line}
As of {made}.

What is here
  {paper}
      Everything for the tables: pairings by name and by table, the plan of the
      day, the scenarios, how each table is set up, a scoresheet for each table,
      and the standings so far. Print it now, while there is a printer.
  pages/index.html
      The event's public pages as they were. Open them in any browser, without
      network. They do not change any more.
  csv/
      Players, pairings, results and standings for a spreadsheet (UTF-8).
{archive}
If the server stops, play on
  1. Hand out the scoresheets. Both players fill in and sign; one sheet a game.
  2. Keep every sheet. The results on paper are what counts.
  3. Who wants to pair the next round by hand: sort by tournament points in
     csv/standings, add this round, pair from the top those who have not met.
     Better: bring the event back first, and let it draw.

When there is a machine again
{back}
"""
WITH_ARCHIVE = """  {archive}
      The whole event, secret lists included. Keep it like the key of the hall
      and give it to nobody: with it another machine goes on.
"""
BACK = """  1. Start Overseer with an empty database, on any machine, and sign in.
  2. Your events, "Take one in", and choose {archive}.
     (In a shell: overseer archive-in {archive})
  3. Desk, Results, "Type in sheets": type the table or the code of each sheet,
     then its figures. The codes on the paper still hold.
  4. When all are in, the round is complete: draw the next one. It comes out as
     it would have come out on the old machine.
  5. Players get new private links: print the badges again, or go on on paper.
"""
WITHOUT = """  The event's archive is not in this pack, for it was made by somebody who is
  not the event's owner. Ask the owner for a pack of their own, or for the
  archive: print room, "Without this server".
"""


def readme(event: Event, number: int, made: str, paper: str, archive: str) -> str:
    """The pack's README.txt; ``archive`` is the archive's name, "" where it is not in the pack."""
    title = f"{event.name}, round {number}"
    told = README.format(
        event=event.name,
        number=number,
        line="=" * len(title),
        made=made,
        paper=paper,
        archive=WITH_ARCHIVE.format(archive=archive) if archive else "",
        back=(BACK.format(archive=archive) if archive else WITHOUT).rstrip("\n"),
    )
    return told.replace("\n", "\r\n")
