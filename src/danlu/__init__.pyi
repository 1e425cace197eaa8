from danlu.sdk.client import Client as Client
from danlu.sdk.errors import ApiError as ApiError
from danlu.sdk.errors import ClientError as ClientError
from danlu.sdk.errors import JobFailed as JobFailed
from danlu.sdk.errors import KeyChanged as KeyChanged
from danlu.sdk.errors import LockHeld as LockHeld
from danlu.sdk.errors import LockLost as LockLost
from danlu.sdk.errors import RemoteError as RemoteError
from danlu.sdk.errors import Unreachable as Unreachable
from danlu.sdk.futures import JobFuture as JobFuture
from danlu.sdk.handles import JobHandle as JobHandle
from danlu.sdk.resources.locks import lock as lock

__version__: str
