"use strict";
// Offline pages: a service worker stores a player's pages on the device, marks old ones, and deletes everything when the
// browser signs in somebody else. Needs HTTPS or localhost.
{
  const meta = document.querySelector('meta[name="offline-for"]');
  const owner = meta ? meta.content : "none";
  const PAGES = "pages:";
  const line = document.getElementById("no-network");
  const keptAt = Number(document.documentElement.dataset.kept || NaN);
  const ASK_AGAIN = 5000;
  const KEPT_FOR = 3600000;

  const forgetOthers = async (whose) => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PAGES) && name !== PAGES + whose) await caches.delete(name);
    }
  };
  // The owner of the stored pages, shared by all tabs: a tab that waits for an answer sees a sign-out by it.
  const OWNER = "overseer.owner";
  const setOwner = (whose) => {
    try {
      localStorage.setItem(OWNER, whose);
    } catch {
      // private browsing: the next page tries again
    }
  };
  const isOwner = () => {
    try {
      return localStorage.getItem(OWNER) === owner;
    } catch {
      return true;
    }
  };
  const keep = async (address, text, headers) => {
    const whose = headers.get("Offline-For");
    if (whose !== null && whose !== owner) await forgetOthers(whose);
    if (owner === "none" || whose !== owner || !headers.has("Offline-Copy") || !isOwner()) return;
    const kept = new Headers(headers);
    for (const name of ["Content-Encoding", "Content-Length"]) kept.delete(name);
    kept.set("Kept-At", String(Date.now()));
    await (await caches.open(PAGES + owner)).put(address, new Response(text, { headers: kept }));
    if (!isOwner()) await caches.delete(PAGES + owner);
  };
  const here = location.pathname + location.search;
  // This page, and the pages of every entry that this browser holds, of which an old copy is replaced.
  const keepAll = async () => {
    const pages = await caches.open(PAGES + owner);
    const entries = meta.dataset.entries.split(" ").filter(Boolean);
    for (const address of meta.hasAttribute("data-keep") ? [here, ...entries] : entries) {
      const copy = await pages.match(address, { ignoreVary: true });
      if (copy && (address === here || Date.now() - Number(copy.headers.get("Kept-At")) < KEPT_FOR)) continue;
      const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
      if (answer.ok && !answer.redirected) await keep(address, await answer.text(), answer.headers);
    }
  };

  if (self.caches && navigator.serviceWorker) {
    addEventListener("load", async () => {
      try {
        if (Number.isNaN(keptAt)) setOwner(owner);
        await forgetOthers(owner);
        if (owner === "none" || !Number.isNaN(keptAt)) return;
        await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
        await navigator.serviceWorker.ready;
        await keepAll();
      } catch {
        // no network, or no storage: the pages still work
      }
    });
    // Signing out deletes the stored pages before the server answers, so also without network.
    document.addEventListener("submit", (event) => {
      if (event.defaultPrevented || !event.target.action.endsWith("/me/forget")) return;
      setOwner("none");
      caches.delete(PAGES + owner).catch(() => {});
      forgetOthers("none").catch(() => {});
    });
    // A live page has just fetched itself: that is the newest version.
    document.addEventListener("overseer:page", ({ detail }) => {
      keep(detail.address, detail.text, detail.headers).catch(() => {});
    });
  }

  // ---- The notice that the page is old.
  const hour = (moment) => shownTime(moment, line.dataset.zone);
  if (line) {
    const at = line.querySelector("time");
    if (Number.isNaN(keptAt)) {
      document.addEventListener("overseer:network", ({ detail }) => {
        if (detail.gone && line.hidden) at.textContent = hour(detail.seen);
        line.hidden = !detail.gone;
      });
    } else {
      if (Date.now() - keptAt > 12 * 3600000) at.textContent = hour(Date.parse(at.dateTime));
      // Reload as soon as the server answers, unless the reader has typed something.
      const ask = async () => {
        try {
          const answer = await fetch(location.href, { cache: "no-store", credentials: "same-origin", method: "HEAD" });
          if (answer.status >= 500) throw new Error(String(answer.status));
          const typed = [...document.querySelectorAll("main input:not([type=hidden]), main textarea, main select")].length > 0;
          if (typed) line.querySelector("[data-back]").hidden = false;
          else location.reload();
        } catch {
          setTimeout(ask, ASK_AGAIN);
        }
      };
      addEventListener("online", ask);
      setTimeout(ask, ASK_AGAIN);
    }
  }

  // ---- Add to the home screen, if the browser offers it.
  const button = document.querySelector("[data-install]");
  if (button) {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      button.hidden = false;
      button.addEventListener("click", () => { event.prompt(); button.hidden = true; }, { once: true });
    });
  }
}
