"""Bytes to hash: one spelling for one value, and parts that cannot run into each other."""

from __future__ import annotations

import hashlib
import json


def canonical_json(value: object) -> bytes:
    r"""Return JSON in ASCII with sorted keys and no spaces.

    >>> canonical_json({"b": "é", "a": [1, None]})
    b'{"a":[1,null],"b":"\\u00e9"}'
    """
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.encode("ascii")


def sha256_of(*parts: bytes) -> bytes:
    """Return SHA-256 of parts, each after its length as a big-endian u64."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
