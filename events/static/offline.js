"use strict";
// Pages without network: keeps a player's pages on the own device by the service worker, says when what is shown is old,
// and forgets everything as soon as the browser is anybody else's. Needs https (or this very machine).
{
  const told = document.querySelector('meta[name="offline-for"]');
  const owner = told ? told.content : "none";
  const PAGES = "pages:";
  const line = document.getElementById("no-network");
  const keptAt = Number(document.documentElement.dataset.kept || NaN);
  const ASK_AGAIN = 5000;

  const forgetOthers = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PAGES) && name !== PAGES + owner) await caches.delete(name);
    }
  };
  const keep = async (address, text, said) => {
    if (owner === "none" || said.get("Offline-For") !== owner || !said.has("Offline-Copy")) return;
    const headers = new Headers(said);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    headers.set("Kept-At", String(Date.now()));
    await (await caches.open(PAGES + owner)).put(address, new Response(text, { headers }));
  };
  const here = location.pathname + location.search;
  const keepThis = async () => {
    const pages = await caches.open(PAGES + owner);
    if (await pages.match(here, { ignoreVary: true })) return;
    const answer = await fetch(here, { cache: "no-store", credentials: "same-origin" });
    if (answer.ok && !answer.redirected) await keep(here, await answer.text(), answer.headers);
  };

  if (self.caches && navigator.serviceWorker) {
    addEventListener("load", async () => {
      try {
        await forgetOthers();
        if (owner === "none" || !Number.isNaN(keptAt)) return;
        await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
        await navigator.serviceWorker.ready;
        if (told.hasAttribute("data-keep")) await keepThis();
      } catch {
        // no network, or a browser that keeps nothing: the pages work as ever
      }
    });
    // The page that follows the event has fetched itself anew: that is the newest there is.
    document.addEventListener("overseer:page", ({ detail }) => {
      keep(detail.address, detail.text, detail.headers).catch(() => {});
    });
  }

  // ---- The line: what is shown is not what is so.
  const hour = (moment) => {
    const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: line.dataset.zone };
    if (Date.now() - moment > 12 * 3600000) Object.assign(form, { weekday: "short", day: "numeric", month: "short" });
    return new Intl.DateTimeFormat("en-GB", form).format(moment);
  };
  if (line) {
    const at = line.querySelector("time");
    if (Number.isNaN(keptAt)) {
      document.addEventListener("overseer:network", ({ detail }) => {
        if (detail.gone && line.hidden) at.textContent = hour(detail.seen);
        line.hidden = !detail.gone;
      });
    } else {
      if (Date.now() - keptAt > 12 * 3600000) at.textContent = hour(Date.parse(at.dateTime));
      // As soon as the server answers the page is loaded anew; where something was typed, the reader does it.
      const ask = async () => {
        try {
          const answer = await fetch(location.href, { cache: "no-store", credentials: "same-origin", method: "HEAD" });
          if (answer.status >= 500) throw new Error("not yet");
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

  // ---- On the home screen: where the browser offers it, one press.
  const button = document.querySelector("[data-install]");
  if (button) {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      button.hidden = false;
      button.addEventListener("click", () => { event.prompt(); button.hidden = true; }, { once: true });
    });
  }
}
