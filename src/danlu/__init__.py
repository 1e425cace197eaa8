"""Danlu turns a lab's GPU machines into one shared furnace for deep learning.

>>> from danlu import Client
"""

__version__ = "0.1.0"

_HOMES = {
    "ApiError": "errors",
    "Client": "client",
    "ClientError": "errors",
    "JobFailed": "errors",
    "JobFuture": "futures",
    "JobHandle": "handles",
    "KeyChanged": "errors",
    "LockHeld": "errors",
    "LockLost": "errors",
    "RemoteError": "errors",
    "Unreachable": "errors",
    "lock": "resources.locks",
}


def __getattr__(name):
    """The SDK loads when it is first asked for: the command line and the server do without.

    What is here and of which type stands in `__init__.pyi`."""
    if name not in _HOMES:
        raise AttributeError(f"module 'danlu' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"danlu.sdk.{_HOMES[name]}"), name)
