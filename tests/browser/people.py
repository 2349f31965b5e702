"""People for browser tests: each acts through a browser of their own."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, expect

#: Patience in milliseconds, for a machine that others keep busy.
EXPECT = 30_000
#: A page that tries again after seconds, or asks every few seconds, does so after a fifth of them.
#: What a person would wait for as long stays as it is: messages, and a finger that rests.
SOONER = """for (const [name, least] of [["setTimeout", 3000], ["setInterval", 2000]]) {
  const real = window[name].bind(window);
  window[name] = (what, wait = 0, ...more) =>
    real(what, least <= wait && wait <= 8000 ? wait / 5 : wait, ...more);
}"""


def tick(box: Locator, wanted: bool = True) -> None:
    """Tick a box, or take its tick away, by its label as people do."""
    if box.is_checked() != wanted:
        _label(box).click()
    expect(box).to_be_checked(checked=wanted)


def _label(control: Locator) -> Locator:
    """What one presses where the control itself is drawn by its label."""
    return control.locator("xpath=ancestor::label")


class Person:
    """Somebody with a browser of their own, at the table or on the way to it.

    Reduced motion is on by default, because falling dice on every screen would take half of a
    test's time.
    """

    def __init__(self, browser: Browser, name: str, **look) -> None:
        self.name = name
        self.context = browser.new_context(**{"reduced_motion": "reduce", **look})
        self.context.set_default_timeout(EXPECT)
        self.context.add_init_script(SOONER)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    # At the table

    def live(self) -> None:
        """Wait until the page says that it is live."""
        expect(self.page.locator("#live")).to_have_attribute("data-state", "live", timeout=EXPECT)

    def reads(self, text: str) -> None:
        """Wait until the log says something."""
        expect(self.page.locator("#log-list")).to_contain_text(text, timeout=EXPECT)

    def never_reads(self, text: str) -> None:
        expect(self.page.locator("body")).not_to_contain_text(text)

    def last(self) -> Locator:
        """The newest entry of the log."""
        return self.page.locator("#log-list > li").last

    def said(self) -> list[str]:
        """What was said, in order, as the log shows it."""
        return self.page.locator("#log-list .say > p > span").all_inner_texts()

    def say(self, text: str) -> None:
        self.page.fill("#say", text)
        self.page.press("#say", "Enter")

    def open_sheet(self) -> None:
        """Open the choices of the roll in hand."""
        if not self.page.locator("#roll-sheet[open]").count():
            self.page.locator("#roll-sheet > summary").click()
        expect(self.page.locator(".roll-sheet")).to_be_visible()

    def pick(self, move: str) -> None:
        """Choose a move by its name; a rare one stands behind More."""
        self.open_sheet()
        button = self.page.locator(f'#move-form input[name="move"][value="{move}"]')
        expect(button).to_be_attached(timeout=EXPECT)
        more = self.page.locator("#more-moves:not([open]) > summary")
        if not button.is_visible() and more.count():
            more.click()
        _label(button).click()
        expect(button).to_be_checked()

    def field(self, name: str) -> Locator:
        """A question of the move that is picked, by its name."""
        self.open_sheet()
        return self.page.locator(f'#move-form [name="a.{name}"]')

    def quiet(self) -> None:
        """Wait until the panel asks for nothing any more, and shows what came of it.

        It asks a tenth of a second after the last input.
        """
        self.page.evaluate("new Promise((over) => setTimeout(over, 110))")
        expect(self.page.locator("#moves-in.htmx-request")).to_have_count(0, timeout=EXPECT)

    def act_for(self, name: str) -> None:
        self.open_sheet()
        self.page.locator("#f-actor").select_option(label=name)
        expect(self.page.locator("#moves-in")).to_be_visible()

    def fill(self, form: Locator, **answers: str | bool) -> None:
        """Fill in fields by name, whatever kind of control they are."""
        for name, value in answers.items():
            control = form.locator(f'[name="a.{name}"]')
            expect(control.first).to_be_attached(timeout=EXPECT)
            kind = control.last.evaluate("node => node.tagName + ':' + (node.type || '')")
            if kind.startswith("SELECT"):
                control.last.select_option(value)
            elif kind.endswith(":radio"):
                _label(form.locator(f'[name="a.{name}"][value="{value}"]')).click()
            elif kind.endswith(":checkbox"):
                tick(control.last, bool(value))
            else:
                control.last.fill(str(value))

    def move(self, move: str, *, faces: str = "", entity: str = "", **answers: str | bool) -> None:
        """Make a move from the panel."""
        if entity:
            self.act_for(entity)
        form = self.page.locator("#move-form")
        self.pick(move)
        self.fill(form, **answers)
        if faces:
            self.type_faces(form, faces)
        form.locator("button.go").click()

    def settle(self, *, hide: tuple[str, ...] = (), **answers: str | bool) -> None:
        """Set what is mine in the conversation that waits for me."""
        settles = 'form.panel[action$="/settle"]'
        card = self.page.locator(f"#waiting li.ask.mine:has({settles})").first
        form = card.locator(settles)
        form.wait_for(state="attached", timeout=EXPECT)
        self.unfold(card)
        self.fill(form, **answers)
        for name in hide:
            tick(form.locator(f'[name="hide"][value="{name}"]'))
        form.locator("button.go").click()

    def unfold(self, card: Locator) -> None:
        """Open what is folded: where one tap would do, or where one may only suggest something."""
        folded = card.locator("details:is(.change, [id^='as-']):not([open]) > summary")
        if folded.count():
            folded.click()

    def throw(self, faces: str) -> None:
        """Type in the faces of real dice and let them fall."""
        card = self.page.locator('#waiting li.ask.mine:has(form[action$="/throw"])').first
        form = card.locator('form[action$="/throw"]').first
        self.type_faces(form, faces)
        form.locator("button.go").click()

    def answer(self, title: str, *, faces: str = "", **answers: str | bool) -> None:
        """Answer a card that waits for me, found by its title; a choice may be its own button."""
        card = self.card(title)
        self.unfold(card)
        form = card.locator("form.panel").first
        button = None
        for name, value in answers.items():
            pressed = form.locator(f'button[name="a.{name}"][value="{value}"]')
            if pressed.count():
                button = pressed
            else:
                for folded in form.locator("details.more:not([open]) > summary").all():
                    folded.click()
                self.fill(form, **{name: value})
        if faces:
            self.type_faces(form, faces)
        (button or form.locator("p.buttons button").last).click()

    def card(self, title: str) -> Locator:
        found = self.page.locator("#waiting li.ask").filter(has_text=title).first
        expect(found).to_be_attached(timeout=EXPECT)
        if not found.is_visible():  # on a narrow screen it stands in a room of its own
            self.page.locator(".tabs a[href='#moves']").click()
        expect(found).to_be_visible(timeout=EXPECT)
        return found

    def type_faces(self, form: Locator, faces: str) -> None:
        field = form.locator('input[name="faces"]')
        if not field.is_visible():
            form.locator("details.typed summary").click()
        field.fill(faces)

    def close(self) -> None:
        self.context.close()


#: Seats a person by name at the test's table, with a browser of their own; see `conftest.py`.
Sit = Callable[[str], Person]
