// The draft of a round: tap two players, or drag one onto the other, to swap them. It submits the page's own forms, which
// also work without script.
"use strict";

(() => {
  const draft = () => document.querySelector("[data-draft]");
  const seats = () => [...draft().querySelectorAll(".seat[data-player]")];
  const seatOf = (id) => draft().querySelector(`.seat[data-player="${CSS.escape(id)}"]`);
  const nameOf = (seat) => seat.querySelector("bdi").textContent;
  let chosen = "";
  let busy = false;

  const mark = (id) => {
    chosen = id;
    for (const seat of seats()) {
      const own = seat.dataset.player === id;
      seat.setAttribute("aria-pressed", String(own));
      seat.classList.toggle("chosen", own);
    }
    draft().classList.toggle("choosing", id !== "");
  };

  // The seats that can be swapped: those of locked pairs cannot.
  const offer = () => {
    const form = document.getElementById("swap");
    if (!form) return;
    for (const help of draft().querySelectorAll("[data-swap-help]")) help.hidden = false;
    for (const seat of seats()) {
      const locked = "locked" in seat.dataset;
      seat.classList.add("movable");
      seat.setAttribute("role", "button");
      seat.setAttribute("aria-pressed", "false");
      if (locked) seat.setAttribute("aria-disabled", "true");
      else {
        seat.tabIndex = 0;
        seat.draggable = true;
      }
    }
  };

  const putIn = (page) => {
    const fresh = page.querySelector("[data-draft]");
    if (!fresh) return false;
    const flashes = page.querySelector(".flashes");
    document.querySelector(".flashes").replaceChildren(...(flashes ? [...flashes.children].map((one) => document.importNode(one, true)) : []));
    const next = page.querySelector('[data-poll-part="next"]');
    const bar = document.querySelector('[data-poll-part="next"]');
    if (next && bar) bar.replaceChildren(...[...next.childNodes].map((one) => document.importNode(one, true)));
    const copy = document.importNode(fresh, true);
    draft().replaceWith(copy);
    enliven(copy);
    offer();
    for (const row of copy.querySelectorAll(".touched")) row.classList.add("changed");
    say([...page.querySelectorAll(".flashes .flash, #costs-in-short .draft-verdict, #costs-in-short .draft-said, .row-warning")].map((one) => one.textContent.trim()).join(" "));
    return true;
  };

  const send = async (form, button, focus) => {
    if (busy) return;
    busy = true;
    draft().setAttribute("aria-busy", "true");
    const body = new URLSearchParams(new FormData(form));
    if (button && button.name) body.set(button.name, button.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      chosen = "";
      if (!putIn(page)) location.reload(); // signed out, or the round is no draft any more
      else focus();
    } catch {
      say(gettext("No connection: nothing was changed."));
      mark("");
    } finally {
      busy = false;
      draft().removeAttribute("aria-busy");
    }
  };

  const swap = (one, other) => {
    const form = document.getElementById("swap");
    form.elements.one.value = one;
    form.elements.other.value = other;
    send(form, null, () => {
      const seat = seatOf(one);
      if (seat) seat.focus({ preventScroll: true });
    });
  };

  const press = (seat) => {
    if (busy) return;
    if ("locked" in seat.dataset) say(gettext("%(name)s is in a locked pair: unlock it first.", { name: nameOf(seat) }));
    else if (!chosen) {
      mark(seat.dataset.player);
      say(gettext("%(name)s is selected. Select the player to swap with, or the same player again to cancel.", { name: nameOf(seat) }));
    } else if (chosen === seat.dataset.player) {
      mark("");
      say(gettext("Selection cancelled."));
    } else swap(chosen, seat.dataset.player);
  };

  document.addEventListener("click", (event) => {
    const seat = event.target.closest(".seat.movable");
    if (seat) press(seat);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) mark("");
    const seat = event.target.closest && event.target.closest(".seat.movable");
    if (!seat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    press(seat);
  });

  // ---- Dragging, with a mouse
  document.addEventListener("dragstart", (event) => {
    const seat = event.target.closest && event.target.closest(".seat.movable");
    if (!seat || busy) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", nameOf(seat));
    mark(seat.dataset.player);
  });
  const under = (event) => {
    const at = event.target.closest && event.target.closest("[data-draft] :is(td, li)");
    const seat = at && at.querySelector(".seat.movable");
    return chosen && seat && !("locked" in seat.dataset) && seat.dataset.player !== chosen ? seat : null;
  };
  document.addEventListener("dragover", (event) => {
    const seat = under(event);
    for (const other of document.querySelectorAll(".seat.over")) if (other !== seat) other.classList.remove("over");
    if (!seat) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    seat.classList.add("over");
  });
  document.addEventListener("drop", (event) => {
    const seat = under(event);
    if (!seat) return;
    event.preventDefault();
    swap(chosen, seat.dataset.player);
  });
  document.addEventListener("dragend", () => {
    for (const seat of document.querySelectorAll(".seat.over")) seat.classList.remove("over");
    if (!busy) mark("");
  });

  // ---- Undo and the forms of the menu, without losing the scroll position
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("[data-draft] form[data-inplace]")) return;
    event.preventDefault();
    send(form, event.submitter, () => {
      const again = draft().querySelector(".errors, .draft-undo button");
      if (again) again.focus({ preventScroll: !again.matches(".errors") });
    });
  });

  offer();
})();
