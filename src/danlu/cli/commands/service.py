"""`danlu up` and `danlu down`, the only commands that start or stop a server, and `danlu status`."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from danlu.cli import values
from danlu.cli.layout import ago
from danlu.cli.session import Session, is_local, pass_session
from danlu.cli.worded import WordedCommand, json_option, option
from danlu.sdk.connecting.connection import data_folder
from danlu.sdk.errors import ApiError
from danlu.wire.server import Ordering

if TYPE_CHECKING:
    from danlu.sdk.client import Client

POLICIES: tuple[str, ...] = get_args(Ordering)
CGROUPS = ("auto", "v2", "v1", "none")
LOG_LEVELS = ("debug", "info", "warning", "error")


@click.command("up", cls=WordedCommand, places=("data",))
@option("--host", metavar="ADDRESS", default="127.0.0.1")
@option("--port", metavar="PORT", type=values.PORT)
@option("--tls-cert", metavar="FILE", type=click.Path(path_type=Path))
@option("--tls-key", metavar="FILE", type=click.Path(path_type=Path))
@option("--plain-http", is_flag=True)
@option("--url", metavar="URL", words="public_url")
@option("--root-path", metavar="PATH")
@option("--trusted-proxy", "trusted_proxies", metavar="ADDRESS|NETWORK", multiple=True, words="trusted_proxy")
@option("--allowed-host", "allowed_hosts", metavar="NAME", multiple=True, words="allowed_host")
@option("--database", metavar="URL")
@option("--cluster", is_flag=True)
@option("--messages-port", metavar="PORT", type=values.number(1, 65_535))
@option("--advertise", metavar="HOST")
@option("--node-file", metavar="FILE", type=click.Path(path_type=Path))
@option("--standby", is_flag=True)
@option("--simulate", metavar="N|NxM", type=values.CLUSTER)
@option("--policy", metavar="|".join(POLICIES), type=values.Word(lambda: POLICIES))
@option("--folders", metavar="FOLDER", multiple=True, type=click.Path(path_type=Path))
@option("--keep-leftovers", is_flag=True)
@option("--cgroups", metavar="auto|v2|v1|none", type=values.Word(lambda: CGROUPS), default="auto")
@option("--log-level", metavar="LEVEL", type=values.Word(lambda: LOG_LEVELS), default="info")
@pass_session
def up(
    session: Session,
    host: str,
    port: int | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    plain_http: bool,
    url: str | None,
    root_path: str | None,
    trusted_proxies: tuple[str, ...],
    allowed_hosts: tuple[str, ...],
    database: str | None,
    cluster: bool,
    messages_port: int | None,
    advertise: str | None,
    node_file: Path | None,
    standby: bool,
    simulate: str | None,
    policy: str | None,
    folders: tuple[Path, ...],
    keep_leftovers: bool,
    cgroups: str,
    log_level: str,
) -> int:
    # Nothing becomes garbage while a server is loaded, and to look for it takes a fifth of that time.
    gc.disable()
    from danlu.launch.door.reachability import ReachOptions
    from danlu.launch.up import UpOptions, run_up

    reach = ReachOptions(
        host=host,
        tls_cert=tls_cert,
        tls_key=tls_key,
        plain_http=plain_http,
        url=url,
        root_path=root_path,
        trusted_proxies=trusted_proxies,
        allowed_hosts=allowed_hosts,
    )
    return run_up(
        UpOptions(
            data=data_folder(session.environment, session.data),
            reach=reach,
            port=port,
            simulate=simulate,
            policy=policy,
            folders=folders,
            keep_leftovers=keep_leftovers,
            cgroups=cgroups,
            language=session.language,
            log_level=log_level,
            database=database or session.environment.get("DANLU_DATABASE"),
            database_typed=database is not None,
            standby=standby,
            cluster=cluster,
            messages_port=messages_port,
            advertise=advertise,
            node_file=node_file,
        )
    )


@click.command("down", cls=WordedCommand, places=("data",))
@option("--stop-jobs", is_flag=True)
@pass_session
def down(session: Session, stop_jobs: bool) -> int:
    from danlu.launch.down import run_down

    return run_down(data_folder(session.environment, session.data), stop_jobs, session.language)


@click.command("status", cls=WordedCommand)
@json_option()
@pass_session
def status(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/status"))
        return
    version, now, server = client.service.version(), client.service.status(), client.server
    session.print("cli.status_at", version=version.version, url=server.url, way=session.way_to(server))
    if server.url.startswith("https:"):
        key = "cli.status_pinned" if server.fingerprint else "cli.status_vouched"
    else:
        key = "cli.status_local" if is_local(server.url) else "cli.status_clear"
    session.print(key, fingerprint=server.fingerprint)
    key = "launch.status_paused" if now.paused else "launch.status"
    session.print(
        "launch.status_disk_full" if now.disk_full else key,
        running=now.running,
        waiting=now.waiting,
        used=now.gpus_used,
        gpus=now.gpus,
        up=now.nodes_up,
        nodes=now.nodes,
    )
    show_servers(session, client)


def show_servers(session: Session, client: Client) -> None:
    """Who leads and who stands by, where there are several; the others are remembered with the login."""
    from danlu.cli.other_servers import keep_others

    try:
        servers = client.service.servers()
    except ApiError as refusal:
        if refusal.status != 404:
            raise
        # One of an earlier version is the only one.
        return
    for each in servers if len(servers) > 1 else ():
        session.print(f"cli.status_{each.role}", url=each.url, ago=ago(session, each.since))
    roles = [each.role for each in servers]
    if "lost" in roles and "standby" not in roles:
        session.print("cli.status_no_standby")
    keep_others(session, client.server, servers)
