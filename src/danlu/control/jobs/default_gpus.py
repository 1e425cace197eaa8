"""How many GPUs a job gets that says nothing of them: as many as its owner's defaults say, else as many as
the lab's setting says, as far as there are nodes that could ever give them. Pure.

What a job says of its GPUs stands instead of what the defaults say of them; the two never add up.
"""

from __future__ import annotations

from dataclasses import replace

from danlu.control.jobs.specs import merge_fields
from danlu.control.running.hardware import Hardware
from danlu.core.job import JobSpec
from danlu.wire.jobs import JobFields


def says_gpus(fields: JobFields) -> bool:
    """Whether it is said how many, which ones, or that one is shared."""
    return fields.gpus is not None or bool(fields.gpu_ids) or bool(fields.share)


def take_defaults(said: JobFields, defaults: JobFields) -> JobFields:
    """A new job with its owner's defaults where it says nothing."""
    if said.gpus is not None and not said.gpu_ids:
        defaults = replace(defaults, gpu_ids=None)
    if said.gpus is None and said.gpu_ids and isinstance(defaults.gpus, int):
        defaults = replace(defaults, gpus=None)
    if said.gpus == 0 and not said.gpu_ids and not said.share:
        # On the CPU nothing of a GPU matters.
        defaults = replace(defaults, share=None, no_sharing=None, gpu_model=None, gpu_memory_mb=None)
    return merge_fields(said, defaults)


def fill_gpus(fields: JobFields, lab_gpus: int) -> JobFields:
    """With the lab's number where nothing was said."""
    return fields if says_gpus(fields) else replace(fields, gpus=lab_gpus)


def fit_gpus(spec: JobSpec, hardware: Hardware) -> JobSpec:
    """A job that has the lab's number of GPUs, with fewer where no node that it may run on could ever give it
    so many: a lab without a GPU works all the same. One that needs a GPU for something else it says keeps at
    least one, and one that could not run anyway keeps them all."""
    needs_one = bool(spec.gpu_model or spec.gpu_memory_mb or spec.cpus == 0)
    most = min(spec.gpus, max((len(node.managed_gpus) for node in hardware.nodes), default=0))
    if not most:
        return spec if needs_one else replace(spec, gpus=0)
    for gpus in range(most, 0 if needs_one else -1, -1):
        fitting = replace(spec, gpus=gpus)
        if hardware.why_never(fitting.ask) is None:
            return fitting
    return spec
