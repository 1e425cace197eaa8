"""What the web app takes from the server's code: its API document, the words both say, and the fields of a
job."""

from __future__ import annotations

import json
from typing import Any, cast

from pydantic import TypeAdapter

from danlu.api.app import make_app
from danlu.core.states import EndReason, JobState
from danlu.wire.field_kinds import JobField
from danlu.wire.job_fields import FIELDS
from danlu.wire.jobs import JobFields
from danlu.wire.nodes.node import Readings
from danlu.wire.server_log import ServerLogEntry
from danlu.wording.catalogue import messages

STREAMED = (Readings, ServerLogEntry)
"""What only streams carry: the document of the calls does not mention it."""
ROOMS = ("state", "label", "end", "ended", "gpu", "node", "role")
"""Of the command line's words."""


def openapi_document() -> str:
    """Read by openapi-typescript (`npm run types`)."""
    app = make_app(cast(Any, None), cast(Any, None), lambda _stop_jobs: None)
    document = app.openapi()
    schemas = document["components"]["schemas"]
    for kind in STREAMED:
        schema = TypeAdapter(kind).json_schema(
            ref_template="#/components/schemas/{model}", mode="serialization"
        )
        schemas.update({name: part for name, part in schema.pop("$defs", {}).items() if name not in schemas})
        schemas[kind.__name__] = schema
    for kind in (JobState, EndReason):
        schemas.setdefault(kind.__name__, {"type": "string", "enum": [each.value for each in kind]})
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def vocabulary() -> str:
    """Words for states, reasons and fields, which the pages share with the command line and with errors."""
    shared = {
        key.removeprefix("cli."): pair
        for key, pair in messages("cli").items()
        if key.split(".")[1] in ROOMS and key.count(".") == 2
    } | {key: pair for key, pair in messages("forms").items() if key.startswith("forms.label.")}
    shared |= {f"help.{name}": field.help for name, field in FIELDS.items() if field.plain}
    lines = [
        f"  {json.dumps(key)}: {json.dumps([*pair], ensure_ascii=False)},\n" for key, pair in shared.items()
    ]
    return (
        "// Written by docs/generate.py (`make docs`) from the server's words. Do not edit by hand.\n"
        'import { defineWords } from "./i18n/words";\n\n'
        f"export const vocabulary = defineWords({{\n{''.join(lines)}}});\n"
    )


def job_fields() -> str:
    """What the pages know of the fields of a job: the table of the wire, with the bounds of numbers."""
    schemas = TypeAdapter(JobFields).json_schema()["properties"]
    lines = [f"  {name}: {_in_script(_facts_of(field, schemas[name]))},\n" for name, field in FIELDS.items()]
    return (
        "// Written by docs/generate.py (`make docs`) from the table of fields. Do not edit by hand.\n"
        f"export const JOB_FIELDS = {{\n{''.join(lines)}}} as const;\n"
    )


def _facts_of(field: JobField, schema: dict[str, Any]) -> dict[str, Any]:
    facts = {"kind": field.kind, "section": field.section, "plain": field.plain}
    if field.usual is not None:
        facts["usual"] = field.usual
    if field.kind == "count":
        facts |= {key: schema["anyOf"][0][key] for key in ("minimum", "maximum")}
    return facts


def _in_script(facts: dict[str, Any]) -> str:
    return "{ " + ", ".join(f"{key}: {json.dumps(value)}" for key, value in facts.items()) + " }"
