"""Writes what the code knows better than any author: the reference pages, and parts of the architecture page.

python docs/generate.py            writes them
python docs/generate.py --check    writes nothing; exit code 1 when one of them is stale
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from web_sources import job_fields, openapi_document, vocabulary

from danlu.api.app import make_app
from danlu.cli.exit_codes import ALL as EXIT_CODES
from danlu.cli.program import SECTIONS, make_program
from danlu.cli.session import Session
from danlu.cli.worded import WordedArgument, key_of
from danlu.core import blockers, errors
from danlu.core.states import (
    ARRAY_TRANSITIONS,
    DEFAULT_RETRY_ON,
    RETRYABLE,
    STATE_AFTER,
    TRANSITIONS,
    EndReason,
    JobState,
)
from danlu.wire.job_fields import OPTIONS as JOB_OPTIONS
from danlu.wording.catalogue import knows, messages, say

DOCS = Path(__file__).parent
ROOT = DOCS.parent
NOTICE = "<!-- Written by docs/generate.py (`make docs`). Do not edit by hand. -->\n"
METHODS = ("get", "post", "patch", "put", "delete")


def main(arguments: list[str]) -> int:
    check = arguments == ["--check"]
    if arguments and not check:
        sys.stderr.write(__doc__ or "")
        return 2
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        name = path.relative_to(ROOT)
        if check:
            sys.stderr.write(f"{name} is stale: run `make docs`.\n")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(pages()[path], "utf-8")
            sys.stdout.write(f"wrote {name}\n")
    return 1 if check and stale else 0


def pages() -> dict[Path, str]:
    """Every page that is written here, whole or in part, as it should be."""
    architecture = DOCS / "architecture.md"
    return {
        DOCS / "reference" / "cli.md": cli_page(),
        DOCS / "reference" / "api.md": api_page(),
        architecture: fill_in(architecture.read_text("utf-8"), PARTS),
        ROOT / "web" / "openapi.json": openapi_document(),
        ROOT / "web" / "src" / "lib" / "vocabulary.ts": vocabulary(),
        ROOT / "web" / "src" / "lib" / "jobFields.ts": job_fields(),
    }


def fill_in(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """The text with each part between its two markers replaced."""
    for name, write in parts.items():
        start, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        before, found, rest = text.partition(start)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"the architecture page has no place for {name!r} ({start} … {end})")
        text = f"{before}{start}\n{write()}\n{end}{after}"
    return text


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(headings), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


# The architecture page ----------------------------------------------------------------------------------


def state_diagram() -> str:
    """Every edge of the table, in the table's order."""
    edges = [f"    {before.value} --> {after.value}" for before, after in TRANSITIONS]
    return "\n".join(
        [
            "```mermaid",
            "stateDiagram-v2",
            f"    [*] --> {JobState.WAITING.value}",
            f"    [*] --> {JobState.HELD.value}",
            *edges,
            f"    {JobState.DELETED.value} --> [*]",
            "```",
        ]
    )


def transition_table() -> str:
    rows = (
        (f"`{before.value}`", f"`{after.value}`", story)
        for (before, after), story in [
            *TRANSITIONS.items(),
            *((edge, f"an array: {story}") for edge, story in ARRAY_TRANSITIONS.items()),
        ]
    )
    return table(("from", "to", "when"), rows)


def reason_table() -> str:
    def row(reason: EndReason) -> tuple[str, str, str, str]:
        retried = (
            "by default" if reason in DEFAULT_RETRY_ON else "if asked" if reason in RETRYABLE else "never"
        )
        return f"`{reason.value}`", f"`{STATE_AFTER[reason].value}`", retried, _sentence(reason)

    headings = ("reason", "state after it", "counts for `--retries`", "what people read")
    return table(headings, (row(reason) for reason in EndReason))


def _sentence(reason: EndReason) -> str:
    key = "node_lost_end" if reason is EndReason.NODE_LOST else reason.value
    return _name_options(messages("reasons")[f"reasons.{key}"][0])


def blocker_table() -> str:
    def row(kind: type[blockers.Blocker]) -> tuple[str, str]:
        key = f"reasons.{kind.code}"
        if knows(key):
            return f"`{kind.code}`", _name_options(messages("reasons")[key][0])
        first = (kind.__doc__ or "").partition("\n\n")[0]
        return f"`{kind.code}`", " ".join(first.split())

    # Not by __subclasses__: a dataclass with slots is made twice, and the first one lingers.
    kinds = [kind for kind in vars(blockers).values() if isinstance(kind, type) and getattr(kind, "code", "")]
    return table(("blocker", "what people read"), (row(kind) for kind in kinds))


