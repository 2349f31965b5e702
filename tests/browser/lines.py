"""A byte proxy between browser and server that can break or freeze connections."""

from __future__ import annotations

import contextlib
import socket
import threading

_PIECE = 65536


class Line:
    """Listens on a port of its own and forwards everything to the server's."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._flows = threading.Event()
        self._flows.set()
        self._cut = False
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        self._cut = True
        self._drop()

    def freeze(self) -> None:
        """Keep connections open and let nothing through."""
        self._flows.clear()

    def mend(self) -> None:
        """Let new connections through again; data held in a frozen connection is lost."""
        self._drop()
        self._cut = False
        self._flows.set()

    def close(self) -> None:
        self.cut()
        self._flows.set()
        self._listener.close()

    def _drop(self) -> None:
        with self._lock:
            for one in self._open:
                # To close it does not end what another thread reads from it.
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
            self._open.clear()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._cut:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._to))
            with self._lock:
                self._open |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        # A line that is cut, by us or by the browser, ends as it would in a wall.
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                self._flows.wait()
                target.sendall(piece)
        with self._lock:
            self._open -= {source, target}
        for one in (source, target):
            one.close()
