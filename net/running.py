"""Running a program's event loop to its end, which no thread can put off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Unwaited(ThreadPoolExecutor):
    """Does each call in a thread of its own, for which nobody waits at the end of the program.

    asyncio looks names up in threads, and paho connects there. A name server that is silent
    keeps such a thread for half a minute or more, and `asyncio.run` would wait for it.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor.submit`."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # carried to whoever waits
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=work, name="unwaited", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave alone what is under way."""


def wait_for_no_thread() -> None:
    """Let the running loop end whatever its threads are busy with."""
    asyncio.get_running_loop().set_default_executor(Unwaited())


def run(work: Coroutine[None, None, T]) -> T:
    """Do the work as `asyncio.run` does, and end when it has."""

    async def unwaited() -> T:
        wait_for_no_thread()
        return await work

    return asyncio.run(unwaited())
