"""Monitoring of a server: metrics for Prometheus, and logs as JSON."""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kitchentable.app.metrics import metrics
from kitchentable.app.server import Server

_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@contextmanager
def measured(server: Server, at: socket.socket | None) -> Iterator[None]:
    """Serve /metrics on this socket until the block ends; without a socket, do nothing."""
    if at is None:
        yield
        return

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/metrics":
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            body = metrics(server.tables).encode()
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", _TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *words: object) -> None:
            """Log nothing."""

    http = ThreadingHTTPServer(at.getsockname(), Handler, bind_and_activate=False)
    http.socket.close()
    http.socket = at
    thread = threading.Thread(target=http.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


class JsonLines(logging.Formatter):
    """Formats each log record as one line of JSON.

    >>> line = JsonLines().format(logging.makeLogRecord({"name": "kitchentable", "msg": "Hello"}))
    >>> json.loads(line)["message"]
    'Hello'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format the time, level, logger, process, message and traceback of a record."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": os.getpid(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def log_as_json() -> None:
    """Write the log of this process as lines of JSON to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
