"""`danlu version`"""

from __future__ import annotations

import click

from danlu import __version__
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, json_option
from danlu.sdk.errors import ClientError


@click.command("version", cls=WordedCommand)
@json_option()
@pass_session
def version(session: Session, as_json: bool) -> None:
    if as_json:
        session.print_json(session.connect(translated=False).get_json("/version"))
        return
    click.echo(f"danlu {__version__}")
    try:
        client = session.connect(patience_s=0.0)
        server = client.service.version()
    except ClientError:
        session.print("cli.version_no_server")
    else:
        session.print("cli.version_server", version=server.version, url=client.server.url)
