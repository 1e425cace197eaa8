"""Messages as a person reads them."""

from __future__ import annotations

import re


def english_pieces(text: str) -> list[str]:
    """Words of English in a row: what should have been said in Chinese. What is quoted is the reader's own,
    and a command is a command."""
    plain = re.sub(r"danlu [\w -]+|/[\w/.-]+|“[^”]*”", " ", text)
    return re.findall(r"[A-Za-z']{2,} [A-Za-z']{2,} [A-Za-z']{2,}", plain)
