"""`danlu doctor`"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from danlu.cli.layout import clean, paint, wrap
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option, option
from danlu.codec import encode

if TYPE_CHECKING:
    from danlu.wire.nodes.doctor import Examination, FindingRow

TEXT_COLUMNS = 92
SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


@click.command("doctor", cls=WordedCommand)
@argument("node", required=False, metavar="[NODE]")
@option("--all", "everything", is_flag=True, words="doctor_all")
@json_option()
@pass_session
def doctor(session: Session, node: str | None, everything: bool, as_json: bool) -> int:
    client = session.connect(translated=not as_json)
    names = [node] if node else [row.name for row in client.nodes.list()]
    examined = [client.nodes.examine(name) for name in names]
    if as_json:
        session.print_json([encode(each) for each in examined])
    for each in () if as_json else examined:
        _show(session, each, everything=everything)
    ill = any(finding.level == "problem" for each in examined for finding in each.findings)
    return 1 if ill else 0


def _show(session: Session, examined: Examination, *, everything: bool) -> None:
    """What is wrong, or with `everything` all that was looked at."""
    told = [each for each in examined.findings if everything or each.level != "ok"]
    if not told:
        session.print("cli.doctor_well", node=clean(examined.node), checks=len(examined.findings))
        return
    click.echo(clean(examined.node))
    list_findings(session, told)


def list_findings(session: Session, findings: Iterable[FindingRow]) -> None:
    for finding in findings:
        sign, colour = SIGNS[finding.level]
        for number, line in enumerate(wrap(clean(finding.message), TEXT_COLUMNS)):
            start = paint(session, sign, colour) if number == 0 else " "
            click.echo(f"  {start} {line}")
