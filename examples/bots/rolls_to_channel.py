"""A bot: posts the rolls of a table to a channel of a chat, by the channel's incoming webhook.

It listens for the webhook of a Kitchen Table campaign, checks each signature, and sends one line
for each roll on, as JSON with "text" and "content", which chats take. Nothing but the standard
library is needed:

    export TABLE_SECRET=whsec_...            # from the page Webhooks of the campaign
    export CHANNEL=https://chat.example/...  # the channel's incoming webhook
    python rolls_to_channel.py 8800

The address for the page Webhooks is then that of this machine, behind a proxy with HTTPS. The table
sends a message again until it is answered with 2xx, with the same id.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: The longest message that is read.
LONGEST = 1_000_000
#: A message is good for so many seconds.
FRESH = 300


def is_signed(secret: str, headers: dict[str, str], body: bytes, now: float) -> bool:
    """Whether a message is the table's, and fresh."""
    ident, told = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not told.isdecimal() or abs(now - int(told)) > FRESH:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{ident}.{told}.".encode() + body, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(signed).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(right, one) for one in given)


def line_of(message: dict) -> str:
    """The line for the channel; "" for what is not a roll, or was taken back."""
    data = message["data"]
    entry = data["entry"]
    return f"{data['title']}: {data['text']}" if entry["dice"] and not entry["undone"] else ""


class Bot(ThreadingHTTPServer):
    """Hears a table with one secret, and tells a channel. It remembers the last ids."""

    def __init__(self, port: int, secret: str, channel: str) -> None:
        super().__init__(("127.0.0.1", port), Hears)
        self.secret, self.channel = secret, channel
        self.seen: dict[str, None] = {}

    def tell(self, text: str) -> None:
        """Post a line to the channel."""
        body = json.dumps({"text": text, "content": text}).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.channel, body, headers)
        urllib.request.urlopen(request, timeout=8).close()


class Hears(BaseHTTPRequestHandler):
    """One message of the table."""

    server: Bot

    def do_POST(self) -> None:
        """Check it, tell the channel, answer."""
        length = int(self.headers.get("content-length", 0))
        if not 0 < length <= LONGEST:
            self.answer(413)
            return
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not is_signed(self.server.secret, headers, body, time.time()):
            self.answer(401)
            return
        seen, ident = self.server.seen, headers["webhook-id"]
        line = "" if ident in seen else line_of(json.loads(body))
        try:
            if line:
                self.server.tell(line)
        except OSError as error:
            # The table will send it again.
            self.log_message("The channel does not answer: %s", error)
            self.answer(502)
            return
        seen[ident] = None
        while len(seen) > 1000:
            del seen[next(iter(seen))]
        self.answer(204)

    def answer(self, status: int) -> None:
        """Answer without a body."""
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()


if __name__ == "__main__":
    bot = Bot(int(sys.argv[1]), os.environ["TABLE_SECRET"], os.environ["CHANNEL"])
    print(f"Listening on port {bot.server_port}.")
    bot.serve_forever()
