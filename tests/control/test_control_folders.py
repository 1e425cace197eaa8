"""Looking around in folders: with the account's own rights, inside the roots, never waiting for a disk."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import pwd
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.files.folder_probe import MOST_ENTRIES, FolderRefused, list_folder, list_roots
from danlu.control.identity import accounts as account_book
from danlu.control.identity.accounts import AccountBook, own_account
from danlu.control.nodes import folders as folders_module
from danlu.control.nodes.folders import MOST_PER_USER, Folders
from danlu.core.errors import Forbidden, Invalid
from danlu.core.task import UnixAccount
from danlu.core.user import Role, User
from danlu.settings import Settings
from danlu.wire.forms import FolderPage
from tests.agent.hung_disk import hung_disk
from tests.support.people import UNIX_ACCOUNT

NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can look around as another account")


def a_user(name: str, role: Role = Role.MEMBER, account: str | None = None) -> User:
    return User(name, role, 0.0, unix_account=account)


ANN = a_user("ann", Role.ADMIN)
BO = a_user("bo", account=UNIX_ACCOUNT)


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that every account can reach."""
    with tempfile.TemporaryDirectory(prefix="danlu-shelf-") as name:
        shelf = Path(name).resolve()
        shelf.chmod(0o755)
        yield shelf


def names(page: dict) -> tuple[list[str], list[str]]:
    return [each["name"] for each in page["folders"]], [each["name"] for each in page.get("files", ())]


def shown(page: FolderPage) -> list[str]:
    return [each.name for each in (*page.folders, *page.files)]


class TestListing:
    def test_folders_first_and_hidden_ones_last(self, shelf: Path) -> None:
        for name in ("beta", ".cache", "Alpha"):
            (shelf / name).mkdir()
        for name in ("b.py", ".bashrc", "A.txt"):
            (shelf / name).touch()
        os.mkfifo(shelf / "pipe")
        page = list_folder(str(shelf), [str(shelf)])
        assert names(page) == (["Alpha", "beta", ".cache"], ["A.txt", "b.py", ".bashrc"])
        assert page["folders"][0]["path"] == f"{shelf}/Alpha"
        assert (page["path"], page["parent"], page["truncated"]) == (str(shelf), None, False)

    def test_there_is_a_way_up_to_the_root_and_no_further(self, shelf: Path) -> None:
        (shelf / "a" / "b").mkdir(parents=True)
        assert list_folder(f"{shelf}/a/b/", [str(shelf)])["parent"] == f"{shelf}/a"
        assert list_folder(f"{shelf}/a", [f"{shelf}/a"])["parent"] is None
        assert list_folder(f"{shelf}/a", [f"{shelf}/a", str(shelf)])["parent"] == str(shelf)

    def test_a_large_folder_is_cut_short_and_says_so(self, shelf: Path) -> None:
        for number in range(MOST_ENTRIES + 5):
            (shelf / f"{number:05}").touch()
        (shelf / "folder").mkdir()
        page = list_folder(str(shelf), [str(shelf)])
        folders, files = names(page)
        assert folders == ["folder"]
        assert files == [f"{number:05}" for number in range(MOST_ENTRIES - 1)]
        assert page["truncated"]

    def test_names_that_no_field_takes_are_left_out(self, shelf: Path) -> None:
        (shelf / "new\nline").mkdir()
        with contextlib.suppress(OSError):
            Path(os.fsdecode(os.fsencode(shelf) + b"/\xff")).mkdir()
        (shelf / "数据").mkdir()
        assert names(list_folder(str(shelf), [str(shelf)]))[0] == ["数据"]

    @pytest.mark.parametrize(
        "path", ["relative", "/etc", "/", "{}/../..", "{}/a/../../x", "{}x", "/nowhere", ""]
    )
    def test_what_is_outside_is_not_even_said_to_be_missing(self, shelf: Path, path: str) -> None:
        (shelf / "a").mkdir()
        with pytest.raises(FolderRefused, match="outside"):
            list_folder(path.format(shelf), [str(shelf)])

    def test_what_is_wrong_inside_is_said(self, shelf: Path) -> None:
        (shelf / "file").touch()
        for path, why in (("gone", "missing"), ("file", "no_folder")):
            with pytest.raises(FolderRefused, match=why):
                list_folder(f"{shelf}/{path}", [str(shelf)])

    def test_roots_are_those_that_are_there(self, shelf: Path) -> None:
        (shelf / "file").touch()
        roots = [str(shelf), f"{shelf}/gone", f"{shelf}/file", str(shelf)]
        assert names(list_roots(roots))[0] == [str(shelf)]


