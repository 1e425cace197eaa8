"""Which Unix account a user's jobs run as: never a guess, never root."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from danlu.control.identity.accounts import AccountBook, find_account, own_account
from danlu.core.errors import Invalid
from danlu.core.user import Role, User

ORDINARY = next(entry for entry in pwd.getpwall() if entry.pw_uid != 0)
OWN = pwd.getpwuid(os.geteuid())
ROOT = AccountBook("ann", runs_as_root=True)
NOT_ROOT = AccountBook("ann", runs_as_root=False)


def a_user(name: str, unix_account: str | None = None) -> User:
    return User(name, Role.MEMBER, 0.0, unix_account=unix_account)


def test_the_jobs_of_whoever_started_danlu_run_as_the_server_itself() -> None:
    for server in (ROOT, NOT_ROOT):
        for mapped in (None, ORDINARY.pw_name):
            own = server.account_for(a_user("ann", mapped))
            assert (own.uid, own.is_servers_own) == (os.geteuid(), True)


def test_anybody_else_runs_as_the_account_mapped_to_them() -> None:
    account = ROOT.account_for(a_user("bo", ORDINARY.pw_name))
    assert not account.is_servers_own
    assert (account.name, account.uid, account.gid) == (ORDINARY.pw_name, ORDINARY.pw_uid, ORDINARY.pw_gid)
    assert account.home == ORDINARY.pw_dir
    assert account.gid in account.groups


def test_without_a_mapped_account_there_is_nobody_to_run_as() -> None:
    with pytest.raises(Invalid) as refusal:
        ROOT.account_for(a_user("bo"))
    assert (refusal.value.code, refusal.value.facts) == ("no_account", {"name": "bo"})


def test_root_is_refused_whatever_it_is_called() -> None:
    for entry in pwd.getpwall():
        if entry.pw_uid == 0:
            with pytest.raises(Invalid, match="root_account"):
                ROOT.account_for(a_user("bo", entry.pw_name))


@pytest.mark.parametrize("name", ["no-such-account-here", "", "a\0b"])
def test_an_account_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="no_such_account"):
        find_account(name)


def test_a_server_that_is_not_root_runs_everything_as_itself() -> None:
    """It says so in every order: an agent that is root must not take it for root's."""
    for mapped in (None, OWN.pw_name):
        account = NOT_ROOT.account_for(a_user("bo", mapped))
        assert (account.name, account.uid, account.is_servers_own) == (OWN.pw_name, OWN.pw_uid, True)
        assert account.gid in account.groups


def test_a_server_that_is_not_root_refuses_whom_it_cannot_become() -> None:
    with pytest.raises(Invalid) as refusal:
        NOT_ROOT.account_for(a_user("bo", ORDINARY.pw_name))
    facts = {"account": ORDINARY.pw_name, "own": OWN.pw_name, "name": "bo"}
    assert (refusal.value.code, refusal.value.facts) == ("account_unusable", facts)


def test_nobody_is_mapped_to_an_account_that_the_server_cannot_use() -> None:
    ROOT.check_mapping(ORDINARY.pw_name)
    NOT_ROOT.check_mapping(OWN.pw_name)
    with pytest.raises(Invalid, match="no_such_account"):
        ROOT.check_mapping("no-such-account-here")
    with pytest.raises(Invalid) as refusal:
        NOT_ROOT.check_mapping(ORDINARY.pw_name)
    assert (refusal.value.code, refusal.value.field) == ("account_unmappable", "unix_account")


def test_files_belong_to_whom_the_jobs_run_as() -> None:
    assert ROOT.owner_of_files(a_user("bo", ORDINARY.pw_name)) == find_account(ORDINARY.pw_name)
    assert ROOT.owner_of_files(a_user("ann")) == own_account()
    assert NOT_ROOT.owner_of_files(a_user("bo")) == own_account()


def test_when_nobody_can_tell_any_more_files_belong_to_nobody() -> None:
    assert ROOT.owner_of_files(None) is None
    assert ROOT.owner_of_files(a_user("bo")) is None
    assert ROOT.owner_of_files(a_user("bo", "no-such-account-here")) is None


def test_home_is_the_accounts_home() -> None:
    assert ROOT.home_for(a_user("bo", ORDINARY.pw_name)) == ORDINARY.pw_dir
    assert NOT_ROOT.home_for(a_user("bo")) == str(Path.home())
