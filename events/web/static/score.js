// The desk's forms for a result show the result by the figures typed so far, as the server calculates it, and the total
// of each side next to its name; on a sheet, a full box goes on to the next one.
"use strict";

(() => {
  const AFTER = 250;
  const watch = (form) => {
    const place = form.querySelector("[data-live-score]");
    const sums = form.querySelectorAll("[data-sum-of]");
    const totals = (figures) => {
      for (const [side, sum] of sums.entries()) {
        sum.hidden = figures.length !== sums.length;
        sum.textContent = sum.hidden ? "" : `= ${figures[side].trim()}`;
      }
    };
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
        totals(figures.split(":"));
      } catch {
        place.hidden = true;
        totals([]);
      }
    };
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, AFTER);
    });
  };
  for (const form of document.querySelectorAll("form[data-total]")) watch(form);

  // A box is full if its greatest figure leaves no room for one more digit. With a Tab after each figure one types the
  // same sheet: the first Tab after a full box does nothing.
  const boxes = [...document.querySelectorAll(".sheet-box input[inputmode=numeric]")];
  const isFull = ({ value, dataset }) => /^\d+$/.test(value) && (value === "0" || Number(value) * 10 > Number(dataset.most));
  let movedTo = null;
  for (const [place, box] of boxes.entries()) {
    box.addEventListener("input", ({ inputType }) => {
      const next = boxes[place + 1];
      movedTo = null;
      if (!next || inputType !== "insertText" || !isFull(box)) return;
      next.focus();
      next.select();
      movedTo = next;
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && movedTo === box) event.preventDefault();
      if (event.key !== "Shift") movedTo = null;
    });
  }
})();
