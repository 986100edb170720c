"""Fuzz every decoder that meets bytes of strangers: `python -m tests.fuzz [--seconds N] [TARGET]`.

Needs `pip install -e '.[fuzz]'` (atheris). Guided by coverage of our own code, from seeds of real
games, with JSON bent along its types now and then. Runs each target, or the one named, for N
seconds (60) and ends with status 1 and the input's file at the first that raises. Such a
file instead of N says it again: `python -m tests.fuzz TARGET FILE`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "toys")]

FINDINGS = Path("fuzz-findings")
LONGEST = 20_000
"""Bytes of an input; the rest of what fits into a letter adds nothing but time."""

STRANGE, BENT = 0.1, 0.3
"""How often an input is made up along its type, or another one is bent where its values are."""


def main() -> int:
    """Run what is asked for; return 1 if anything raised."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", help="one door of tests/fuzz/targets.py; all of them")
    parser.add_argument("file", nargs="?", type=Path, help="an input to say again")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.file is not None:
        from tests.fuzz.targets import TARGETS

        TARGETS[asked.target].take(asked.file.read_bytes())
        print("nothing was raised")
        return 0
    if asked.here:
        _fuzz(asked.target, asked.seconds)
    from tests.fuzz.targets import TARGETS

    names = [asked.target] if asked.target else list(TARGETS)
    FINDINGS.mkdir(exist_ok=True)
    failed = [name for name in names if not _in_a_process(name, asked.seconds)]
    print(f"raised in: {', '.join(failed)}, see {FINDINGS}/" if failed else "nothing was raised")
    return bool(failed)


def _in_a_process(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own: atheris never returns."""
    print(f"== {name}", flush=True)
    command = (sys.executable, "-m", "tests.fuzz", "--here", "--seconds", str(seconds), name)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def _fuzz(name: str, seconds: int) -> None:
    import atheris

    instrumented = atheris.instrument_imports(include=["core", "net", "amqtt"])
    with contextlib.redirect_stderr(io.StringIO()), instrumented:  # it names every module
        from tests.fuzz.targets import TARGETS
    from strange import Strange

    target = TARGETS[name]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        chance = rng.random()
        strange = Strange(rng.randrange)
        made = b""
        if target.kinds and chance < STRANGE:
            made = strange.of(rng.choice(target.kinds))
        elif target.kinds and chance < STRANGE + BENT:
            made = _bent(strange, data)
        return made[:most] if made else bytes(atheris.Mutate(data, most))

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds()):
            (Path(corpus) / f"{number}").write_bytes(seed[:LONGEST])
        options = (
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST}",
            f"-artifact_prefix={FINDINGS.absolute()}/{name}-",
            "-timeout=10",
            "-rss_limit_mb=1500",
            "-print_final_stats=1",
            "-verbosity=0",
        )
        atheris.Setup([sys.argv[0], *options, corpus], target.take, custom_mutator=mutate)
        atheris.Fuzz()


def _bent(strange: object, data: bytes) -> bytes:
    from strange import Strange

    assert isinstance(strange, Strange)
    first, line_end, rest = data.partition(b"\n")
    try:
        return strange.bent(first) + line_end + rest
    except (ValueError, TypeError, IndexError, RecursionError):
        return b""


if __name__ == "__main__":
    sys.exit(main())
