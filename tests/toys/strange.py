"""Letters as nobody writes them: JSON along the types of messages, valid, nearly so, or absurd.

What it writes follows from the numbers that `pick` gives it, so that hypothesis, a seed or a
coverage-guided fuzzer can be the one who chooses.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, inspect

Pick = Callable[[int], int]
"""`pick(n)` is a number from 0 to n - 1."""

Told = Mapping[str, Sequence[str]]
"""JSON that is right for a field just now, by its name: without it nothing gets far."""

NUMBERS = (
    *("0", "-1", "1", "2", "-0", "63", "64", "2147483648", "-2147483649", "9007199254740993"),
    *("18446744073709551616", "1" + "0" * 400, "-1" + "0" * 4000, "1" + "0" * 5000),
    *("1.0", "-1e400", "1e-400", "1e308", "0.1", "NaN", "-Infinity", "01", "0x1", "--1"),
)
TEXTS = (
    *(
        '""',
        '"a"',
        r'"\u0000"',
        r'"\ud800"',
        r'"\udc00x"',
        r'"\ud83d\ude00"',
        r'"\u001b]0;x\u0007"',
    ),
    *('"\\u202e[red]{0.__class__}%s%n"', '"../../etc/passwd"', '"' + "x" * 65 + '"', '"\n"'),
    *('"' + "x" * 30_000 + '"', '"' + r"\u0001" * 3000 + '"', '"' + "\U0001f4a9" * 2001 + '"'),
    *('"' + "Z\u0336" * 120 + '"', '"a', "'a'", r'"\x"', '"123456\\n"', '"\u0661\u0662"'),
)
DEEP = ("[" * 3000, "[" * 900 + "]" * 900, '{"a":' * 400 + "1" + "}" * 400)
ODD = ("null", "true", "[]", "{}", "[[]]", '[""]', '{"":null}', "[" + "0," * 3000 + "0]", "", ",")


class Strange:
    """Writes JSON by types. One value in `wild` is absurd, so most of a letter makes sense."""

    def __init__(self, pick: Pick, told: Told | None = None, wild: int = 30) -> None:
        self.pick = pick
        self.told = dict(told or {})
        self._wild = wild

    def of(self, kind: object) -> bytes:
        """Return JSON for a type, a union of types, or an absurdity instead."""
        return self._write(_info(kind), 0).encode("utf-8", "surrogatepass")

    def struct(self, kind: type, **fields: bytes) -> bytes:
        """Return a struct whose fields are as given, and otherwise made up."""
        given = {name: text.decode("utf-8", "surrogatepass") for name, text in fields.items()}
        info = _info(kind)
        assert isinstance(info, inspect.StructType)
        return self._struct(info, 0, given).encode("utf-8", "surrogatepass")

    def bent(self, text: bytes) -> bytes:
        """Return JSON of somebody else's with a few values in it replaced."""
        tree = msgspec.json.decode(text)
        places = list(_places(tree))
        swaps: dict[str, str] = {}
        for _ in range(1 + self.pick(3)):
            holder, key = places[self.pick(len(places))]
            mark = f"@@{len(swaps)}@@"
            swaps[json.dumps(mark)] = self._absurd() if self.pick(2) else self._near(holder[key])
            holder[key] = mark
        written = json.dumps(tree)
        for mark, swap in swaps.items():
            written = written.replace(mark, swap)
        return written.encode("utf-8", "surrogatepass")

    def one_of(self, texts: Sequence[str]) -> str:
        """Return one of these."""
        return texts[self.pick(len(texts))]

    def _near(self, value: object) -> str:
        """Return something like a value, of its type."""
        match value:
            case bool() | None:
                return self.one_of(("true", "false", "null"))
            case int() | float():
                return json.dumps(value + self.pick(5) - 2) if self.pick(3) else self._number()
            case str():
                return self.one_of((json.dumps(value[:-1]), json.dumps(value * 2), *TEXTS))
            case list():
                bent = value[: self.pick(len(value) + 1)] if self.pick(2) else value * 2
                return json.dumps(bent)
            case _:
                return self._absurd()

    def _number(self) -> str:
        return self.one_of(NUMBERS)

    def _absurd(self) -> str:
        kinds = (NUMBERS, TEXTS, ODD, ODD, DEEP)
        return self.one_of(kinds[self.pick(len(kinds))])

    def _write(self, info: Any, depth: int) -> str:
        if not self.pick(self._wild):
            return self._absurd()
        match info:
            case inspect.StructType():
                return self._struct(info, depth, {})
            case inspect.UnionType(types):
                return self._write(types[self.pick(len(types))], depth)
            case inspect.Metadata(type=inner):
                return self._write(inner, depth)
            case inspect.IntType():
                return self._integer(info)
            case inspect.FloatType():
                return self._number() if not self.pick(4) else str(self.pick(60))
            case inspect.BoolType():
                return self.one_of(("true", "false"))
            case inspect.NoneType():
                return "null"
            case inspect.LiteralType(values):
                return json.dumps(values[self.pick(len(values))])
            case inspect.StrType():
                return self._text(info)
            case inspect.BytesType():
                size = self.pick(1 + (info.max_length or 40)) + (not self.pick(5))
                return json.dumps(base64.b64encode(bytes([self.pick(256)]) * size).decode())
            case inspect.DictType():
                pairs = range(self._length(info, 3))
                key, value = info.key_type, info.value_type
                return _object(
                    [(self._write(key, 9), self._write(value, depth + 1)) for _ in pairs]
                )
            case inspect.TupleType(types):
                return _list([self._write(item, depth + 1) for item in types])
            case inspect.CollectionType():
                items = range(self._length(info, 3))
                return _list([self._write(info.item_type, depth + 1) for _ in items])
            case _:
                return self._anything(depth)

    def _struct(self, info: inspect.StructType, depth: int, given: Mapping[str, str]) -> str:
        pairs = []
        if info.tag_field is not None:
            pairs.append((json.dumps(info.tag_field), json.dumps(info.tag)))
        for field in info.fields:
            name = field.encode_name
            optional = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
            if name in given:
                value = given[name]
            elif optional and not self.pick(3):
                continue
            elif name in self.told and self.pick(8):
                value = self.one_of(self.told[name])
            else:
                value = self._write(field.type, depth + 1)
            pairs.append((json.dumps(name), value))
        if not self.pick(self._wild):
            pairs.append((pairs[self.pick(len(pairs))][0] if pairs else '""', self._absurd()))
        if pairs and not self.pick(2 * self._wild):
            del pairs[self.pick(len(pairs))]
        return _object(pairs)

    def _integer(self, info: inspect.IntType) -> str:
        if not self.pick(4):
            return self._number()
        low = info.ge if info.ge is not None else 0
        high = info.le if info.le is not None else (info.lt if info.lt is not None else 9)
        edges = (low, low - 1, high, high + 1, low + self.pick(9), low + self.pick(9))
        return str(edges[self.pick(len(edges))])

    def _text(self, info: inspect.StrType) -> str:
        if not self.pick(4):
            return self.one_of(TEXTS)
        if info.max_length is not None and not self.pick(4):
            return json.dumps("y" * (info.max_length + self.pick(2)))
        return json.dumps("abcdefgh"[: 1 + self.pick(8)])

    def _length(self, info: Any, usual: int) -> int:
        most = getattr(info, "max_length", None)
        if most is not None and most < 200 and not self.pick(20):
            return int(most) + self.pick(2)
        return self.pick(usual + 1)

    def _anything(self, depth: int) -> str:
        if depth > 4 or self.pick(3):
            return self._absurd()
        if self.pick(2):
            return _list([self._anything(depth + 1) for _ in range(self.pick(4))])
        return _object(
            [(self._text(_TEXT), self._anything(depth + 1)) for _ in range(self.pick(4))]
        )


_TEXT = inspect.StrType()


@cache
def _info(kind: object) -> Any:
    return inspect.type_info(kind)


def _list(items: Sequence[str]) -> str:
    return f"[{','.join(items)}]"


def _object(pairs: Sequence[tuple[str, str]]) -> str:
    return "{" + ",".join(f"{key}:{value}" for key, value in pairs) + "}"


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Return every place of a JSON tree, as what holds it and under which key."""
    found: list[tuple[Any, Any]] = []
    holders = [tree]
    for holder in holders:
        keys = range(len(holder)) if isinstance(holder, list) else list(holder)
        found.extend((holder, key) for key in keys)
        holders.extend(holder[key] for key in keys if isinstance(holder[key], dict | list))
    return found
