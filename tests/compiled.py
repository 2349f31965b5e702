"""Parts shared by all servers in tests: browser files and compiled templates."""

from types import CodeType

from jinja2.bccache import Bucket, BytecodeCache

from kitchentable.web.assets import load_assets


class Compiled(BytecodeCache):
    """Templates are compiled once for all servers of a process and its children."""

    def __init__(self) -> None:
        self._known: dict[str, CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.code


COMPILED = Compiled()
ASSETS = load_assets()
