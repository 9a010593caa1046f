// Overseer's service worker: it stores pages that a player has opened, for use without network. It handles page loads and
// static files, network first, and nothing else: no forms, no polling, no requests of scripts. The server's headers say
// which pages may be stored (docs/architecture.md).
"use strict";

const RELEASE = {{ release|tojson }};
const FILES = `files:${RELEASE}`;
const NEEDED = {{ files|tojson }};
const STYLE = NEEDED.find((address) => address.includes("overseer.css"));
const PAGES = "pages:";
const MOST_PAGES = 48;
const PATIENCE = 10000; // milliseconds to wait for the network before a stored page is shown
const FILE_PATIENCE = 3000;

const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds, null); });
const addressOf = (url) => url.pathname + url.search;

// The stored pages of this browser's last player; null if that is not certain.
const keptPages = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  return names.length === 1 ? caches.open(names[0]) : null;
};
const keptCopy = async (address) => {
  const pages = await keptPages();
  return (pages && (await pages.match(address, { ignoreVary: true }))) || null;
};
const forgetOthers = async (owner) => {
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGES) && name !== PAGES + owner) await caches.delete(name);
  }
};

// Stores or deletes a page as its headers say, and deletes the pages of other owners. A response to a request that is
// older than the last change of owner, such as a sign-out, is not stored.
let asks = 0;
let current = { owner: null, since: 0 };
const outdated = (owner, order) => order < current.since && owner !== current.owner;
const settle = async (address, answer, order) => {
  const owner = answer.headers.get("Offline-For");
  if (owner !== null && outdated(owner, order)) return;
  if (owner !== null && owner !== current.owner) current = { owner, since: order };
  if (owner !== null) await forgetOthers(owner);
  if (answer.ok && owner && owner !== "none" && answer.headers.has("Offline-Copy")) {
    const headers = new Headers(answer.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    headers.set("Kept-At", String(Date.now()));
    const text = await answer.text();
    if (outdated(owner, order)) return;
    const pages = await caches.open(PAGES + owner);
    await pages.put(address, new Response(text, { headers }));
    if (outdated(owner, order)) await caches.delete(PAGES + owner);
    const all = await pages.keys();
    for (const oldest of all.slice(0, Math.max(0, all.length - MOST_PAGES))) await pages.delete(oldest);
  } else if (owner !== null || answer.type === "opaqueredirect") {
    const pages = await keptPages();
    if (pages) await pages.delete(address, { ignoreVary: true });
  }
};

// A stored page shows its hidden notice that it is a copy.
const shown = async (copy) => {
  const kept = copy.headers.get("Kept-At");
  const text = (await copy.text()).replace(/<html lang="[^"]+"/, `$& data-kept="${kept}"`).replace('id="no-network" hidden', 'id="no-network"');
  return new Response(text, { headers: copy.headers });
};
const nothingKept = async () => {
  const pages = await keptPages();
  const links = [];
  for (const request of pages ? await pages.keys() : []) {
    const text = await (await pages.match(request, { ignoreVary: true })).text();
    const title = (text.match(/<title>([^<]*)<\/title>/) || ["", ""])[1];
    links.push(`<li><a href="${addressOf(new URL(request.url)).replace(/&/g, "&amp;").replace(/"/g, "&quot;")}">${title || {{ _("A page")|tojson }}}</a></li>`);
  }
  const list = links.length ? `<p>{{ _("These are kept on this device:") }}</p><ul>${links.reverse().join("")}</ul>` : "";
  const body = `<!doctype html><html lang="{{ language() }}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>{{ _("No network") }} · Overseer</title><link rel="stylesheet" href="${STYLE}"></head><body><main class="page"><h1>{{ _("No network") }}</h1><p class="lede">{{ _("This page was not kept on this device. Load it again when there is network.") }}</p>${list}</main></body></html>`;
  return new Response(body, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'self'", "Cache-Control": "no-store" } });
};

// The network's response is returned as it arrives, without waiting for the cache.
const page = async (event, address) => {
  const order = asks += 1;
  const asked = fetch(event.request);
  // Registered first, so that the response is cloned before the browser reads it.
  event.waitUntil(asked.then((answer) => settle(address, answer.clone(), order)).catch(() => {}));
  try {
    return (await Promise.race([asked, wait(PATIENCE)])) || (await lateCopy(address)) || (await asked);
  } catch {
    return (await lateCopy(address)) || nothingKept();
  }
};
const lateCopy = async (address) => {
  const copy = await keptCopy(address);
  return copy ? shown(copy) : null;
};

const file = async (event) => {
  const { request } = event;
  const keep = async (answer) => {
    const files = await caches.open(FILES);
    const copy = await files.match(request, { ignoreVary: true });
    if (answer.ok && !(copy && copy.headers.get("ETag") === answer.headers.get("ETag"))) await files.put(request, answer);
  };
  // A stored page may be of an older release than the stored files: their names decide.
  const keptFile = async () => (await caches.open(FILES)).match(request, { ignoreVary: true, ignoreSearch: true });
  const asked = fetch(request);
  event.waitUntil(asked.then((answer) => keep(answer.clone())).catch(() => {}));
  try {
    return (await Promise.race([asked, wait(FILE_PATIENCE)])) || (await keptFile()) || (await asked);
  } catch {
    return (await keptFile()) || Response.error();
  }
};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((files) => files.addAll(NEEDED)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("files:") && name !== FILES) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});
// A notice from the server, encrypted for this browser.
self.addEventListener("push", (event) => {
  const said = event.data ? event.data.json() : {};
  const { title = "Overseer", body = "", page = "/", tag = "overseer" } = said;
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, icon: {{ icon|tojson }}, data: page }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data, self.location.origin);
  event.waitUntil((async () => {
    if (address.origin !== self.location.origin) return;
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = open.find((one) => new URL(one.url).pathname === address.pathname);
    await (shown ? shown.focus() : self.clients.openWindow(address.href));
  })());
});
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event, addressOf(url)));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(event));
});
