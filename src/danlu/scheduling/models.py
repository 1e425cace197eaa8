"""Which GPUs of a node are of a model."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def gpus_of_model(
    gpu_ids: tuple[int, ...], models: tuple[str, ...], part: str, exactly: str | None = None
) -> frozenset[int]:
    """The GPUs whose model has this `part` in its name, in whatever case; and that are `exactly` this one,
    if one is given. The models of a node that tells none are not known: they all have the empty name."""
    wanted = part.casefold()
    names = models or ("",) * len(gpu_ids)
    return frozenset(
        index
        for index, name in zip(gpu_ids, names, strict=True)
        if wanted in name.casefold() and exactly in (None, name)
    )