class TestLinks:
    @pytest.fixture
    def linked(self, shelf: Path) -> Path:
        (shelf / "root" / "real").mkdir(parents=True)
        (shelf / "secret").mkdir()
        (shelf / "secret" / "plans").touch()
        (shelf / "root" / "out").symlink_to(shelf / "secret")
        (shelf / "root" / "up").symlink_to("..")
        (shelf / "root" / "plans").symlink_to(shelf / "secret" / "plans")
        (shelf / "root" / "in").symlink_to("real")
        (shelf / "root" / "loop").symlink_to("loop")
        return shelf / "root"

    def test_a_link_inside_is_a_folder_and_one_to_the_outside_is_nothing(self, linked: Path) -> None:
        assert names(list_folder(str(linked), [str(linked)])) == (["in", "real"], [])
        assert list_folder(f"{linked}/in", [str(linked)])["path"] == f"{linked}/in"

    @pytest.mark.parametrize("way", ["out", "up", "in/../out", "up/secret", "loop"])
    def test_no_link_leads_out(self, linked: Path, way: str) -> None:
        with pytest.raises(FolderRefused):
            list_folder(f"{linked}/{way}", [str(linked)])

    def test_a_root_may_itself_be_a_link(self, linked: Path) -> None:
        alias = linked.parent / "alias"
        alias.symlink_to(linked)
        assert names(list_folder(f"{alias}/real", [str(alias)])) == ([], [])
        assert list_folder(str(alias), [str(alias)])["parent"] is None

    @pytest.mark.parametrize("moment", range(12))
    @pytest.mark.parametrize("first", ["folder", "link"])
    def test_whoever_swaps_a_folder_for_a_link_gains_nothing(
        self, linked: Path, monkeypatch: pytest.MonkeyPatch, moment: int, first: str
    ) -> None:
        """The door is a folder or a link to the secret; just before one of our calls it becomes the other."""
        door, other = linked / "door", linked / "other"
        (door if first == "folder" else other).mkdir()
        (other if first == "folder" else door).symlink_to(linked.parent / "secret")
        calls = itertools.count()

        def swap() -> None:
            door.rename(linked / "aside")
            other.rename(door)
            (linked / "aside").rename(other)

        def swapping(call: Callable[..., Any]) -> Callable[..., Any]:
            def swap_then_call(*args: Any, **kwargs: Any) -> Any:
                if next(calls) == moment:
                    swap()
                return call(*args, **kwargs)

            return swap_then_call

        with monkeypatch.context() as patch, contextlib.suppress(FolderRefused):
            for name in ("open", "readlink", "scandir", "stat", "lstat"):
                patch.setattr(os, name, swapping(getattr(os, name)))
            assert names(list_folder(str(door), [str(linked)])) == ([], [])
        assert next(calls) > 3


def make_folders(shelf: Path, *roots: Path, root: bool = True) -> Folders:
    settings = Settings(data=shelf / "data", starter="ann", folders=roots)
    return Folders(AccountBook("ann", root), settings)


