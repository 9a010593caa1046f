// The desk's forms for a result show the result by the figures typed so far, as the server calculates it.
"use strict";

(() => {
  const AFTER = 250;
  const watch = (form) => {
    const place = form.querySelector("[data-live-score]");
    let waiting = 0;
    let asked = 0;
    const show = async () => {
      const mine = ++asked;
      const body = new URLSearchParams(new FormData(form));
      body.set("do", "total");
      try {
        const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin", headers: { Accept: "application/json" } });
        const { figures, won } = await answer.json();
        if (mine !== asked) return;
        place.querySelector("[data-figures]").textContent = figures || ":";
        place.querySelector("[data-won]").textContent = won;
        place.hidden = !won;
      } catch {
        place.hidden = true;
      }
    };
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, AFTER);
    });
  };
  for (const form of document.querySelectorAll("form[data-total]")) watch(form);
})();
