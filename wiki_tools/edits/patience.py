"""Lets Ctrl-C wait until what is being done is done, or undone."""

import signal
import threading
from types import TracebackType
from typing import Any


class Patience:
    """Notes that Ctrl-C or SIGTERM came, and acts on it only where asked to.

    Else it may come between a file that is made and the word that it has to be removed again.
    """

    def __init__(self) -> None:
        self._came: list[int] = []
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Patience":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _note(self, number: int, _frame: object) -> None:
        self._came.append(number)

    def let_in(self) -> None:
        """Act on what came, here where all is in order.

        Raises:
            KeyboardInterrupt: Ctrl-C came; or whatever the handlers before raise.
        """
        while self._came:
            number = self._came.pop()
            handler = self._before[number]
            if callable(handler):
                handler(number, None)
            elif handler != signal.SIG_IGN:
                raise SystemExit(128 + number)