class TestWhoSeesWhat:
    async def test_the_starter_begins_at_home(self, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (shelf / "home" / "code").mkdir(parents=True)
        (shelf / "data").mkdir()
        monkeypatch.setenv("HOME", f"{shelf}/home")
        folders = make_folders(shelf, shelf / "data", shelf / "gone")
        assert shown(await folders.look(ANN, None)) == [f"{shelf}/home", f"{shelf}/data"]
        assert shown(await folders.look(ANN, "~")) == ["code"]
        assert (await folders.look(ANN, "~/code")).path == f"{shelf}/home/code"

    async def test_others_on_a_server_that_is_not_root_have_no_home_there(self, shelf: Path) -> None:
        (shelf / "data").mkdir()
        folders = make_folders(shelf, shelf / "data", root=False)
        cy = a_user("cy")
        assert shown(await folders.look(cy, None)) == [f"{shelf}/data"]
        assert (await folders.look(cy, str(Path.home()))).problem == "outside"
        assert (await folders.look(cy, "~")).problem == "outside"
        # Whom it cannot become, it shows nothing.
        assert (await folders.look(BO, None)).problem == "account_unusable"

    async def test_without_an_account_nothing_is_shown(self, shelf: Path) -> None:
        folders = make_folders(shelf, shelf)
        unmapped = a_user("cy")
        assert (await folders.look(unmapped, None)).problem == "no_account"
        assert (await folders.look(unmapped, str(shelf))).folders == []
        assert await folders.environments(unmapped) == []
        gone = a_user("di", account="no-such-account")
        assert (await folders.look(gone, None)).problem == "no_such_account"

    async def test_who_may_only_look_at_the_queue_looks_at_no_folders(self, shelf: Path) -> None:
        folders = make_folders(shelf, shelf)
        with pytest.raises(Forbidden):
            await folders.look(a_user("vi", Role.VIEWER), None)
        with pytest.raises(Forbidden):
            await folders.environments(a_user("vi", Role.VIEWER))


@NEEDS_ROOT
class TestAnotherAccount:
    @pytest.fixture
    def home(self, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The account that every Linux has, with a home of its own for once."""
        entry = pwd.getpwnam(UNIX_ACCOUNT)
        home = shelf / "home"
        home.mkdir(mode=0o700)
        os.chown(home, entry.pw_uid, entry.pw_gid)

        def find(name: str) -> UnixAccount:
            if name != UNIX_ACCOUNT:
                raise Invalid("no_such_account", field="unix_account", account=name)
            return UnixAccount(name, entry.pw_uid, entry.pw_gid, (entry.pw_gid,), str(home))

        monkeypatch.setattr(account_book, "find_account", find)
        return home

    async def test_it_sees_its_own_home_however_private(self, shelf: Path, home: Path) -> None:
        (home / "project").mkdir()
        folders = make_folders(shelf)
        assert shown(await folders.look(BO, None)) == [str(home)]
        assert shown(await folders.look(BO, "~")) == ["project"]

    async def test_roots_private_folder_is_roots(self, shelf: Path, home: Path) -> None:
        (shelf / "public" / "private" / "diary").mkdir(parents=True)
        (shelf / "public" / "private").chmod(0o700)
        (shelf / "closed").mkdir(mode=0o700)
        folders = make_folders(shelf, shelf / "public", shelf / "closed")
        assert shown(await folders.look(BO, None)) == [str(home), f"{shelf}/public"]
        refused = await folders.look(BO, f"{shelf}/public/private")
        assert (refused.problem, refused.folders) == ("unreadable", [])
        assert (await folders.look(BO, f"{shelf}/closed")).problem == "unreadable"
        # The same question of the starter, who is root here, is answered.
        assert shown(await folders.look(ANN, f"{shelf}/public/private")) == ["diary"]

    async def test_groups_of_the_server_open_no_door(self, shelf: Path, home: Path) -> None:
        group = shelf / "group"
        group.mkdir()
        os.chown(group, 0, 0)
        group.chmod(0o750)
        assert (await make_folders(shelf, group).look(BO, str(group))).problem == "unreadable"

    async def test_a_link_into_somebodys_home_shows_nothing(self, shelf: Path, home: Path) -> None:
        (shelf / "other" / "thesis").mkdir(parents=True)
        (home / "peek").symlink_to(shelf / "other")
        folders = make_folders(shelf)
        assert shown(await folders.look(BO, "~")) == []
        assert (await folders.look(BO, "~/peek")).problem == "outside"

    async def test_environments_are_found_with_the_same_rights(self, shelf: Path, home: Path) -> None:
        for parent in (home / "envs", shelf / "data" / "envs"):
            (parent / "torch").mkdir(parents=True)
            (parent / "torch" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
        hidden = shelf / "data" / "envs" / "hidden"
        hidden.mkdir()
        (hidden / "pyvenv.cfg").write_text("version = 3.9.1\n")
        hidden.chmod(0o700)
        found = await make_folders(shelf).environments(BO)
        assert [(each.name, each.place) for each in found] == [
            ("torch", f"{shelf}/data/envs"),
            (f"{home}/envs/torch", f"{home}/envs"),
        ]


@NEEDS_ROOT
class TestAHungDisk:
    async def test_it_holds_up_nobody(self, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(folders_module, "PATIENCE_S", 1.0)
        (shelf / "well").mkdir()
        (shelf / "stale").mkdir()
        folders = make_folders(shelf, shelf)
        cy = a_user("cy", Role.ADMIN)
        monkeypatch.setattr(AccountBook, "account_for", lambda *_: own_account())
        with hung_disk(shelf / "stale"):
            asked = [folders.look(ANN, f"{shelf}/stale") for _ in range(MOST_PER_USER)]
            hanging = asyncio.gather(*asked)
            await asyncio.sleep(0)
            assert (await folders.look(cy, f"{shelf}/well")).problem is None
            assert {page.problem for page in await hanging} == {"hangs"}
        # With the disk the processes that hung are gone, and there is room again.
        async with asyncio.timeout(10):
            while (await folders.look(ANN, f"{shelf}/well")).problem is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def test_one_person_cannot_take_all_the_room(self, shelf: Path) -> None:
        folders = make_folders(shelf, shelf)
        pages = await asyncio.gather(*(folders.look(ANN, str(shelf)) for _ in range(MOST_PER_USER + 1)))
        assert sorted(page.problem or "" for page in pages) == [*[""] * MOST_PER_USER, "busy"]
