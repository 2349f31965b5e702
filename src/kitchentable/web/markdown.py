"""Markdown of notes and handouts as HTML, with links to people, rules and dice.

HTML in the text is shown as text, pictures are left out, and links that run code are not links.
`[[Old Tam]]`, `[[toast.5.flub]]` and `[[2d6+3]]` lead to a sheet, a rule and the odds, for readers
who know of them; to others they are plain words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

#: Longer texts stay plain, so that none of them keeps a page waiting.
LONGEST = 8_000
_REFERENCE = re.compile(r"\[\[([^\[\]\n]{1,80})\]\]")
#: The address that a reference leads to for one reader, or "".
Resolve = Callable[[str], str]


class _Renderer(RendererHTML):
    """HTML with all headings of one level, below that of the page, and with references."""

    def heading_open(
        self, tokens: Sequence[Token], at: int, options: Any, env: Mapping[str, Any]
    ) -> str:
        return f"<h{env['level']}>"

    def heading_close(
        self, tokens: Sequence[Token], at: int, options: Any, env: Mapping[str, Any]
    ) -> str:
        return f"</h{env['level']}>\n"

    def link_open(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        return f'<a href="{escape(tokens[at].attrs["href"])}" rel="noreferrer noopener nofollow">'

    def reference(
        self, tokens: Sequence[Token], at: int, options: Any, env: Mapping[str, Any]
    ) -> str:
        words = escape(tokens[at].content)
        address = env["resolve"](tokens[at].content)
        return f'<a href="{escape(address)}">{words}</a>' if address else str(words)


def render_markdown(text: str, resolve: Resolve = lambda name: "", level: int = 4) -> Markup:
    """A text as HTML; `resolve` gives the addresses of references, `level` is that of headings.

    >>> print(render_markdown("**Salt** for [[Old Tam]] <b>", lambda name: "/tam"))
    <p><strong>Salt</strong> for <a href="/tam">Old Tam</a> &lt;b&gt;</p>
    """
    if len(text) > LONGEST:
        return Markup("").join(Markup("<p>{}</p>").format(line) for line in text.splitlines())
    html = _MARKDOWN.renderer.render(
        _parsed(text), _MARKDOWN.options, {"resolve": resolve, "level": level}
    )
    return Markup(str(html).strip())  # noqa: S704 - the renderer escapes what people wrote


def _read_reference(state: StateInline, silent: bool) -> bool:
    found = _REFERENCE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("reference", "", 0).content = found[1].strip()
    state.pos = found.end()
    return True


def _make() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True}, renderer_cls=_Renderer).enable(
        ["table", "strikethrough"]
    )
    made.disable(["image", "html_block", "html_inline"])
    made.inline.ruler.before("link", "reference", _read_reference)
    return made


_MARKDOWN = _make()


@lru_cache(maxsize=256)
def _parsed(text: str) -> list[Token]:
    """The tokens of a text. Rendering changes none of them."""
    return _MARKDOWN.parse(text, {})
