// Improvements of pages that also work without scripts: the state of the live feed, scrolling of the
// log, the chat line, dialogs, steppers.
(() => {
  "use strict";
  const { $, all, on, feed, refresh, complain, book, renew, isGet, fillIn } = forms;
  const hour = (date) => date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });

  // ---- Times in the reader's time zone ----------------------------------------------------------
  const localise = (root) => all("time[datetime]:not([title])", root).forEach((time) => {
    const date = new Date(time.dateTime);
    if (isNaN(date)) return;
    time.title = date.toLocaleString();
    time.textContent = time.dataset.day === undefined ? hour(date) : date.toLocaleDateString([], { dateStyle: "long" });
  });

  // ---- Morphing keeps opened details, and the ids of commands -----------------------------------
  // A command that may have arrived must keep its id when it is sent again.
  htmx.registerExtension("kitchen-table", {
    htmx_before_morph_attr: (element, { attrName }) =>
      !(attrName === "open" && element.tagName === "DETAILS") && !(attrName === "value" && element.name === "command"),
  });

  // ---- The state of the live feed ---------------------------------------------------------------
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
    words.textContent = { live: "Live", wait: "Reconnecting", gone: "Your seat has ended" }[state]
      || `Offline since ${hour(since)}`;
  }

  if (feed) {
    const period = (feed.dataset.alive || 20) * 1000;
    const busy = (yes) => $("#scroll")?.setAttribute("aria-busy", yes);
    const down = () => show(!navigator.onLine || (since && Date.now() - since > 8000) ? "off" : "wait");
    let ended = false;

    const hurry = () => { if (!ended && since) connection?.delayCanceller?.(); };
    on("htmx:sse:before:connection", down, feed);
    on("htmx:sse:after:connection", (event) => {
      connection = event.detail.connection;
      lastSign = Date.now();
      busy(true); // missed entries come now, then the first heartbeat
    }, feed);
    on("htmx:sse:before:message", () => { lastSign = Date.now(); }, feed);
    on("alive", () => { busy(false); show("live"); }, feed);
    on("moves", refresh, feed);
    on("reload", () => location.reload(), feed);
    on("bye", () => { ended = true; show("gone"); busy(false); setTimeout(() => location.reload(), 1500); }, feed);
    on("htmx:sse:error", down, feed);
    on("htmx:sse:close", () => { if (!ended) down(); }, feed);
    for (const name of ["htmx:error", "htmx:response:error"]) {
      // The extension does not retry a failed first connection.
      on(name, () => { down(); setTimeout(() => htmx.trigger(feed, "retry"), 3000); }, feed);
    }
    // Nothing else detects a stream that is open but silent.
    setInterval(() => {
      if (ended || document.hidden) return;
      if (since) down();
      if (lastSign && Date.now() - lastSign > period * 2.5) {
        down();
        lastSign = Date.now();
        connection?.reader?.cancel();
      }
    }, 2000);
    on("offline", () => show("off"), window);
    // A page from the browser's back-forward cache is outdated.
    on("pageshow", ({ persisted }) => { if (persisted) location.reload(); }, window);
    // A stream that survived the outage is reopened, because its next heartbeat may be far off.
    on("online", () => { connection?.reader?.cancel(); hurry(); }, window);
    on("htmx:after:request", ({ detail: { ctx } }) => { if (ctx.sourceElement !== feed && ctx.response) hurry(); });
    show("wait");
  }

  // ---- The log keeps the reader's place ---------------------------------------------------------
  const scroll = $("#scroll");
  const newer = $("#newer");
  if (scroll) {
    // The log is scrolled from the bottom: 0 is the newest entry, older ones are negative.
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
      else if (grown) { scroll.scrollTop -= grown; newer.hidden = false; }
    }).observe($("#log-list"), { childList: true });
    const resized = new ResizeObserver(() => { height = scroll.scrollHeight; if (follow) scroll.scrollTop = 0; });
    resized.observe(scroll);
    resized.observe(scroll.firstElementChild);
    on("click", () => { follow = true; newer.hidden = true; scroll.scrollTop = 0; }, newer);
  }

  // ---- The chat line ----------------------------------------------------------------------------
  const say = $("#say");
  const lines = new WeakMap();
  if (say) {
    // The field is emptied when a line is sent, so that the next one can be typed at once.
    on("htmx:config:request", (event) => {
      const { ctx } = event.detail;
      const form = ctx.sourceElement;
      if (form.id !== "command") return;
      if (!say.value.trim()) { event.preventDefault(); return; }
      lines.set(ctx, { text: say.value, id: form.elements.command.value });
      $("#say-error").textContent = say.value = "";
      book(form).mine.delete("text");
      renew(form);
    }, document, true);
  }

  // Puts a line that could not be sent back into the field; play.js recalls earlier lines.
  function unsaid(ctx) {
    const line = lines.get(ctx);
    if (!line || say.value) return;
    say.value = line.text;
    say.dispatchEvent(new Event("input", { bubbles: true }));
    say.form.elements.command.value = line.id;
  }

  // ---- Scripts that are loaded when first used --------------------------------------------------
  // play.js (keys, completion, search) with the first key, dice.js with the first throw. Browsers cache
  // a failed import, so the next attempt has another address.
  const { play, dice, companion } = document.body.dataset;
  const late = {};
  let again = "";
  const load = (file) => late[file] ||= import(file + again).catch(() => { late[file] = 0; again += "?"; });
  on("keydown", (event) => {
    const { key, target } = event;
    const search = (event.ctrlKey || event.metaKey) && key === "k";
    const bare = !event.ctrlKey && !event.metaKey && !event.altKey && !target.closest("input, select, textarea, dialog");
    if (!search && !bare && !target.matches("#say, dialog *")) return;
    if (search || (bare && key === "/")) event.preventDefault();
    load(play).then((it) => it?.press(event, search, bare, openDialog));
  });
  function cast(since) {
    const fallen = all("#log-list > .fresh:not([data-cast]):has(.die)");
    const hide = (opacity) => { for (const { style } of fallen) style.opacity = opacity; };
    for (const entry of fallen) entry.dataset.cast = "";
    if (!fallen.length || matchMedia("(prefers-reduced-motion)").matches) return;
    hide(0);
    setTimeout(hide, 2000, ""); // without the file, the style sheet animates the dice
    load(dice).then((throws) => throws.cast(fallen, since)).finally(() => hide(""));
  }

  const ROLLS = "#moves, #moves-in";
  // ---- Sending ----------------------------------------------------------------------------------
  on("htmx:before:request", ({ detail: { ctx } }) => {
    if (isGet(ctx) || !ctx.sourceElement.closest(ROLLS)) return;
    lookUntil = Date.now() + 20000;
    cards = new Set(waiting());
    if (ctx.sourceElement.id === "move-form") showSheet(false);
  });
  on("htmx:before:swap", ({ detail: { ctx } }) => { if (ctx.response?.status >= 400) lookUntil = 0; });
  on("htmx:after:request", ({ detail: { ctx } }) => {
    if (isGet(ctx) || ctx.response.status >= 400) return;
    if (lookUntil && ctx.sourceElement.closest(ROLLS)) { lookUntil = Date.now() + 1500; look(); }
  });

  // Shows the result of a move: its waiting card, or on a phone the tab with the dice.
  let lookUntil = 0;
  let cards = new Set();
  let rolls = 0;
  const waiting = () => all("#waiting li.ask").map((card) => card.id);
  function look() {
    const fallen = all("#log-list .fresh .card:has(.die)").length;
    const came = fallen > rolls;
    rolls = fallen;
    const phone = $(".tabs").offsetParent && !document.activeElement.matches("input, textarea, select");
    if (Date.now() > lookUntil) return;
    if (came && phone) { location.hash = "log"; lookUntil = 0; }
    else if (waiting().some((id) => !cards.has(id))) { if (phone) location.hash = "moves"; else $(".right").scrollTop = 0; }
  }

  // A card that has just moved or arrived ignores taps for a moment, because the tap was meant for
  // another card.
  let tops = {};
  const top = (card) => card.getBoundingClientRect().top;
  const stay = () => { tops = Object.fromEntries(all("#waiting .card").map((card) => [card.id, top(card)])); };
  const settle = () => all("#waiting .card").forEach((card) => {
    if (!(Math.abs(top(card) - tops[card.id]) <= 4)) card.animate({ pointerEvents: ["none", "none"] }, 400);
  });

  // ---- The panel of moves -----------------------------------------------------------------------
  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey;
  // Closing also folds More, so that the questions are visible the next time.
  const showSheet = (open) => {
    $("#roll-sheet")?.toggleAttribute("open", open);
    if (!open) $("#more-moves")?.removeAttribute("open");
  };
  on("keydown", (event) => { if (event.key === "Escape") showSheet(false); });
  on("click", (event) => {
    const row = event.target.closest("a[data-fills]");
    if (row && $("#move-form") && isPlain(event)) {
      event.preventDefault();
      dialog.close();
      fillIn(row);
      showSheet(true);
      $("#go")?.focus({ preventScroll: true });
    } else if (!event.target.closest("#dock, dialog")) showSheet(false);
  });

  on("htmx:response:error", (event) => {
    const { ctx } = event.detail;
    const answer = new DOMParser().parseFromString(ctx.text || "", "text/html");
    const sentence = $("[data-code]", answer)?.textContent.trim();
    // A refused form shows its own problems.
    if (ctx.sourceElement === feed || (ctx.response.status === 422 && !sentence)) return;
    unsaid(ctx);
    complain(ctx.request.form || ctx.sourceElement,
      sentence || `That failed (error ${ctx.response.status}). Nothing was lost. Try again.`);
  });
  on("htmx:error", (event) => {
    const { ctx } = event.detail;
    if (!ctx || ctx.sourceElement === feed || ctx.response) return;
    if (ctx.sourceElement.id === "moves-in") setTimeout(refresh, 3000);
    if (isGet(ctx)) return;
    unsaid(ctx);
    const sheet = ctx.sourceElement.id === "builder"; // saves itself
    if (sheet) setTimeout(() => htmx.trigger(ctx.sourceElement, "input"), 4000);
    if (sheet && $("#toast p")) return;
    complain(ctx.request.form || ctx.sourceElement, `The table could not be reached. Your text is still here${sheet ? " and will be sent again." : ". Send it again."}`);
  });

  // ---- Pages that open as dialogs ---------------------------------------------------------------
  const dialog = $("#dialog");
  async function openDialog(href) {
    const place = $("#dialog-in");
    place.replaceChildren();
    await htmx.ajax("GET", href, { target: place, swap: "innerHTML", headers: { "KT-Fragment": "1" } });
    if (!place.firstChild) return complain(null, "The table could not be reached.");
    if (!dialog.open) dialog.showModal();
    dialog.ariaLabel = $("h1, h2", dialog)?.textContent.trim();
  }
  on("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (link && isPlain(event)) {
      event.preventDefault();
      $("#menu")?.hidePopover?.();
      openDialog(link.href);
      return;
    }
    if (event.target === dialog) dialog.close();
    if (event.target.closest("dialog [data-close]")) { event.preventDefault(); dialog.close(); }
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = $("input", step.parentElement);
      if (input.value === "") input.value = input.min || 0;
      else if (step.dataset.step > 0) input.stepUp();
      else input.stepDown();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const pressed = event.target.closest("[data-do]");
    if (pressed) load(play).then((it) => it?.set(pressed));
  });

  // ---- Tabs of a phone --------------------------------------------------------------------------
  function mark() {
    const pane = all(".pane").find((one) => one.offsetParent);
    for (const tab of all(".tabs a")) tab.ariaCurrent = tab.hash === `#${pane?.id}` || null;
    return pane;
  }
  on("hashchange", () => { if (mark()?.id === "log") scroll.scrollTop = 0; }, window);

  // ---- Settings of this device ------------------------------------------------------------------
  const switched = (name) => { try { return localStorage.getItem(name) === "on"; } catch { return false; } };
  if (matchMedia("(display-mode: standalone)").matches || ["alerts", "awake"].some(switched)) load(companion);

  // ---- After every swap, and at the start -------------------------------------------------------
  on("htmx:before:swap", ({ detail: { tasks } }) => { stay(); tasks.forEach(({ fragment }) => localise(fragment)); });
  on("htmx:after:swap", ({ detail: { ctx } }) => {
    if ($(".tabs")) { mark(); cast(performance.now()); look(); }
    settle();
    if ($("#roll-sheet .refuses")) showSheet(true);
    if (ctx?.response?.status === 422) $(".refuses")?.scrollIntoView(false);
    title();
  });
  const plain = document.title;
  function title() {
    document.title = ($(".tabs .badge") ? "● " : "") + plain;
  }
  localise(document);
  if ($(".tabs")) mark();
  title();
})();
