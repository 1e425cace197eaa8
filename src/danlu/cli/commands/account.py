"""`danlu login`, `logout`, `whoami`"""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from danlu.cli.layout import elapsed
from danlu.cli.refusals import FAILED, Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option, option
from danlu.sdk.errors import ApiError, NotDanlu, Unreachable
from danlu.sdk.profiles import DEFAULT_PROFILE, Profile, profiles_path, read_profiles, write_profiles

if TYPE_CHECKING:
    from danlu.sdk.client import Client

SHORTEST_PASSWORD = 8


@click.command("login", cls=WordedCommand)
@argument("url", required=False, metavar="[URL]")
@option("--user", metavar="NAME", words="login_user")
@option("--token-stdin", is_flag=True)
@option("--link", is_flag=True)
@pass_session
def login(session: Session, url: str | None, user: str | None, token_stdin: bool, link: bool) -> None:
    if link:
        _print_link(session)
        return
    path = profiles_path(session.environment)
    profiles = read_profiles(path)
    key = session.profile or session.environment.get("DANLU_PROFILE") or DEFAULT_PROFILE
    known = profiles.profiles.get(key)
    if url is None and known is None:
        raise Refused("cli.login_where")
    address = clean_url(url) if url is not None else known.url if known else ""
    if token_stdin:
        token = sys.stdin.readline().strip()
    else:
        token = _token_for_password(session, address, user or (known.name if known else None))
    if not token or not token.isascii() or not token.isprintable():
        raise Refused("cli.no_token")
    me = _client(session, address, token).me.get()
    write_profiles(path, profiles.with_profile(key, Profile(address, me.name, token)))
    session.print("cli.logged_in", name=me.name, url=address, profile=key)


@click.command("logout", cls=WordedCommand)
@pass_session
def logout(session: Session) -> int:
    path = profiles_path(session.environment)
    profiles = read_profiles(path)
    key = session.profile or session.environment.get("DANLU_PROFILE") or profiles.default
    if key is None or key not in profiles.profiles:
        raise Refused("cli.not_logged_in", exit_code=FAILED)
    profile = profiles.profiles[key]
    try:
        _client(session, profile.url, profile.token).me.logout()
    except (Unreachable, NotDanlu):
        session.tell("cli.token_not_revoked", url=profile.url)
    except ApiError as refusal:
        if refusal.status != 401:
            raise
    write_profiles(path, profiles.without(key))
    session.print("cli.logged_out", name=profile.name, url=profile.url)
    return 0


@click.command("whoami", cls=WordedCommand)
@json_option()
@pass_session
def whoami(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/me"))
        return
    me = client.me.get()
    server = client.server
    if server.profile is not None:
        way = session.say("cli.by_profile", profile=server.profile)
    else:
        way = session.say("cli.by_folder", folder=server.folder)
    role = session.say(f"cli.role.{me.role}")
    session.print("cli.whoami", name=me.name, role=role, url=server.url, way=way)


def clean_url(text: str) -> str:
    """`lab:8642` and `http://lab:8642/api/v1/` mean `http://lab:8642`. Raises Refused."""
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        good = False
    if not good or parts.username or not whole.isprintable() or " " in whole:
        raise Refused("cli.bad_url", url=text)
    path = parts.path.rstrip("/").removesuffix("/api/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def _print_link(session: Session) -> None:
    link = session.connect().me.link()
    click.echo(link.url)
    import time

    session.tell("cli.link_lasts", time=elapsed(time.time(), link.expires_at))


def _client(session: Session, url: str, token: str | None) -> Client:
    from danlu.sdk.client import Client

    return Client(url, token, language=session.language)


def _token_for_password(session: Session, url: str, user: str | None) -> str:
    if not session.can_ask:
        raise Refused("cli.no_terminal")
    if url.startswith("http://") and urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1"):
        session.tell("cli.in_the_clear", url=url)
    if user is None:
        mine = getpass.getuser()
        click.echo(session.say("cli.ask_name", name=mine) + " ", err=True, nl=False)
        user = sys.stdin.readline().strip() or mine
    password = getpass.getpass(session.say("cli.ask_password", name=user) + " ")
    made = _client(session, url, None).me.login(user, password)
    if made.must_change_password:
        session.tell("cli.must_change_password")
        new = _new_password(session)
        _client(session, url, made.secret).me.change_password(new, password)
    return made.secret


def _new_password(session: Session) -> str:
    while True:
        new = getpass.getpass(session.say("cli.ask_new_password", shortest=SHORTEST_PASSWORD) + " ")
        if len(new) < SHORTEST_PASSWORD:
            session.tell("cli.password_too_short", shortest=SHORTEST_PASSWORD)
        elif getpass.getpass(session.say("cli.ask_again") + " ") != new:
            session.tell("cli.passwords_differ")
        else:
            return new
