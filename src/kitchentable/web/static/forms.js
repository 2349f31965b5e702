// Keeps a person's unsent changes when an answer or an update renders a form again: values, opened
// details, focus, caret and scroll position. An answer drops the changes that were sent, and none made
// after that.
const forms = (() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (name, handler, root = document, first = false) => root.addEventListener(name, handler, first);
  const feed = $("#feed");
  const refresh = () => { const panel = $("#moves-in"); if (panel) htmx.trigger(panel, "refresh"); };

  function complain(form, sentence) {
    const place = form?.id === "command" ? $("#say-error") : $("#toast");
    const line = document.createElement("p");
    line.textContent = sentence;
    place.replaceChildren(line);
    if (form) book(form).said = line;
    if (place.id === "toast") setTimeout(() => line.remove(), 12000);
  }

  // ---- The state of a form ----------------------------------------------------------------------
  // `mine` are the unsent changes, `edits` counts them, `touched` is whether the person has used the
  // form, `refused` whether it was last refused, `sending` are the commands on their way, and `last` is
  // the latest request to render it.
  const books = new WeakMap();
  function book(form) {
    if (!books.has(form)) books.set(form, { mine: new Map(), edits: 0, sending: new Set() });
    return books.get(form);
  }
  const isPick = (one) => one.matches("[type=radio], [type=checkbox]");
  const controls = (form) => [...form.elements].filter((one) => one.name && !one.matches("button, fieldset, output, [type=hidden], [type=file]"));
  const keyOf = (one) => (one.type === "checkbox" ? `${one.name}=${one.value}` : one.name);
  const called = (form, key) => controls(form).filter((one) => keyOf(one) === key);
  const valueOf = (one) => (one.type === "checkbox" ? one.checked : one.value);
  const wordsOf = (one) => (one.selectedOptions?.[0] || (isPick(one) && one.labels[0]))?.textContent?.trim() || "";
  const told = (one) => ({ name: one.name, on: one.value, value: valueOf(one), words: wordsOf(one) });
  const offers = (one, value) => (one.type === "radio" ? one.value === value
    : one.tagName !== "SELECT" || [...one.options].some((option) => option.value === value));
  const copy = (mine) => new Map([...mine].map(([key, { value }]) => [key, value]));
  const renew = (form) => {
    const id = $("input[name=command]", form);
    if (id) id.value = crypto.getRandomValues(new Uint32Array(4)).join("-");
  };
  on("input", ({ target: one }) => {
    if (!one.form || !one.name) return;
    const { form } = one;
    book(form).edits += 1;
    book(form).refused = false;
    book(form).mine.set(keyOf(one), told(one));
    renew(form); // the same form sent twice is one command; a changed one is another
  }, document, true);
  // Picking the picked choice again counts as using the form.
  for (const name of ["mousedown", "click"]) on(name, ({ target }) => {
    const form = target.closest?.("label, input, select, textarea, summary")?.closest("form");
    if (!form || book(form).touched) return;
    book(form).edits += 1;
    book(form).touched = true;
  }, document, true);

  // Resets a control to its rendered value, except for the chosen speaker.
  function takeDrawn(one) {
    if (one.id === "say-as") return;
    if (isPick(one)) one.checked = one.defaultChecked;
    else if (one.tagName === "SELECT") for (const option of one.options) option.selected = option.defaultSelected;
    else if (one.value !== one.defaultValue) one.value = one.defaultValue;
  }
  // Applies changes to a form that was rendered without them.
  function lay(form, mine) {
    for (const [key, { value }] of mine) {
      const one = called(form, key).find((one) => offers(one, value));
      if (!one || (one.type === "radio" ? one.checked : valueOf(one) === value)) continue;
      if (isPick(one)) one.checked = one.type === "radio" || value;
      else one.value = value;
      one.closest("details")?.setAttribute("open", "");
    }
  }
  // Reports changes that a form no longer offers, and drops them.
  const choices = (form) => new Map(controls(form).filter((one) => (isPick(one) ? one.checked : one.tagName === "SELECT"))
    .map((one) => [keyOf(one), told(one)]));
  function tell(form, was, news) {
    const { mine } = book(form);
    const lines = [];
    for (const [key, { value, words }] of new Map([...(news ? was : []), ...mine])) {
      const them = called(form, key);
      if (!value || them.some((one) => offers(one, value))) continue;
      if (!them.length && !(news && was.has(key))) continue; // a question of another move
      const now = them.find((one) => one.type !== "radio" || one.checked);
      // A box ticked by default is not reported; nor are the questions of a move that is gone.
      if (mine.delete(key) || value !== true) lines.push(`“${words}” is no longer available${now ? `. Your form now has “${wordsOf(now)}”` : ""}.`);
      if (key === "move") break;
    }
    if (lines.length) complain(form, lines.join(" "));
  }
  function gone(mine) {
    const typed = [...mine.values()].filter(({ value, words }) => value && value !== true && !words);
    if (typed.length) complain(null, `This question is gone. You had written: ${typed.map(({ value }) => value).join(" / ")}`);
  }
  const younger = (mine, sent) => new Map([...mine].filter(([key, { value }]) => sent.get(key) !== value));

  // ---- While a button is pressed ----------------------------------------------------------------
  // Nothing is rendered between press and click, so that no button moves away under a finger.
  let pressed = null;
  function press(event) {
    if (event.type === "keydown" && event.key !== " ") return;
    if (!event.target.closest?.("button, a, label, input, select, summary")) return;
    release();
    pressed = {};
    pressed.over = new Promise((resolve) => { pressed.resolve = resolve; });
    pressed.late = setTimeout(release, 1500); // a long press does not stop updates
  }
  function release(which = pressed) {
    if (!pressed || which !== pressed) return;
    clearTimeout(pressed.late);
    pressed.resolve();
    pressed = null;
  }
  const soon = (wait) => () => { const which = pressed; if (which) setTimeout(() => release(which), wait); };
  for (const name of ["pointerdown", "keydown"]) on(name, press, document, true);
  for (const name of ["click", "keyup"]) on(name, soon(0), document, true);
  for (const name of ["pointerup", "pointercancel"]) on(name, soon(60), document, true); // the click of a tap comes later
  if (feed) on("htmx:sse:before:message", (event) => { if (pressed) event.detail.waitUntil(pressed.over); }, feed);

  // The second click of a double click, or a held key, would send the form that the first one rendered.
  on("click", (event) => { if (event.detail > 1 && event.target.closest?.("form button:not([type=button])")) event.preventDefault(); }, document, true);
  on("keydown", (event) => { if (event.repeat && event.key === "Enter" && event.target.closest("button, input, summary")) event.preventDefault(); }, document, true);

  // ---- Focus, caret, opened details and scroll position -----------------------------------------
  let trail = []; // the focused element and its ancestors
  let off = null; // the focused element that is disabled while its form is sent
  on("focusin", (event) => {
    trail = [];
    for (let at = event.target; at && at !== document.body; at = at.parentElement) trail.push(at);
  });
  const caretOf = (one) => { try { return [one.selectionStart, one.selectionEnd]; } catch { return [null]; } };
  function refocus(held = off, caret = [null]) {
    if (!trail.length || document.activeElement !== document.body) return;
    const same = trail[0].isConnected ? trail[0] : trail[0].id && document.getElementById(trail[0].id);
    // A moved or temporarily disabled element has lost the focus without the person's doing.
    if (same === trail[0] && held !== same && off !== same) return;
    const left = same || trail.find((element) => element.isConnected && element.id);
    if (!left) return;
    if (left !== same) left.tabIndex = -1;
    left.focus({ preventScroll: true });
    if (caret[0] !== null && left === same) try { left.setSelectionRange(...caret); } catch { /* a number has no caret */ }
  }
  const places = new WeakMap();
  const topOf = (one) => one.getBoundingClientRect().top;
  function mark(ctx, tasks) {
    const held = document.activeElement;
    const around = (target) => (target instanceof Element ? [target.closest("form"), ...all("form", target)] : []);
    const redrawn = new Set(tasks.flatMap(({ target }) => around(target)).filter(Boolean));
    places.set(ctx, {
      held,
      caret: caretOf(held),
      top: topOf(held),
      open: all("details[open][id]"),
      forms: [...redrawn].map((form) => ({ form, key: nameOf(form), was: choices(form), problems: all(".problem", form), texts: all("textarea", form).map((one) => one.defaultValue) })),
    });
  }
  // Finds a form again after it was rendered as another element.
  const nameOf = (form) => `${form.getAttribute("action")} ${form.elements.which?.value || ""}`;
  const named = (name) => [...document.forms].find((one) => nameOf(one) === name && !books.get(one)?.mine.size);
  function restore(ctx) {
    const at = places.get(ctx);
    if (!at) return;
    for (const { id, isConnected } of at.open) if (!isConnected) document.getElementById(id)?.setAttribute("open", "");
    for (const { form, key, was, texts } of at.forms) {
      if (!books.has(form)) continue;
      const old = book(form);
      if (form.isConnected) {
        if (ctx.sourceElement !== feed) continue;
        lay(form, old.mine);
        if (all("textarea", form).some((one, at) => one.defaultValue !== texts[at] && one.value !== one.defaultValue)) {
          complain(form, "Someone else has changed this text. Yours is still here. Compare the two before you save.");
        }
        continue;
      }
      const sent = new Map([...old.sending].flatMap((one) => [...asked.get(one).sent]));
      const since = younger(old.mine, sent);
      const next = named(key);
      if (next) {
        books.set(next, { ...old, sending: new Set() });
        lay(next, since);
        if (!old.sending.size) tell(next, was, false);
      } else gone(since);
    }
    refocus(at.held, at.caret);
    const held = document.activeElement;
    if (held === at.held && held !== document.body) {
      if (at.caret[0] !== null && caretOf(held)[0] !== at.caret[0]) try { held.setSelectionRange(...at.caret); } catch { /* as above */ }
      const pane = ctx.sourceElement === feed && trail.slice(1).find((one) => getComputedStyle(one).overflowY === "auto");
      if (pane) pane.scrollTop += topOf(held) - at.top;
    }
  }

  // ---- Requests ---------------------------------------------------------------------------------
  const asked = new WeakMap(); // the form of each request, and its state at that time
  const formOf = ({ sourceElement: one }) => one !== feed && (one.closest("form") || (one.id === "moves-in" && $("#move-form")));
  const isGet = (ctx) => ctx.request.method === "GET";

  on("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    const { request: { body }, sourceElement } = ctx;
    const form = formOf(ctx);
    if (!form) return;
    const { mine, touched, edits } = book(form);
    asked.set(ctx, { form, edits, sent: copy(mine), news: ctx.sourceEvent?.type === "refresh" });
    if (!isGet(ctx)) {
      if (!form.hasAttribute("hx-sync") && book(form).sending.size) event.preventDefault(); // pressed twice
      return;
    }
    body.delete("_csrf_token");
    if (sourceElement.id !== "moves-in") return;
    // In a fight, an unused form follows the turn.
    if ($("#fight-in h2") && !mine.size && !touched) {
      for (const name of [...body.keys()]) if (name !== "entity" || $("#fight-in .now")) body.delete(name);
    }
    // Answers to another move are kept until that move is picked again.
    const tapped = mine.has("aim"); // a tap on somebody in the fight replaces the answers
    if (tapped) for (const name of [...body.keys()]) body.delete(name);
    for (const { name, on, value } of tapped ? [mine.get("aim")] : mine.values()) if (value !== false && !body.has(name)) body.append(name, value === true ? on : value);
    mine.delete("aim");
  });

  // A request too long for an address is sent as a form; see table_page.py.
  const MOST_OF_AN_ADDRESS = 6000;
  const asForm = (action, request) => {
    const [path, body] = action.split("?", 2);
    const headers = { ...request.headers, "Content-Type": "application/x-www-form-urlencoded" };
    return fetch(`${path}/look`, { ...request, method: "POST", headers, body });
  };

  on("htmx:before:request", ({ detail: { ctx } }) => {
    const form = formOf(ctx);
    if (!form) return;
    const one = book(form);
    if (trail[0]?.disabled) off = trail[0]; // some browsers have already moved the focus
    if (!isGet(ctx)) one.sending.add(ctx);
    else {
      one.last = ctx;
      if (ctx.request.action.length > MOST_OF_AN_ADDRESS) ctx.fetch = asForm;
    }
  });

  on("htmx:after:request", ({ detail: { ctx } }) => {
    const at = asked.get(ctx);
    if (!at || isGet(ctx) || ctx.response.status >= 400) return;
    // The sent changes are recorded; later ones are still unsent.
    const { mine, said } = book(at.form);
    said?.remove(); // the reason of an earlier refusal
    for (const [key, value] of at.sent) if (mine.get(key)?.value === value) mine.delete(key);
    renew(at.form);
    if (ctx.swap === "none" && !at.form.closest("#moves")) { // a card is removed by the feed
      for (const one of controls(at.form)) {
        if (one.tagName === "TEXTAREA") one.defaultValue = one.value;
        else if (!mine.has(keyOf(one))) takeDrawn(one);
      }
    }
    if (!mine.size) at.form.closest(".more")?.removeAttribute("open");
  });

  // An answer shows the form as it was requested. If the form has changed since, or a command is on its
  // way, the answer is dropped and requested again.
  on("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const at = asked.get(ctx);
    if (pressed && ctx.sourceElement !== feed) {
      event.preventDefault();
      if (at) at.held = true;
      pressed.over.then(() => htmx.swap(ctx)).then(() => over(ctx));
      return;
    }
    const main = at && tasks.find(({ type }) => type === "main");
    if (main) {
      const one = book(at.form);
      const late = at.edits !== one.edits;
      if (isGet(ctx) ? late || one.last !== ctx || one.sending.size : late && at.form.hasAttribute("hx-sync")) {
        tasks.splice(tasks.indexOf(main), 1);
        if (ctx.response.status === 422) complain(null, $(".refuses", main.fragment)?.textContent.trim() || "Check what you sent.");
        if (at.form.id !== "move-form" || !isGet(ctx)) return;
        if (one.sending.size) one.owed = true;
        else setTimeout(refresh);
        return;
      }
      at.drawn = main.target;
    }
    mark(ctx, tasks);
  });

  on("htmx:after:swap", ({ detail: { ctx } }) => {
    const at = asked.get(ctx);
    if (at?.drawn && at.form.isConnected) draw(ctx, at);
    restore(ctx);
  });
  function draw(ctx, { form, sent, drawn, news }) {
    const { mine } = book(form);
    const done = !isGet(ctx) && ctx.response.status < 400;
    for (const one of controls(form)) {
      if (drawn.contains(one) && (done || one !== document.activeElement)) takeDrawn(one);
    }
    if (isGet(ctx)) {
      const { was, problems } = places.get(ctx).forms.find((one) => one.form === form) || { was: new Map(), problems: [] };
      tell(form, was, news && (mine.size || book(form).touched));
      // An update keeps the problems of the sent answers; the next change removes them.
      for (const line of book(form).refused ? problems : []) {
        const field = document.getElementById(line.id.slice(0, -2))?.closest(".field");
        if (line.isConnected) continue;
        if (field) field.append(line);
        else $("#odds")?.before(line);
      }
      for (const [key, one] of mine) {
        const them = called(form, key).filter((one) => drawn.contains(one));
        const now = them.find((one) => one.type !== "radio" || one.checked);
        if (now) one.value = valueOf(now);
        else if (/\.\d+\./.test(one.name)) mine.delete(key); // rows are renumbered
      }
      return;
    }
    lay(form, done ? younger(mine, sent) : mine);
    book(form).refused = !done;
    if (!done) return;
    book(form).touched = mine.size > 0;
    if (mine.size && form.id === "move-form") refresh();
  }

  function over(ctx) {
    const at = asked.get(ctx);
    if (!at || isGet(ctx)) return;
    const one = book(at.form);
    one.sending.delete(ctx);
    if (!ctx.request.signal.aborted) one.edits += 1; // earlier requests are outdated
    if (one.owed) refresh();
    one.owed = false;
    setTimeout(refocus); // disabled controls are enabled again
  }
  on("htmx:finally:request", ({ detail: { ctx } }) => { if (!asked.get(ctx)?.held) over(ctx); });

  // ---- Reloading a page keeps half-filled forms -------------------------------------------------
  if (feed) {
    const drawer = `${location.pathname} ${feed.dataset.seat}`;
    const keep = () => {
      const half = [...document.forms].filter((form) => books.get(form)?.mine.size);
      try { sessionStorage.setItem(drawer, JSON.stringify(half.map((form) => [nameOf(form), [...book(form).mine]]))); } catch { /* full, or shut */ }
    };
    on("pagehide", keep, window); // phones may discard a hidden page:
    on("visibilitychange", keep);
    let half = [];
    try { half = JSON.parse(sessionStorage.getItem(drawer)) || []; } catch { /* shut */ }
    for (const [name, mine] of half) {
      const form = named(name);
      if (!form) { gone(new Map(mine)); continue; }
      book(form).mine = new Map(mine);
      lay(form, book(form).mine);
      if (form.id === "move-form") setTimeout(refresh);
    }
  }

  // The builder saves while it is filled in; the last change is sent when the page is left.
  const builder = $("#builder");
  const hurry = () => {
    if (!builder || !book(builder).mine.size) return;
    fetch(builder.action, { method: "POST", body: new URLSearchParams(new FormData(builder)), keepalive: true, redirect: "manual" });
  };
  on("pagehide", hurry, window);
  on("visibilitychange", () => { if (document.hidden) hurry(); });

  // Fills in the move of a row on a sheet, as changes of the form.
  function fillIn(row) {
    const form = $("#move-form");
    const one = book(form);
    // Earlier picks stay if they are still offered; if not, nobody is told, because the row replaced them.
    for (const [key, { words }] of one.mine) if (words) one.mine.delete(key);
    for (const [name, value] of new URL(row.href).searchParams) one.mine.set(name, { name, on: value, value, words: row.textContent });
    one.edits += 1;
    lay(form, one.mine);
    htmx.trigger($("#moves-in"), "input");
  }

  return { $, all, on, feed, refresh, complain, book, renew, isGet, fillIn };
})();
