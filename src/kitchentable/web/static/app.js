// What the pages do beyond plain forms and links. Everything here is an improvement on a page that
// works without it: the live feed's state, the log's scroll, the command line, dialogs, steppers.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (name, handler, root = document) => root.addEventListener(name, handler);
  const hour = (date) => date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });

  // ---- Times in the reader's own zone --------------------------------------------------------
  const localise = (root) => all("time[datetime]:not([title])", root).forEach((time) => {
    const date = new Date(time.dateTime);
    if (isNaN(date)) return;
    time.title = date.toLocaleString();
    time.textContent = time.dataset.day === undefined ? hour(date) : date.toLocaleDateString([], { dateStyle: "long" });
  });

  // ---- Morphing keeps what a person opened or closed -------------------------------------------
  htmx.registerExtension("kitchen-table", {
    htmx_before_morph_attr: (element, detail) =>
      !(detail.attrName === "open" && element.tagName === "DETAILS"),
  });

  // ---- The feed: what state it is in, and since when -------------------------------------------
  const feed = $("#feed");
  const lamp = $("#live");
  let since = null;
  let connection = null;
  let lastSign = 0;

  function show(state) {
    if (!lamp || (state !== "off" && lamp.dataset.state === state)) return;
    const words = $("[role=status]", lamp);
    if (state === "live") since = null;
    else since ??= new Date();
    lamp.dataset.state = state;
    words.textContent = state === "live" ? "Live"
      : state === "wait" ? "Reconnecting"
      : state === "gone" ? "Your seat has ended"
      : `Offline since ${hour(since)}`;
  }

  if (feed) {
    const period = Number(feed.dataset.alive || 20) * 1000;
    const busy = (yes) => $("#scroll")?.setAttribute("aria-busy", yes);
    const down = () => show(navigator.onLine === false || (since && Date.now() - since > 8000) ? "off" : "wait");
    let ended = false;

    const hurry = () => { if (!ended && lamp.dataset.state !== "live") connection?.delayCanceller?.(); };
    on("htmx:sse:before:connection", () => down(), feed);
    on("htmx:sse:after:connection", (event) => {
      connection = event.detail.connection;
      lastSign = Date.now();
      busy(true); // missed entries come now; the first sign of life ends them
    }, feed);
    on("htmx:sse:before:message", () => { lastSign = Date.now(); }, feed);
    on("alive", () => { busy(false); show("live"); }, feed);
    on("moves", () => refreshMoves(), feed);
    on("reload", () => location.reload(), feed);
    on("bye", () => { ended = true; show("gone"); busy(false); setTimeout(() => location.reload(), 1500); }, feed);
    on("htmx:sse:error", () => down(), feed);
    on("htmx:sse:close", () => { if (!ended) down(); }, feed);
    for (const name of ["htmx:error", "htmx:response:error"]) {
      // The extension does not repeat a first connection that failed.
      on(name, () => { down(); setTimeout(() => htmx.trigger(feed, "retry"), 3000); }, feed);
    }
    // Nobody else notices a stream that is open and silent.
    setInterval(() => {
      if (ended || document.hidden) return;
      if (lamp.dataset.state !== "live") down();
      if (lastSign && Date.now() - lastSign > period * 2.5) {
        down();
        lastSign = Date.now();
        connection?.reader?.cancel();
      }
    }, 2000);
    on("offline", () => show("off"), window);
    on("online", hurry, window);
    on("htmx:after:request", ({ detail: { ctx } }) => { if (ctx.sourceElement !== feed && ctx.response) hurry(); });
    show("wait");
  }

  function refreshMoves() {
    const panel = $("#moves-in");
    if (panel) htmx.trigger(panel, "refresh");
  }

  // ---- The log stays where the reader is --------------------------------------------------------
  const scroll = $("#scroll");
  const newer = $("#newer");
  if (scroll) {
    // The scroller runs from the bottom: 0 is the newest entry, above it is negative.
    const atEnd = () => scroll.scrollTop > -60;
    let height = scroll.scrollHeight;
    let follow = true;
    on("scroll", () => {
      follow = atEnd();
      if (follow) newer.hidden = true;
    }, scroll);
    new MutationObserver((changes) => {
      const grown = scroll.scrollHeight - height;
      height = scroll.scrollHeight;
      const below = changes.some((change) => [...change.addedNodes].some((node) => node.matches?.(".fresh")));
      if (!below) return;
      if (follow) scroll.scrollTop = 0;
      else { scroll.scrollTop -= grown; newer.hidden = false; }
    }).observe($("#log-list"), { childList: true });
    const resized = new ResizeObserver(() => { height = scroll.scrollHeight; if (follow) scroll.scrollTop = 0; });
    resized.observe(scroll);
    resized.observe(scroll.firstElementChild);
    on("click", () => { follow = true; newer.hidden = true; scroll.scrollTop = 0; }, newer);
  }

  // ---- The command line -------------------------------------------------------------------------
  const say = $("#say");
  const said = [];
  let recalled = 0;
  if (say) {
    on("keydown", (event) => {
      if (event.isComposing || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      if (!said.length || (event.key === "ArrowUp" && recalled === 0 && say.value)) return;
      recalled = Math.min(said.length, Math.max(0, recalled + (event.key === "ArrowUp" ? 1 : -1)));
      say.value = recalled ? said[said.length - recalled] : "";
      event.preventDefault();
    }, say);
    on("submit", () => { $("#say-error").textContent = ""; }, $("#command"));
  }

  on("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "/" && say) {
      event.preventDefault();
      if (!say.offsetParent) location.hash = "log";
      say.focus();
    } else if (event.key === "?") {
      const help = $("a.keys, #menu a[data-dialog]");
      if (help) { event.preventDefault(); openDialog(help.href); }
    }
  });

  // ---- Sending ------------------------------------------------------------------------------------
  on("htmx:config:request", (event) => {
    const { sourceElement, request } = event.detail.ctx;
    if (request.method !== "GET") return;
    request.body?.delete?.("_csrf_token");
    // In a fight, a form that nobody has touched follows the play.
    const form = sourceElement?.id === "moves-in" && $("#fight-in h2") && $("#move-form");
    if (!form || touched.has(form)) return;
    for (const name of [...request.body.keys()]) if (name !== "entity" || $("#fight-in .now")) request.body.delete(name);
  });

  // ---- A redraw takes nothing that a person is doing --------------------------------------------------
  // An answer shows what stood in a form when it was asked for. What was typed or picked since then
  // is younger: the answer is left out, and asked for again. So it is while a button is held down,
  // and while what was sent is on its way, whose own answer draws the form.
  const asked = new WeakMap(); // a request: its form, and the form's edits when it was sent
  const edits = new WeakMap();
  const sending = new WeakMap();
  const touched = new WeakSet();
  const add = (map, key, by) => map.set(key, (map.get(key) || 0) + by);
  const formAt = (element) => element?.closest?.("form") || (element instanceof Element && $("form", element));
  on("input", ({ target: { form } }) => { if (form) { add(edits, form, 1); touched.add(form); } });

  let pressed = null;
  let owed = false;
  let held = null; // what had the focus before a swap
  let off = null; // what had it and is switched off while it is sent
  function press(event) {
    const on = event.type === "keydown" ? "button, summary, [type=radio], [type=checkbox]" : "button, a, label, input, select, summary";
    if ((event.type === "keydown" && event.key !== " ") || !event.target.closest?.(on)) return;
    release();
    pressed = {};
    pressed.over = new Promise((resolve) => { pressed.resolve = resolve; });
    pressed.late = setTimeout(release, 1500); // a finger that rests there still gets the news
  }
  function release(which = pressed) {
    if (!pressed || which !== pressed) return;
    clearTimeout(pressed.late);
    pressed.resolve();
    pressed = null;
    if (owed) refreshMoves();
    owed = false;
  }
  const soon = (wait) => () => { const which = pressed; if (which) setTimeout(() => release(which), wait); };
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, press, true);
  for (const name of ["click", "keyup"]) document.addEventListener(name, soon(0), true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, soon(60), true); // a tap's click comes later
  if (feed) on("htmx:sse:before:message", (event) => { if (pressed) event.detail.waitUntil(pressed.over); }, feed);

  // A redraw that carries more than an address holds goes as a form to be looked at; see tablepage.py.
  const MOST_OF_AN_ADDRESS = 6000;
  const asForm = (action, request) => {
    const [path, body] = action.split("?", 2);
    const headers = { ...request.headers, "Content-Type": "application/x-www-form-urlencoded" };
    return fetch(`${path}/look`, { ...request, method: "POST", headers, body });
  };

  on("htmx:before:request", ({ detail: { ctx } }) => {
    const form = ctx.sourceElement !== feed && (formAt(ctx.target) || formAt(ctx.sourceElement));
    if (!form) return;
    asked.set(ctx, { form, edits: edits.get(form) || 0 });
    if (document.activeElement.disabled) off = document.activeElement;
    if (ctx.request.method === "GET") {
      if (ctx.request.action.length > MOST_OF_AN_ADDRESS) ctx.fetch = asForm;
      return;
    }
    add(sending, form, 1);
    if (form.closest("#moves")) { lookUntil = Date.now() + 20000; cards = new Set(waiting()); }
  });
  on("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
    held = document.activeElement;
    if (ctx.response?.status >= 400) lookUntil = 0;
    const at = asked.get(ctx);
    const main = tasks.findIndex(({ type, target }) => at && type === "main" && (at.form.contains(target) || target?.contains?.(at.form)));
    if (main < 0) return;
    const get = ctx.request.method === "GET";
    const waits = get && sending.get(at.form) > 0;
    if (!waits && !pressed && at.edits === (edits.get(at.form) || 0)) {
      at.done = !get && ctx.response.status < 400;
      return;
    }
    const [left] = tasks.splice(main, 1);
    if (ctx.response.status === 422) complain(null, $(".refuses", left.fragment)?.textContent.trim() || "Look again at what you sent.");
    if (at.form.id !== "move-form") return;
    if (waits) at.form.dataset.owed = "";
    else if (pressed) owed = true;
    else setTimeout(refreshMoves);
  });
  on("htmx:after:swap", ({ detail: { ctx } }) => {
    // What was sent is done with: the form stands as the table has drawn it.
    const at = asked.get(ctx);
    if (!at?.done || at.form.id !== "move-form") return;
    at.form.reset();
    touched.delete(at.form);
  });
  on("htmx:finally:request", ({ detail: { ctx } }) => {
    const at = asked.get(ctx);
    if (!at || ctx.request.method === "GET") return;
    add(sending, at.form, -1);
    add(edits, at.form, 1); // what was asked for before it is old
    if (at.form.dataset.owed !== undefined) refreshMoves();
    delete at.form.dataset.owed;
    setTimeout(refocus); // what was switched off meanwhile is on again
  });

  on("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const form = ctx.request.form;
    if (!form || ctx.request.method === "GET" || ctx.response.status >= 400) return;
    // The next thing sent from this form is another command.
    const id = $("input[name=command]", form);
    if (id) id.value = crypto.getRandomValues(new Uint32Array(4)).join("-");
    if (form.id === "command") {
      if (say.value) said.push(say.value);
      recalled = 0;
      say.value = "";
    }
    form.closest(".more")?.removeAttribute("open");
    if (form.closest("#moves")) { lookUntil = Date.now() + 1500; look(); }
  });

  // What became of a move is shown: a card above the form, or on a phone the room where dice fall.
  let lookUntil = 0;
  let cards = new Set();
  let rolls = 0;
  const waiting = () => all("#waiting li.ask").map((card) => card.id);
  function look() {
    const moves = $("#moves");
    const fallen = all("#log-list .fresh .card:has(.die)").length;
    const came = fallen > rolls;
    rolls = fallen;
    if (Date.now() > lookUntil || !moves.offsetParent) return;
    if (came && $(".tabs").offsetParent && !document.activeElement.matches("input, textarea, select")) location.hash = "log";
    else if (waiting().some((id) => !cards.has(id))) moves.scrollTop = 0;
  }

  function complain(element, sentence) {
    const form = element?.closest?.("form");
    const place = form?.id === "command" ? $("#say-error") : $("#toast");
    const line = document.createElement("p");
    line.textContent = sentence;
    place.replaceChildren(line);
    if (place.id === "toast") setTimeout(() => line.remove(), 12000);
  }

  on("htmx:response:error", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement === feed || ctx.response.status === 422) return;
    const answer = new DOMParser().parseFromString(ctx.text || "", "text/html");
    const sentence = $("[data-code]", answer)?.textContent.trim();
    complain(ctx.request.form || ctx.sourceElement,
      sentence || `The table could not do that (${ctx.response.status}). Nothing was lost; try again.`);
  });
  on("htmx:error", (event) => {
    const { ctx } = event.detail;
    if (!ctx || ctx.sourceElement === feed || ctx.response || ctx.request.method === "GET") return;
    complain(ctx.request.form || ctx.sourceElement, "That did not reach the table. It is still here; send it again.");
  });

  // ---- Pages that open as dialogs -------------------------------------------------------------------
  const dialog = $("#dialog");
  let opener = null;
  async function openDialog(href) {
    opener = document.activeElement;
    await htmx.ajax("GET", href, { target: "#dialog-in", swap: "innerHTML", headers: { "KT-Fragment": "1" } });
    if (!dialog.open) dialog.showModal();
    const title = $("h1, h2", dialog);
    if (title) dialog.setAttribute("aria-label", title.textContent.trim());
  }
  on("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      $("#menu")?.hidePopover?.();
      openDialog(link.href);
      return;
    }
    if (event.target === dialog) dialog.close();
    if (event.target.closest("[data-print]")) print();
    if (event.target.closest("dialog [data-close]")) { event.preventDefault(); dialog.close(); }
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = $("input", step.parentElement);
      if (input.value === "") input.value = input.min || 0;
      else if (step.dataset.step > 0) input.stepUp();
      else input.stepDown();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const source = document.getElementById(copy.dataset.copy);
      navigator.clipboard?.writeText(source.value).then(
        () => { copy.textContent = "Copied"; },
        () => source.select(),
      );
    }
  });
  if (dialog) on("close", () => opener?.isConnected && opener.focus(), dialog);

  // ---- Rooms of a phone ---------------------------------------------------------------------------
  function mark() {
    const id = decodeURIComponent(location.hash.slice(1));
    const room = (id && document.getElementById(id)?.closest(".room")) || $("#log");
    all(".tabs a").forEach((tab) => {
      if (room && tab.hash === `#${room.id}`) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
    return room;
  }
  on("hashchange", () => { if (mark()?.id === "log" && scroll) scroll.scrollTop = 0; }, window);

  // ---- Focus: what had it may be gone after a swap; then its nearest room that is left gets it -------
  let trail = [];
  on("focusin", (event) => {
    trail = [];
    for (let at = event.target; at && at !== document.body; at = at.parentElement) trail.push(at);
  });
  function refocus() {
    if (!trail.length || document.activeElement !== document.body) return;
    if (trail[0].isConnected) {
      // Moved, or switched off for a while: it has lost the focus, though nobody took it away.
      if (held === trail[0] || off === trail[0]) trail[0].focus({ preventScroll: true });
      return;
    }
    const same = trail[0].id && document.getElementById(trail[0].id);
    const left = same || trail.find((element) => element.isConnected && element.id);
    if (!left) return;
    if (left !== same) left.tabIndex = -1;
    left.focus({ preventScroll: true });
  }

  // ---- After every swap, and once at the start --------------------------------------------------------
  on("htmx:after:swap", () => { localise(document); if ($(".tabs")) { mark(); look(); } title(); refocus(); });
  const plain = document.title;
  function title() {
    const mine = $(".tabs .badge");
    document.title = mine ? `● ${plain}` : plain;
  }
  const start = () => { localise(document); if ($(".tabs")) mark(); title(); };
  if (document.readyState === "loading") on("DOMContentLoaded", start);
  else start();
})();
