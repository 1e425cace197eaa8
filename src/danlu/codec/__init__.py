"""The one way in which our types become JSON and back: over the wire, in messages, in records, in snapshots.

    encode(thing)                        plain JSON values
    encode_said(request)                 the same without what is None
    decode(Kind, plain)                  what another machine says: of its type and within its bounds
    decode(Kind, plain, trusted=True)    what Danlu itself has written, perhaps a newer version of it

It knows none of our types; their annotations say everything.
"""

from danlu.codec.bad_value import BadValue
from danlu.codec.bounds import Cut
from danlu.codec.decoding import decode
from danlu.codec.encoding import encode, encode_said
from danlu.codec.words import known_word

__all__ = ["BadValue", "Cut", "decode", "encode", "encode_said", "known_word"]
