// Functions of the device: alerts, keeping the screen on, the offline page, the dice tray, and dragging
// rows of a fight. Loaded when the first of these is used.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const installed = matchMedia("(display-mode: standalone)").matches;
const on = { alerts: kept("alerts") === "on", awake: (kept("awake") ?? (installed ? "on" : "off")) === "on" };

// ---- The offline page ---------------------------------------------------------------------------
const worker = document.body.dataset.worker;
if (worker) navigator.serviceWorker?.register(worker).catch(() => {}); // otherwise the browser shows its own page

// ---- The screen stays on while the table is visible ---------------------------------------------
let lock = null;
async function stayAwake() {
  const wanted = on.awake && $("#feed") && document.visibilityState === "visible";
  if (wanted && !lock) {
    try {
      lock = await navigator.wakeLock?.request("screen");
      lock?.addEventListener("release", () => { lock = null; });
    } catch { lock = null; } // refused, for example at low battery
  } else if (!wanted && lock) await lock.release();
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

// ---- Alerts: one sound, vibration and notification for each new card ----------------------------
const calls = () => new Set([
  ...all("#waiting li.ask.mine").map((card) => card.id),
  ...all("#fight li.now[data-mine]").map((row) => `turn ${row.id}`),
]);
let known = calls();
let sound = null;
function ring() {
  sound ??= new AudioContext();
  [660, 880].forEach((pitch, place) => {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    const at = sound.currentTime + place * 0.16;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.2, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
    tone.connect(loud).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  });
}
export function call() {
  document.body.dataset.called = String(Number(document.body.dataset.called || 0) + 1);
  try { ring(); } catch { /* no sound on this device */ }
  navigator.vibrate?.([80, 60, 80]);
  // No names and no text of the table, because a notification may show on a locked screen.
  if (document.hidden && window.Notification?.permission === "granted") {
    const note = new Notification("Kitchen Table", { body: "The table needs you.", tag: "needs-you" });
    note.onclick = () => { window.focus(); note.close(); };
  }
}
function look() {
  const now = calls();
  const fresh = [...now].some((one) => !known.has(one));
  known = now;
  if (fresh && on.alerts) call();
}
for (const place of [$("#waiting"), $("#fight-in")]) {
  if (place) new MutationObserver(look).observe(place, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "id"] });
}

// htmx closes the feed of a hidden page, but alerts need it.
const feed = $("#feed");
function listenHidden() {
  const handler = feed?._htmx?.sse?.visibilityHandler;
  if (on.alerts && handler) document.removeEventListener("visibilitychange", handler);
}
feed?.addEventListener("htmx:sse:after:connection", listenHidden);
listenHidden();

// Toggles a setting of this device.
export async function changed(name, now) {
  on[name] = now;
  if (name === "awake") stayAwake();
  if (name === "alerts" && now) {
    listenHidden();
    if (window.Notification?.permission === "default") await Notification.requestPermission();
    call(); // as a sample
  }
}

// ---- The dice tray ------------------------------------------------------------------------------
let dice = new Map();
let plus = 0;
let keep = "";
function written() {
  const parts = [...dice].map(([die, many]) => `${many}${die}${keep && many > 1 ? `${keep}1` : ""}`);
  return parts.join("+") + (plus ? `${plus > 0 ? "+" : ""}${plus}` : "");
}
export function tray(button) {
  const form = button.form;
  const what = button.dataset.tray;
  if (what === "throw") {
    if (!dice.size) return;
    $("[name=text]", form).value = `/roll ${written()}`;
    form.requestSubmit();
  } else if (what === "clear") { dice = new Map(); plus = 0; keep = ""; }
  else if (/^[+-]1$/.test(what)) plus += Number(what);
  else if (what.startsWith("k")) keep = keep === what ? "" : what;
  else if ((dice.get(what) || 0) < 40) dice.set(what, (dice.get(what) || 0) + 1);
  for (const one of all("[data-tray^=k]", form)) one.setAttribute("aria-pressed", String(one.dataset.tray === keep));
  $(".expression", form).textContent = written();
}

// ---- Reordering the rows of a fight by dragging -------------------------------------------------
let dragged = null;
document.addEventListener("dragstart", (event) => { dragged = event.target.closest?.(".order li[data-row]"); });
document.addEventListener("dragover", (event) => {
  const over = dragged && event.target.closest?.(".order li[data-row]");
  for (const row of all(".order .over")) row.classList.toggle("over", row === over);
  if (!over) return;
  event.preventDefault();
  over.classList.add("over");
});
document.addEventListener("drop", (event) => {
  const over = dragged && event.target.closest?.(".order li[data-row]");
  if (!over || over === dragged) return;
  event.preventDefault();
  const form = $("#f-reorder");
  form.elements.entity.value = dragged.dataset.row;
  form.elements.before.value = over.dataset.row;
  form.requestSubmit();
  dragged = null;
});
// Makes rows draggable while reordering is on, also after the fight is rendered again.
let taking = false;
function takeable() {
  for (const row of all("#fight .order > li[data-row]")) {
    row.draggable = taking;
    if (taking) row.tabIndex = 0;
    else row.removeAttribute("tabindex");
  }
}
export function reorder(button) {
  if (!taking) new MutationObserver(takeable).observe($("#fight-in"), { childList: true, subtree: true });
  taking = true;
  button.textContent = "Drag rows, or press Alt and arrows";
  takeable();
  $("#fight .order > li[data-row]")?.focus();
}
document.addEventListener("keydown", (event) => {
  const row = taking && event.altKey && event.target.closest?.(".order > li[data-row]");
  const way = { ArrowUp: "earlier", ArrowDown: "later" }[event.key];
  if (!row || !way) return;
  event.preventDefault();
  const press = $(`[data-move=${way}]`, row);
  if (press) press.form.requestSubmit();
});
