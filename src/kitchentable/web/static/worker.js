// Caches the offline page with its style sheet, and nothing else.
const KEPT = "OFFLINE".split(" ");
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT.join()).then((cache) => cache.addAll(KEPT)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT.join()).map((name) => caches.delete(name)))));
});
self.addEventListener("fetch", (event) => {
  const kept = KEPT.find((address) => event.request.url === new URL(address, self.location).href);
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(KEPT[0])));
  else if (kept) event.respondWith(fetch(event.request).catch(() => caches.match(kept)));
});
