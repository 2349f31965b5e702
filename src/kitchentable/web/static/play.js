// Keyboard shortcuts, search and completion; loaded with the first key. The keys can be switched off.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* shut: it holds for this page */ } };

// ---- Settings of this device: the sound of dice, and the keys -----------------------------------
const state = new Map();
const isOn = (name) => (state.get(name) ?? kept(name) ?? (name === "keys" ? "on" : "off")) === "on";
export function mark() {
  for (const one of all("[data-do][aria-pressed]")) one.setAttribute("aria-pressed", String(isOn(one.dataset.do)));
}
export async function set(button) {
  const name = button.dataset.do;
  if (name === "menu") return; // loaded only to show the settings
  if (name === "print") { print(); return; }
  if (name === "tray" || name === "reorder") { (await import(document.body.dataset.companion))[name](button); return; }
  if (name === "copy") { copy(button); return; }
  if (name === "add-row") { addRow(button); return; }
  const now = isOn(name) ? "off" : "on";
  state.set(name, now);
  keep(name, now);
  mark();
  if (["alerts", "awake"].includes(name)) (await import(document.body.dataset.companion)).changed(name, now === "on");
  if (name === "dice-sound" && now === "on") (await import(document.body.dataset.dice)).ringOut("knock");
}

// Moves to the blank row of a list, or adds another one.
function addRow(button) {
  const rows = all(":scope > .row", button.closest("fieldset"));
  const [last, count] = [rows.at(-1), rows.length];
  const fields = (row) => all("input:not([type=hidden]), select, textarea", row);
  if (fields(last).some((one) => one.matches("[type=text], textarea") && one.value)) {
    const row = last.cloneNode(true);
    all("[type=hidden], .problem, .note", row).forEach((one) => one.remove());
    for (const one of all("[name]", row)) one.name = one.name.replace(`.${count - 1}.`, `.${count}.`);
    for (const one of all("[id]", row)) one.id += `-${count}`;
    for (const one of all("[for]", row)) one.htmlFor += `-${count}`;
    for (const one of all("[list]", row)) one.setAttribute("list", `${one.getAttribute("list")}-${count}`);
    for (const one of all("label > span", row)) if (one.textContent === String(count)) one.textContent = count + 1;
    for (const one of fields(row)) {
      if (one.type === "checkbox") one.checked = false;
      else if (one.tagName === "SELECT") one.selectedIndex = 0;
      else one.value = "";
    }
    last.after(row);
  }
  fields(all(":scope > .row", button.closest("fieldset")).at(-1))[0]?.focus();
}

// Over plain HTTP a page has no clipboard API, so the text is selected and copied.
async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.innerText);
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) return;
  }
  button.textContent = "Copied";
}

// ---- Keys ---------------------------------------------------------------------------------------
let card = null; // the waiting card chosen by a digit
const show = (one) => {
  const pane = one.closest(".pane");
  if (pane && !pane.offsetParent) location.hash = pane.id;
  one.scrollIntoView({ block: "nearest" });
};
const go = (one) => { if (one) { show(one); one.focus(); } return one; };
// To the first thing that a card asks for, past links to rules and exact odds.
const enter = (one) => one && go(all("button, a.button, input, select, textarea", one).find((it) => it.type !== "hidden" && it.checkVisibility()) || $("summary, a", one));
function speak() {
  if ($("#say") && !$("#say").offsetParent) location.hash = "log";
  go($("#say"));
}
const KEYS = {
  "/": speak,
  c: speak,
  r: () => { if ($("#go")) { $("#roll-sheet").open = true; $("#go").focus(); } },
  n: () => go($("#fight [data-next], .verdict-next") || $("#fight .now a, #fight .now button")),
  q: () => {
    if ($("#queue")) $("#queue").showPopover();
    enter($("#waiting .ask.mine"));
  },
  "?": (openDialog) => { const help = $("a.keys, #menu a[data-dialog]:not([data-find])"); if (help) openDialog(help.href); },
};
const VERDICTS = { e: 0, m: 1, h: 2 };

export function press(event, search, bare, openDialog) {
  if (event.isComposing) return;
  const { key, target } = event;
  if (search) {
    const link = $("#menu a[data-find]");
    if (link && isOn("keys")) openDialog(link.href).then(() => $("#find")?.select());
    return;
  }
  if (!bare) { inside(event); return; }
  if (!isOn("keys") && key !== "?") return;
  const low = key.toLowerCase();
  const verdicts = card?.isConnected ? all(".verdicts fieldset button", card) : [];
  if (low in VERDICTS && verdicts.length) { verdicts[VERDICTS[low]]?.click(); card = null; return; }
  if (/^[1-9]$/.test(key)) {
    card = all("#waiting .ask.mine")[Number(key) - 1] || null;
    enter(card);
    return;
  }
  if (key === "Escape") card = null;
  else if (low in KEYS && target.isConnected) {
    event.preventDefault(); // the letter must not be typed into the newly focused field
    KEYS[low](openDialog);
  }
}

// ---- Search and chat line -----------------------------------------------------------------------
const said = []; // sent lines
let recalled = 0;
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id !== "command") return;
  said.push(ctx.request.body.get("text"));
  recalled = 0;
});
function recall(event, say) {
  const up = event.key === "ArrowUp";
  if (!said.length || (!recalled && (!up || say.value))) return;
  recalled = Math.min(said.length, Math.max(0, recalled + (up ? 1 : -1)));
  say.value = recalled ? said[said.length - recalled] : "";
  event.preventDefault();
}

function inside(event) {
  const { key, target } = event;
  if (target.id === "say" && ["ArrowUp", "ArrowDown"].includes(key)) { recall(event, target); return; }
  const found = $("#found");
  if (found && target.closest("dialog")) {
    const links = all("a", found), at = links.indexOf(document.activeElement);
    if (key === "ArrowDown") (links[at + 1] || links[0])?.focus();
    else if (key === "ArrowUp") (at > 0 ? links[at - 1] : $("#find")).focus();
  } else if (target.id === "say" && !target.list && target.dataset.lines) offer(target);
}

async function offer(say) {
  const list = document.createElement("datalist");
  list.id = "say-lines";
  say.after(list);
  say.setAttribute("list", list.id);
  const answer = await fetch(say.dataset.lines, { headers: { "HX-Request": "true" } }).catch(() => ({}));
  if (!answer.ok) { say.removeAttribute("list"); list.remove(); return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  list.append(...all("option", page));
}

mark();
