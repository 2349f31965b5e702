// Animated dice in three dimensions, loaded with the first throw. Each die is turned so that it shows
// the face that the server threw. Drawn on one canvas in flat shades without sorting, because the
// visible faces of a convex solid never overlap.

const TILT = 0.5, EYE = 1100, LIGHT = unit([-0.4, 0.62, 0.68]), HALF = unit([-0.2, 0.31, 0.84]);
const ROLL = 1050, BETWEEN = 55, GLIDE = 300, MOST = 24;
const cos = Math.cos(TILT), sin = Math.sin(TILT);

// ---- Vectors and rotations ----------------------------------------------------------------------
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function less(a, b) { return a.map((one, at) => one - b[at]); }
function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
function unit(a) { const long = Math.hypot(...a) || 1; return a.map((one) => one / long); }
const mean = (list) => list[0].map((_, at) => list.reduce((sum, one) => sum + one[at], 0) / list.length);
const times = (matrix, a) => matrix.map((row) => dot(row, a));
const flip = (m) => [0, 1, 2].map((row) => [0, 1, 2].map((column) => m[column][row]));
const after = (one, other) => { const back = flip(other); return one.map((row) => back.map((column) => dot(row, column))); };
function turn([x, y, z], angle) {
  const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
  return [[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    [z * x * d - y * s, z * y * d + x * s, c + z * z * d]];
}

// ---- Solids -------------------------------------------------------------------------------------
const P = (1 + Math.sqrt(5)) / 2, signs = [1, -1];
const around = (a, b) => signs.flatMap((s) => signs.flatMap((t) => [[0, s * a, t * b], [s * a, t * b, 0], [t * b, 0, s * a]]));
const cube = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => [x, y, z])));
const ring = (count, height) => Array.from({ length: count }, (_, at) => [Math.cos(2 * Math.PI * at / count), Math.sin(2 * Math.PI * at / count), height(at)]);
const POINTS = {
  d4: [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
  d6: cube,
  d8: [0, 1, 2].flatMap((axis) => signs.map((s) => [0, 1, 2].map((at) => (at === axis ? s : 0)))),
  d10: [[0, 0, 1.05], [0, 0, -1.05], ...ring(10, (at) => (at % 2 ? -1 : 1) * 1.05 * Math.tan(Math.PI / 10) ** 2)],
  d12: [...cube, ...around(1 / P, P)],
  d20: around(1, P),
  coin: [...ring(18, () => 0.12), ...ring(18, () => -0.12)],
};
POINTS.d100 = POINTS.d20;
POINTS.token = POINTS.d12;
const solids = new Map();

// The faces of a convex solid: the planes through three corners with all other corners on one side.
function solid(kind) {
  if (solids.has(kind)) return solids.get(kind);
  const long = Math.max(...POINTS[kind].map((one) => Math.hypot(...one)));
  const points = POINTS[kind].map((one) => one.map((part) => part / long));
  const faces = new Map();
  for (let a = 0; a < points.length; a += 1) for (let b = a + 1; b < points.length; b += 1) for (let c = b + 1; c < points.length; c += 1) {
    let normal = unit(cross(less(points[b], points[a]), less(points[c], points[a])));
    if (dot(normal, points[a]) < 0) normal = normal.map((one) => -one);
    const high = dot(normal, points[a]);
    if (points.some((one) => dot(normal, one) > high + 1e-6)) continue;
    const corners = points.map((_, at) => at).filter((at) => dot(normal, points[at]) > high - 1e-6);
    faces.set(corners.join(), { normal, corners });
  }
  for (const face of faces.values()) {
    const middle = mean(face.corners.map((at) => points[at]));
    const first = unit(less(points[face.corners[0]], middle)), second = cross(face.normal, first);
    const angle = (at) => { const way = less(points[at], middle); return Math.atan2(dot(way, second), dot(way, first)); };
    face.corners.sort((one, other) => angle(one) - angle(other));
    const towards = face.corners.length === 4 && kind === "d6" ? mean([points[face.corners[0]], points[face.corners[1]]])
      : kind === "d10" ? points[face.corners.find((at) => at < 2)] : points[face.corners[0]];
    Object.assign(face, { middle, up: unit(less(towards, middle)), wide: Math.min(...face.corners.map((at) => Math.hypot(...less(points[at], middle)))) });
  }
  const made = { points, faces: [...faces.values()].filter((face) => kind !== "coin" || face.corners.length > 4).concat(kind === "coin" ? [...faces.values()].filter((face) => face.corners.length <= 4) : []) };
  solids.set(kind, made);
  return made;
}

// ---- A die: its face, colours and path ----------------------------------------------------------
const probe = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
function rgb(colour) {
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
const mix = (a, b, share) => a.map((one, at) => Math.round(one + (b[at] - one) * share));
const css = (colour, alpha = 1) => `rgb(${colour.join(" ")} / ${alpha})`;
const shapes = new Map();
const shapeOf = (name) => {
  if (!shapes.has(name)) shapes.set(name, new Path2D(document.querySelector(`#${name} path`)?.getAttribute("d") || ""));
  return shapes.get(name);
};

function dieOf(slot) {
  const [outline, mark] = slot.querySelectorAll("use");
  const kind = outline.getAttribute("href").slice(1);
  const text = slot.querySelector("text");
  const fell = mark ? mark.getAttribute("href").slice(1) : text?.textContent || "";
  const body = solid(kind in POINTS ? kind : "token");
  const many = kind === "d4" ? 4 : body.faces.length;
  const others = Array.from({ length: many }, (_, at) => `${at + 1}`).filter((one) => one !== fell);
  if (fell.startsWith("face-") && kind === "d6") others.splice(0, 5, "face-plus", "face-minus", "face-plus", "face-blank", "face-minus");
  const look = getComputedStyle(slot);
  const top = kind === "d4" ? body.points[0] : body.faces[0].normal;
  const up = kind === "d4" ? cross(top, [0, 0, 1]) : body.faces[0].up;
  const rest = [cross(unit(up), unit(top)), unit(up), unit(top)];
  return { slot, body, kind, labels: [fell, ...others], colour: rgb(look.fill), ink: rgb(getComputedStyle(text || slot.querySelector("svg")).fill), shade: [18, 8, 26], mark: fell, rest, small: look.scale !== "none" };
}

function draw(pen, die, turned, x, y, size, high) {
  const { body, colour, ink } = die;
  const scale = size * EYE / (EYE - high);
  const cy = y - high * sin * 0.6;
  const corners = body.points.map((one) => {
    const [px, py, pz] = times(turned, one);
    return [x + px * scale, cy - (py * cos + pz * sin) * scale];
  });
  body.faces.forEach((face, at) => {
    const raw = times(turned, face.normal), normal = [raw[0], raw[1] * cos + raw[2] * sin, -raw[1] * sin + raw[2] * cos];
    if (normal[2] <= 0.001) return;
    const lit = Math.max(0, dot(normal, LIGHT)), shine = Math.max(0, dot(normal, HALF)) ** 18;
    const flat = lit < 0.62 ? mix(colour, die.shade, (0.62 - lit) * 0.85) : mix(colour, [255, 255, 255], (lit - 0.62) * 0.55);
    pen.beginPath();
    face.corners.forEach((corner) => pen.lineTo(...corners[corner]));
    pen.closePath();
    pen.fillStyle = css(mix(flat, [255, 255, 255], shine * 0.3));
    pen.fill();
    pen.lineJoin = "round";
    pen.lineWidth = Math.max(1, scale * 0.035);
    pen.strokeStyle = css(mix(flat, [255, 255, 255], 0.32));
    pen.stroke();
    const places = die.kind === "d4" ? face.corners.map((corner) => [die.labels[corner], body.points[corner]]) : [[die.labels[at], null]];
    for (const [label, corner] of places) {
      if (!label) continue;
      const up3 = times(turned, corner ? unit(less(corner, face.middle)) : face.up);
      const right3 = cross(up3, raw);
      const middle = times(turned, corner ? mean([face.middle, face.middle, corner]) : face.middle);
      const plane = (one) => [one[0] * scale, -(one[1] * cos + one[2] * sin) * scale];
      const u = plane(right3), v = plane(up3), [mx, my] = plane(middle);
      pen.save();
      pen.transform(u[0], u[1], -v[0], -v[1], x + mx, cy + my);
      pen.fillStyle = css(ink, Math.min(1, normal[2] * 2.4));
      const tall = face.wide * (corner ? 0.34 : die.kind === "d20" || die.kind === "d8" ? 0.62 : die.kind === "d10" ? 0.72 : 0.86);
      if (label.startsWith("face-")) {
        pen.scale(tall / 34, tall / 34);
        pen.translate(-24, -24);
        pen.fill(shapeOf(label));
      } else {
        const shown = label.length > 3 ? label.slice(0, 3) : label;
        pen.scale(tall / 100, tall / 100);
        pen.font = `700 ${shown.length > 2 ? 72 : 100}px "Literata Variable", Georgia, serif`;
        pen.textAlign = "center";
        pen.textBaseline = "alphabetic";
        pen.fillText(shown, 0, 34);
      }
      pen.restore();
    }
  });
}

function shadow(pen, x, y, size, high) {
  const wide = size * (1 + high / 260), dark = 0.34 / (1 + high / 60);
  const spread = pen.createRadialGradient(0, 0, 0, 0, 0, wide);
  spread.addColorStop(0, `rgb(20 12 4 / ${dark})`);
  spread.addColorStop(0.6, `rgb(20 12 4 / ${dark * 0.6})`);
  spread.addColorStop(1, "rgb(20 12 4 / 0)");
  pen.save();
  pen.translate(x + high * 0.25 + size * 0.12, y + size * 0.38 + high * 0.1);
  pen.scale(1, 0.62);
  pen.fillStyle = spread;
  pen.fillRect(-wide, -wide, wide * 2, wide * 2);
  pen.restore();
}

// ---- Sound, off by default ----------------------------------------------------------------------
let sound = null;
const isLoud = () => { try { return localStorage.getItem("dice-sound") === "on"; } catch { return false; } };
function noise(at, long, pitch, loud) {
  const source = sound.createBufferSource(), filter = sound.createBiquadFilter(), gain = sound.createGain();
  const buffer = sound.createBuffer(1, sound.sampleRate * long, sound.sampleRate);
  const grains = buffer.getChannelData(0);
  for (let i = 0; i < grains.length; i += 1) grains[i] = (Math.random() * 2 - 1) * (1 - i / grains.length) ** 4;
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(sound.destination);
  source.start(at);
}
function tone(at, pitch, long, loud) {
  const source = sound.createOscillator(), gain = sound.createGain();
  source.type = "triangle";
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(gain).connect(sound.destination);
  source.start(at);
  source.stop(at + long);
}
export function ringOut(moment, wait = 0) {
  sound ??= new AudioContext();
  sound.resume();
  const at = sound.currentTime + wait;
  if (moment === "knock") noise(at, 0.05, 1500 + Math.random() * 1400, 0.5);
  else if (moment === "kick") [1047, 1319, 1568, 2093].forEach((pitch, step) => tone(at + step * 0.07, pitch, 0.5, 0.12));
  else { tone(at, 98, 0.5, 0.3); noise(at, 0.25, 240, 0.6); }
}

// ---- The throw ----------------------------------------------------------------------------------
let canvas = null;
let flights = [];

function stage() {
  if (!canvas) {
    canvas = document.createElement("canvas");
    canvas.id = "thrown";
    canvas.setAttribute("aria-hidden", "true");
    Object.assign(canvas.style, { position: "fixed", inset: "0", width: "100%", height: "100%", pointerEvents: "none", zIndex: "30" });
  }
  if (!canvas.isConnected) document.body.append(canvas);
  const dense = Math.min(2, devicePixelRatio || 1);
  if (canvas.width !== innerWidth * dense || canvas.height !== innerHeight * dense) Object.assign(canvas, { width: innerWidth * dense, height: innerHeight * dense });
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  return pen;
}

/** Throw the dice of these entries of the log; each tells its result when they have landed.
    `since` is when the entries came: where the file took too long, they have been shown. */
export function cast(entries, since) {
  if (document.hidden || performance.now() - since > 2000) return;
  for (const entry of entries) {
    const slots = [...entry.querySelectorAll(".sum .die")];
    if (!slots.length || slots.length > MOST || !entry.isConnected) continue;
    fly(entry, slots);
  }
}

function fly(entry, slots) {
  const card = entry.firstElementChild.closest(".card") || entry.querySelector(".card") || entry;
  const told = [...card.querySelectorAll("strong, .out, .had, .line, footer, .part")];
  const dice = slots.map(dieOf);
  for (const one of [...told, ...slots]) Object.assign(one.style, { opacity: "0", animation: "none" });
  Object.assign(card.style, { background: "none", animation: "none" });
  entry.setAttribute("aria-busy", "true");
  const pane = (document.querySelector("#log")?.offsetParent ? document.querySelector("#log") : document.body).getBoundingClientRect();
  const small = Math.min(innerWidth, pane.width) < 600;
  const size = (small ? 34 : 50) * Math.min(1, Math.sqrt(8 / dice.length));
  const columns = Math.min(dice.length, Math.max(1, Math.floor(pane.width * 0.8 / (size * 2.5))));
  const rows = Math.ceil(dice.length / columns);
  const own = entry.querySelector(".undo") !== null;
  const flight = { entry, card, told, slots, start: performance.now(), size, dice, moment: "", over: 0 };
  dice.forEach((die, at) => {
    const column = at % columns, row = Math.floor(at / columns), inRow = row < rows - 1 ? columns : dice.length - row * columns;
    const swing = () => (Math.random() - 0.5) * size * 0.5;
    die.to = [pane.left + pane.width / 2 + (column - (inRow - 1) / 2) * size * 2.4 + swing(), pane.top + pane.height * 0.52 + (row - (rows - 1) / 2) * size * 2.3 + swing()];
    const side = at % 2 ? 1 : -1;
    die.from = own ? [die.to[0] + side * 90 + swing() * 4, innerHeight + size * 2] : [(side < 0 ? -1 : 1) * size * 2 + (side < 0 ? 0 : innerWidth), die.to[1] - 120 + swing() * 3];
    const way = unit([die.to[0] - die.from[0], die.from[1] - die.to[1], 0]);
    die.axis = [-way[1], way[0], 0];
    die.far = Math.hypot(die.to[0] - die.from[0], die.to[1] - die.from[1]);
    die.spin = swing() / size * 5;
    die.twist = (Math.random() - 0.5) * 0.5;
    die.wait = at * BETWEEN;
    if (isLoud()) for (const knock of [0.2, 0.6, 0.9]) ringOut("knock", (die.wait + knock * ROLL * 0.8) / 1000);
  });
  flight.landed = ROLL + (dice.length - 1) * BETWEEN;
  flight.moment = dice.find(({ mark }) => /kick|flub/.test(mark))?.mark.slice(5) || (card.matches(".t-splendid") ? "kick" : "");
  flight.glide = flight.landed + (flight.moment ? 560 : 220);
  if (flight.moment && isLoud()) ringOut(flight.moment, flight.landed / 1000);
  flights.push(flight);
  if (flights.length === 1) requestAnimationFrame(frame);
}

const ease = (u) => 1 - (1 - u) ** 2.4;

function frame(now) {
  const pen = stage();
  pen.clearRect(0, 0, innerWidth, innerHeight);
  for (const flight of flights) show(pen, flight, now - flight.start);
  flights = flights.filter((flight) => !flight.over);
  if (flights.length) requestAnimationFrame(frame);
  else canvas.remove();
}

function show(pen, flight, time) {
  const gliding = Math.min(1, Math.max(0, (time - flight.glide) / GLIDE));
  const soft = gliding * gliding * (3 - 2 * gliding);
  if (flight.moment && time > flight.landed) burst(pen, flight, Math.min(1, (time - flight.landed) / 420), 1 - soft);
  const placed = flight.dice.map((die) => {
    const u = Math.min(1, Math.max(0, (time - die.wait) / ROLL)), gone = ease(u);
    const left = 1 - gone, box = die.slot.getBoundingClientRect();
    const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    const x = die.from[0] + (die.to[0] - die.from[0]) * gone, y = die.from[1] + (die.to[1] - die.from[1]) * gone;
    const home = seen ? [box.left + box.width / 2, box.top + box.height / 2] : [x, y];
    const size = flight.size + ((seen ? box.width * 0.5 : flight.size) - flight.size) * soft;
    const upright = after(turn([0, 0, 1], die.twist * (1 - soft)), die.rest);
    const turned = after(turn(die.axis, -left * die.far / flight.size * 0.85), after(turn([0, 0, 1], left * die.spin), upright));
    const low = -Math.min(...die.body.points.map((one) => times(turned, one)[2]));
    const flat = -Math.min(...die.body.points.map((one) => times(upright, one)[2]));
    const bounce = 150 * (1 - u) ** 2 * Math.abs(Math.cos(Math.PI * 2.6 * u));
    return { die, turned, x: x + (home[0] - x) * soft, y: y + (home[1] - y) * soft, size, high: (low - flat) * size + bounce, fade: seen ? 1 : 1 - soft };
  });
  placed.sort((one, other) => one.y - other.y);
  for (const one of placed) { pen.globalAlpha = one.fade * (1 - soft); shadow(pen, one.x, one.y, one.size, one.high); }
  for (const one of placed) { pen.globalAlpha = one.fade; draw(pen, one.die, one.turned, one.x, one.y, one.size, one.high); }
  pen.globalAlpha = 1;
  if (gliding === 1) land(flight);
}

function land(flight) {
  flight.over = 1;
  flight.entry.removeAttribute("aria-busy");
  for (const one of flight.slots) one.style.opacity = "";
  for (const one of flight.told) {
    one.style.opacity = "";
    one.animate([{ opacity: 0, translate: "0 .4rem" }, {}], { duration: 220, easing: "ease-out" });
  }
  flight.card.style.background = "";
  flight.card.animate([{ background: "none" }, {}], 420);
}

// The effects of kicks and flubs.
function burst(pen, flight, u, alpha) {
  const die = flight.dice.find(({ mark }) => mark === `face-${flight.moment}`) || flight.dice[0];
  const [x, y] = die.to, open = 1 - (1 - u) ** 3, kick = flight.moment === "kick";
  pen.save();
  pen.globalAlpha = alpha * (kick ? 0.9 : 0.75);
  pen.translate(x, y - flight.size * 0.2);
  const size = flight.size * (kick ? 2.3 : 2.1) / 100 * open;
  pen.scale(size, size);
  if (kick) pen.rotate(u * 0.25);
  pen.translate(-100, -100);
  pen.fillStyle = css(die.colour);
  pen.fill(shapeOf(kick ? "rays" : "stain"));
  pen.restore();
}