def import_rules() -> str:
    """The contracts of import-linter, in their own words."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    return table(("rule", "may not import"), ((each["name"], _forbidden(each)) for each in contracts))


def _forbidden(contract: dict[str, Any]) -> str:
    if contract["type"] == "independence":
        return "each other"
    if contract["type"] == "layers":
        return "what stands further left: " + ", ".join(_layer(names) for names in contract["layers"])
    return ", ".join(f"`{name.removeprefix('danlu.')}`" for name in contract["forbidden_modules"])


def _layer(names: str) -> str:
    """Rooms of one layer do not know each other either."""
    return " and ".join(f"`{name.strip().removeprefix('danlu.')}`" for name in names.split("|"))


PARTS: dict[str, Callable[[], str]] = {
    "import rules": import_rules,
    "state diagram": state_diagram,
    "transitions": transition_table,
    "reasons": reason_table,
    "blockers": blocker_table,
}


# The command line ---------------------------------------------------------------------------------------


def cli_page() -> str:
    session = Session({"LC_ALL": "C"})
    program = make_program()
    root = program.make_context("danlu", [], obj=session, resilient_parsing=True)
    parts = [NOTICE, "# Command line reference\n", say("en", "cli.about.danlu") + "\n"]
    parts.append("Every command takes `--help`, which says the same in English or Chinese.\n")
    for section, names in SECTIONS.items():
        parts.append(f"## {say('en', f'cli.heading.{section}')}\n")
        for name in names:
            command = program.get_command(root, name)
            if command is None:
                raise SystemExit(f"there is no command {name}")
            parts += _command(command, name, root)
    parts += [f"## {say('en', 'cli.exit.heading')}\n", _exit_codes()]
    return "\n".join(parts)


def _exit_codes() -> str:
    rows = [(str(code), say("en", f"cli.exit.{code}")) for code in EXIT_CODES]
    rows.append(("`danlu run`", say("en", "cli.exit.job")))
    return table(("exit code", "meaning"), rows) + "\n"


def _command(command: click.Command, name: str, parent: click.Context) -> list[str]:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    key = key_of(context)
    parts = [f"### `{context.command_path}`\n", say("en", f"cli.help.{key}") + "\n"]
    if knows(f"cli.about.{key}"):
        parts.append(say("en", f"cli.about.{key}") + "\n")
    pieces = " ".join(command.collect_usage_pieces(context))
    parts.append(f"```text\n{context.command_path} {pieces}\n```\n")
    params = command.get_params(context)
    arguments = [each.get_help_record(context) for each in params if isinstance(each, WordedArgument)]
    repeated = _repeats_submit(command)
    if repeated:
        parts.append("The options that describe a job are those of [`danlu submit`](#danlu-submit).\n")
    options = [
        record
        for each in params
        if isinstance(each, click.Option)
        and not (repeated and each.name in JOB_OPTIONS)
        and (record := each.get_help_record(context))
    ]
    for title, records in (("argument", arguments), ("option", options)):
        if records:
            parts.append(table((title, ""), ((f"`{spelling}`", text) for spelling, text in records)) + "\n")
    parts.append(f"```text\n{say('en', f'cli.examples.{key}')}\n```\n")
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            if found is not None:
                parts += _command(found, sub, context)
    return parts


def _repeats_submit(command: click.Command) -> bool:
    names = {each.name for each in command.params}
    return command.name != "submit" and names.issuperset(JOB_OPTIONS)


# The API ------------------------------------------------------------------------------------------------


def api_page() -> str:
    document = make_app(None, None, lambda _: None).openapi()  # type: ignore[arg-type]
    return "\n".join(
        [
            NOTICE,
            "# HTTP API reference\n",
            "All calls are below `/api/v1`. The exact shapes of requests and answers are in the OpenAPI "
            "document, which a running server gives at `/api/v1/openapi.json`; the "
            "[user guide](../user-guide.md#the-http-api-with-curl) shows how to call it.\n",
            "## Calls\n",
            table(("call", "parameters", "body", "answer", "what it does"), _calls(document)) + "\n",
            "## Fields of a job\n",
            "The body of `POST /jobs`, and `set` in `PATCH /jobs/{job_id}` and `PATCH /me/defaults`. "
            "Everything but `command` may be left out.\n",
            table(("field", "type"), _fields(document, "JobFields")) + "\n",
            "## Errors\n",
            "Every refusal is one JSON object: `code`, `message`, and where they help `field` and `hint`. "
            "Programs look at `code`; `message` and `hint` are in the language of `Accept-Language` "
            "(`en` or `zh`). A refused request has changed nothing.\n",
            "Sentences name the fields of a job as a program does (`gpus`). The command line asks for "
            "`en-x-cli` and reads its options (`--gpus`), the page for `en-x-page` and reads its labels.\n",
            table(("code", "HTTP", "message", "hint"), _errors()) + "\n",
        ]
    )


def _calls(document: dict[str, Any]) -> Iterable[tuple[str, ...]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if call := item.get(method):
                yield (
                    f"`{method.upper()} {path.removeprefix('/api/v1')}`",
                    _parameters(call),
                    _schema_name(call.get("requestBody", {}).get("content", {})),
                    _answer(call),
                    _what(call),
                )


def _what(call: dict[str, Any]) -> str:
    """Its description; a call that needs none has a name that says it."""
    text = " ".join(call.get("description", "").split())
    words = {"Gpu": "GPU", "I": "I"}
    first, *others = call["summary"].split()
    return text or " ".join([first, *(words.get(word, word.lower()) for word in others)]) + "."


def _parameters(call: dict[str, Any]) -> str:
    found = [each for each in call.get("parameters", []) if each["in"] in ("query", "header")]
    return ", ".join(f"`{each['name']}`" for each in found)


def _answer(call: dict[str, Any]) -> str:
    status = next(code for code in call["responses"] if code.startswith("2"))
    content = call["responses"][status].get("content", {})
    return f"{status} {_schema_name(content)}".strip()


def _schema_name(content: dict[str, Any]) -> str:
    for kind, media in content.items():
        return _type_name(media.get("schema", {})) if kind == "application/json" else f"`{kind}`"
    return ""


def _type_name(schema: dict[str, Any]) -> str:
    if reference := schema.get("$ref"):
        return f"`{reference.rpartition('/')[2]}`"
    if schema.get("type") == "array":
        return f"list of {_type_name(schema['items'])}"
    return ""


def _fields(document: dict[str, Any], name: str) -> Iterable[tuple[str, str]]:
    for field, schema in document["components"]["schemas"][name]["properties"].items():
        kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
        yield f"`{field}`", " or ".join(_describe(each) for each in kinds)


def _describe(schema: dict[str, Any]) -> str:
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"{name} (see the [reasons](../architecture.md#why-an-attempt-ended))"
    if schema.get("type") == "array":
        return f"list of {_describe(schema['items'])}"
    limits = {
        "maxLength": "at most {} characters",
        "exclusiveMinimum": "> {}",
        "minimum": "≥ {}",
        "maximum": "≤ {}",
    }
    said = [text.format(f"{int(schema[key]):,}") for key, text in limits.items() if key in schema]
    kind = {"object": "object of text"}.get(schema.get("type", ""), schema.get("type", ""))
    return f"{kind} ({', '.join(said)})" if said else kind


def _errors() -> Iterable[tuple[str, str, str, str]]:
    statuses = _statuses()
    for key, (english, _) in messages("errors").items():
        code = key.removeprefix("errors.")
        if not re.fullmatch(r"[a-z_]+", code):
            continue
        hint = messages("errors").get(f"{key}.hint", ("", ""))[0]
        yield f"`{code}`", statuses.get(code, ""), *(_name_options(text) for text in (english, hint))


def _name_options(text: str) -> str:
    return re.sub(r"\{option:(\w+)\}", r"`\1`", text)


def _statuses() -> dict[str, str]:
    """The HTTP status of each code: read where it is raised, for there is no other place that says it."""
    kinds = {kind.__name__: kind.status for kind in errors.DanluError.__subclasses__()}
    found: dict[str, set[int]] = {}
    for path in sorted((ROOT / "src" / "danlu").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            if node.func.id in kinds and values:
                found.setdefault(str(values[0]), set()).add(kinds[node.func.id])
            elif node.func.id == "problem_response" and isinstance(values[1], int):
                found.setdefault(str(values[2]), set()).add(values[1])
    return {code: ", ".join(str(status) for status in sorted(found[code])) for code in found}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
