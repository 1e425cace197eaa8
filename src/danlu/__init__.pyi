from danlu.sdk.client import Client as Client
from danlu.sdk.errors import ApiError as ApiError
from danlu.sdk.errors import ClientError as ClientError
from danlu.sdk.errors import JobFailed as JobFailed
from danlu.sdk.errors import RemoteError as RemoteError
from danlu.sdk.errors import Unreachable as Unreachable
from danlu.sdk.futures import JobFuture as JobFuture
from danlu.sdk.handles import JobHandle as JobHandle

__version__: str
