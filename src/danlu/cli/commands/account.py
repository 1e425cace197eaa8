"""`danlu login`, `logout`, `whoami`"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from danlu.cli.exit_codes import FAILED
from danlu.cli.layout import elapsed
from danlu.cli.notices import tell_notices
from danlu.cli.other_servers import merge_others
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, is_local, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option, option
from danlu.sdk.connecting.pinning import NoFingerprint, parse_fingerprint
from danlu.sdk.connecting.profiles import (
    DEFAULT_PROFILE,
    Profile,
    ServerPlace,
    profiles_path,
    read_profiles,
    write_profiles,
)
from danlu.sdk.errors import (
    ApiError,
    ChangedKey,
    ClientError,
    Distrusted,
    NoneReachable,
    NotDanlu,
    UnknownCertificate,
    Unreachable,
)

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.server import ServerRow

SHORTEST_PASSWORD = 8
PROBE_S = 10.0
YES = ("y", "yes", "是")


@click.command("login", cls=WordedCommand)
@argument("url", required=False, metavar="[URL]")
@option("--user", metavar="NAME", words="login_user")
@option("--fingerprint", metavar="SHA256:…")
@option("--token-stdin", is_flag=True)
@option("--link", is_flag=True)
@pass_session
def login(
    session: Session,
    url: str | None,
    user: str | None,
    fingerprint: str | None,
    token_stdin: bool,
    link: bool,
) -> None:
    if link:
        _print_link(session)
        return
    path = profiles_path(session.environment)
    profiles = read_profiles(path)
    key = session.profile or session.environment.get("DANLU_PROFILE") or DEFAULT_PROFILE
    known = profiles.profiles.get(key)
    if url is None and known is None:
        raise Refused("cli.login_where")
    address, pin = _meet(session, url, fingerprint, known)
    if token_stdin:
        token = sys.stdin.readline().strip()
    else:
        token = _token_for_password(session, address, pin, user or (known.name if known else None))
    if not token or not token.isascii() or not token.isprintable():
        raise Refused("cli.no_token")
    client = _client(session, address, token, pin)
    places = _places(known)
    # Who logs in to one of several does not forget the others, be they away.
    before = places if address in (place.url for place in places) else []
    profile = Profile(address, client.me.get().name, token, pin, tuple(before))
    rows: Sequence[ServerRow] = ()
    # One of an earlier version knows no others; those that come later are learnt of later.
    with suppress(ClientError):
        rows = client.service.servers()
    profile = replace(profile, others=merge_others(profile, rows))
    write_profiles(path, profiles.with_profile(key, profile))
    session.print("cli.logged_in", name=profile.name, url=address, profile=key)
    if profile.others:
        session.print("cli.other_servers", urls=", ".join(other.url for other in profile.others))
    tell_notices(session, client)


@click.command("logout", cls=WordedCommand)
@pass_session
def logout(session: Session) -> int:
    path = profiles_path(session.environment)
    profiles = read_profiles(path)
    key = session.profile or session.environment.get("DANLU_PROFILE") or profiles.default
    if key is None or key not in profiles.profiles:
        raise Refused("cli.not_logged_in", exit_code=FAILED)
    from danlu.sdk.client import Client

    profile = profiles.profiles[key]
    try:
        Client(profile=key, language=session.language, environment=session.environment).me.logout()
    except (Unreachable, NotDanlu, Distrusted):
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
    way = session.way_to(server)
    role = session.say(f"cli.role.{me.role}")
    session.print("cli.whoami", name=me.name, role=role, url=server.url, way=way)
    if me.runs_as is None:
        session.print("cli.runs_as_no_account")
    elif me.runs_as:
        shared = "cli.all_run_as" if me.runs_all_as_one else "cli.runs_as"
        session.print(shared, account=me.runs_as)


def _meet(
    session: Session, said: str | None, fingerprint: str | None, known: Profile | None
) -> tuple[str, str | None]:
    """The first server that is there of those said (or known), and the fingerprint of its key, if it is known
    by one. Raises Refused, ClientError."""
    places = _places(known)
    pins = {place.url: place.fingerprint for place in places}
    if said is not None:
        words = [word.strip() for word in said.split(",") if word.strip()] or [said]
        addresses = [find_scheme(word, pins) for word in words]
    else:
        addresses = [place.url for place in places]
    away: dict[str, str] = {}
    for address in addresses:
        try:
            if len(addresses) > 1 and not address.startswith("https:"):
                _check_there(address)
            return address, _agree_on_key(session, address, fingerprint, pins.get(address))
        except Unreachable as problem:
            away[address] = problem.reason
    raise NoneReachable(away) if len(away) > 1 else Unreachable(*away.popitem())


def _places(known: Profile | None) -> list[ServerPlace]:
    """All servers of a login: first the one that it was made at."""
    return [ServerPlace(known.url, known.fingerprint), *known.others] if known else []


def _check_there(url: str, pin: str | None = None) -> None:
    """Raises Unreachable, Distrusted."""
    from danlu.sdk.connecting.dialing import dial
    from danlu.sdk.connecting.transport import Broken

    try:
        dial(url, pin, PROBE_S).close()
    except Broken as broken:
        raise Unreachable(url, broken.reason) from broken


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


def find_scheme(text: str, known: Collection[str] = ()) -> str:
    """`clean_url`; where no scheme was said and the server speaks TLS, https. Raises Refused.

    One that is known by https stays so: who blocks its TLS must not get the password in the clear.
    """
    plain = clean_url(text)
    if "://" in text:
        return plain
    from danlu.sdk.connecting.dialing import speaks_tls

    encrypted = plain.replace("http://", "https://", 1)
    if encrypted in known:
        return encrypted
    return encrypted if speaks_tls(encrypted, PROBE_S) else plain


def _agree_on_key(session: Session, url: str, said: str | None, known: str | None) -> str | None:
    """The fingerprint by which the server is known from now on; None where an authority vouches for it.
    Raises Refused, ClientError."""
    if not url.startswith("https://"):
        if said is not None:
            raise Refused("cli.fingerprint_plain", url=url)
        if not is_local(url):
            session.tell("cli.in_the_clear", url=url)
        return None
    if said is not None:
        pin = _parse(said)
        _check_there(url, pin)
        return pin
    try:
        _check_there(url)
    except UnknownCertificate as unknown:
        if unknown.fingerprint == known:
            return known
        return _ask_about_key(session, url, unknown, known)
    return None


def _ask_about_key(session: Session, url: str, unknown: UnknownCertificate, known: str | None) -> str:
    shown = unknown.fingerprint
    if not session.can_ask:
        if known is not None:
            raise ChangedKey(url, shown, known) from unknown
        raise UnknownCertificate(url, shown, unknown.reason) from unknown
    if known is not None:
        session.tell("cli.key_was", url=url, pinned=known)
    question = session.say("cli.accept_key", url=url, reason=unknown.reason, fingerprint=shown)
    click.echo(question + " ", err=True, nl=False)
    # Not lower-cased as other answers are: it may be a fingerprint.
    answer = sys.stdin.readline().strip()
    if answer.lower() in YES or _is_same(answer, shown):
        return shown
    raise Refused("cli.not_accepted", exit_code=FAILED)


def _is_same(text: str, fingerprint: str) -> bool:
    try:
        return parse_fingerprint(text) == fingerprint
    except NoFingerprint:
        return False


def _parse(text: str) -> str:
    try:
        return parse_fingerprint(text)
    except NoFingerprint as fault:
        raise Refused("cli.bad_fingerprint", text=text) from fault


def _print_link(session: Session) -> None:
    link = session.connect().me.link()
    click.echo(link.url)
    import time

    session.tell("cli.link_lasts", time=elapsed(time.time(), link.expires_at))


def _client(session: Session, url: str, token: str | None, pin: str | None) -> Client:
    from danlu.sdk.client import Client

    return Client(url, token, fingerprint=pin, language=session.language)


def _token_for_password(session: Session, url: str, pin: str | None, user: str | None) -> str:
    if not session.can_ask:
        raise Refused("cli.no_terminal")
    if user is None:
        from danlu.launch.starter import starter_name

        mine = starter_name()
        click.echo(session.say("cli.ask_name", name=mine) + " ", err=True, nl=False)
        user = sys.stdin.readline().strip() or mine
    password = getpass.getpass(session.say("cli.ask_password", name=user) + " ")
    made = _client(session, url, None, pin).me.login(user, password)
    if made.must_change_password:
        session.tell("cli.must_change_password")
        new = _new_password(session)
        _client(session, url, made.secret, pin).me.change_password(new, password)
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
