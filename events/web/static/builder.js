// The force builder: saves each input, updates the total and the verdict, and redraws the builder in place when a button
// is pressed. A choice that a finger or a mouse makes is added at once. The form works without script. Uses say() and
// enliven() of overseer.js; sends "drawn" to the form after it replaced parts, and "added" with what a button added.
"use strict";

(() => {
  const WAIT = 150; // milliseconds of quiet before a change is sent
  const GIVE_UP = 8000;
  const AGAIN = 4000;
  const PAUSE = 1000;
  const SHOWN_FOR = 5000; // milliseconds that the head says what was added

  const form = document.getElementById("builder");
  if (!form || !form.querySelector("[data-fragment]")) return;

  let timer = 0;
  let unsent = false; // something was changed that no answered request has held
  let sending = false;
  let failed = false; // the last request was not answered
  let pressed = null; // a button waiting for the request under way
  let pointed = null; // the choice that was opened by a finger or a mouse
  let saying = 0;

  const fragment = () => form.querySelector("[data-fragment]");
  const isChoice = (field) => /(^|\.)add_/.test(field.name); // part of the force only after its button
  const note = (words, wrong = false) => {
    const line = form.querySelector("[data-note]");
    line.textContent = wrong ? `✗ ${words}` : words;
    line.classList.toggle("wrong", wrong);
    line.classList.remove("added");
    clearTimeout(saying);
    if (wrong) say(words);
  };
  const noteAdded = (name) => {
    note(gettext("%(name)s added", { name }));
    form.querySelector("[data-note]").classList.add("added");
    saying = setTimeout(() => note(gettext("Saved.")), SHOWN_FOR);
  };
  // What a button adds, and the choices that it is of: "item", "Pipe Pistol".
  const chosenBy = (button) => {
    const at = button.value.indexOf("=");
    const select = at < 0 && button.closest(".builder-add")?.querySelector("select");
    const key = at < 0 ? select?.value : button.value.slice(at + 1);
    const added = /^add-(\w+)/.exec(button.value);
    return key && added ? { key, sort: select ? select.name.split("add_")[1] : added[1] } : null;
  };

  // It is saved even when the page is left meanwhile; browsers limit the size of that.
  const isShort = (body) => [...body.keys()].length < 200;

  // The parts of the page that the answer can leave out, as they are and were not typed into since they came.
  const held = () => [...form.querySelectorAll("[data-mark]")].map((part) => `${part.dataset.part}=${part.dataset.mark}`);

  const changed = (event) => {
    const field = event.target;
    if (!field.name || field.type === "file" || isChoice(field)) return;
    field.closest("[data-mark]")?.removeAttribute("data-mark");
    unsent = true;
    if (!failed) note("");
    clearTimeout(timer);
    timer = setTimeout(() => send(null), WAIT);
  };

  const firstInvalid = () => form.querySelector("input:invalid, select:invalid");

  // The browser found an invalid field: on submit, or after a pause. The head stops judging what was not sent.
  const refuse = (event) => {
    const field = event.target;
    for (let card = field.closest("details"); card; card = card.parentElement.closest("details")) card.open = true;
    field.ariaInvalid = "true";
    if (field === firstInvalid()) note(gettext("Not saved. %(field)s: %(why)s", { field: field.ariaLabel || field.labels[0].textContent.trim(), why: field.validationMessage }), true);
  };

  const send = async (button) => {
    clearTimeout(timer);
    if (button && !firstInvalid()) button.ariaBusy = "true";
    if (sending) {
      if (button) pressed = button;
      return;
    }
    if (firstInvalid()) {
      // Half a number is not sent, and not scolded before a pause.
      if (button) form.reportValidity();
      else timer = setTimeout(() => form.checkValidity(), PAUSE);
      return;
    }
    sending = true;
    unsent = false;
    const body = new FormData(form, button);
    body.set("held", [form.dataset.held || "", ...held()].join(" "));
    const chosen = button && chosenBy(button);
    const focused = document.activeElement;
    form.setAttribute("aria-busy", "true");
    // A button changes what the fields mean (item 2 becomes item 1), so inputs are locked until it is done.
    if (button) form.inert = true;
    let fresh = null;
    let answered = false;
    let busy = false;
    try {
      const answer = await fetch(form.action, {
        method: "POST", body, keepalive: isShort(body), headers: { "X-Requested-With": "fetch" }, credentials: "same-origin",
        signal: AbortSignal.timeout(GIVE_UP),
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      fresh = page.querySelector("[data-fragment]");
      busy = answer.status === 429;
      answered = answer.status < 500 && !busy;
      if (fresh && !answer.ok) fresh.dataset.refused = "";
    } catch {
      answered = false; // no network, or no answer in time
    }
    form.inert = false;
    form.removeAttribute("aria-busy");
    if (button) button.ariaBusy = null;
    sending = false;
    failed = !fresh;
    if (fresh && !("refused" in fresh.dataset)) for (const links of document.querySelectorAll("[data-stored]")) links.hidden = false;
    if (!fresh) {
      unsent = true;
      if (button && form.contains(focused)) focused.focus({ preventScroll: true });
      note(answered ? gettext("Not saved: reload the page to see why.") : busy ? gettext("Not saved yet, the server is busy.") : gettext("Not saved, no connection."), true);
      if (!answered) timer = setTimeout(() => send(null), AGAIN);
    } else if ("refused" in fresh.dataset) {
      swap(fresh, ["faults", "seen"]);
      if (button) focused.focus({ preventScroll: true });
      note("");
    } else if (button) {
      redraw(fresh, button, chosen);
    } else if (unsent) {
      // Newer input makes this answer stale: the next answer is shown instead.
      swap(fresh, ["seen"]);
    } else {
      swap(fresh);
      note(gettext("Saved."));
    }
    if (pressed) {
      const waiting = pressed;
      pressed = null;
      // The form may have been redrawn: press the button only if it is still there.
      if (waiting.isConnected) return send(waiting);
    }
    if (unsent && fresh) send(null);
  };

  const announce = (before, after) => {
    if (before !== after) say(after);
  };
  const tally = (root) => root.querySelector("[data-part=tally]").dataset.say;

  // The force has changed: what the server refused before is past.
  const redrawn = (detail = null) => {
    for (const refusal of document.querySelectorAll(".flashes > .flash-error")) refusal.remove();
    form.dispatchEvent(new CustomEvent("drawn", { detail }));
  };

  // Replace the parts that differ, except the one in use.
  const swap = (fresh, only = null) => {
    announce(tally(form), tally(fresh));
    for (const part of form.querySelectorAll("[data-part]")) {
      if (only && !only.includes(part.dataset.part)) continue;
      const other = fresh.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
      if (!other || "same" in other.dataset || part.innerHTML === other.innerHTML) continue;
      part.removeAttribute("data-mark");
      // Of a card only the figures are replaced; it comes again with the next button.
      if (part.matches(".model") || part.querySelector("select:focus, input:focus")) continue;
      const held = part.contains(document.activeElement);
      const copy = document.importNode(other, true);
      for (const select of part.querySelectorAll("select")) {
        // A choice that was not added yet belongs to the page, not to the force.
        if (isChoice(select)) copy.querySelector(`[name="${CSS.escape(select.name)}"]`).value = select.value;
      }
      part.replaceWith(copy);
      if (held) (copy.querySelector("a, button:enabled") || document.body).focus({ preventScroll: true });
    }
    for (const field of only ? [] : form.querySelectorAll("input[type=number]")) {
      const other = fresh.querySelector(`[name="${CSS.escape(field.name)}"]`);
      if (other) field.ariaInvalid = other.ariaInvalid;
    }
    redrawn();
  };

  const redraw = (fresh, button, chosen) => {
    const command = button.value;
    const group = button.closest("[data-results]")?.dataset.results;
    const name = chosen && chosen.key.split(":").pop();
    if (chosen) say(`${gettext("%(name)s added", { name })}. ${tally(fresh)}`);
    else announce(tally(form), tally(fresh));
    const copy = document.importNode(fresh, true);
    const now = places(command);
    stayOpen(copy, now);
    for (const hole of copy.querySelectorAll("[data-same]")) hole.replaceWith(form.querySelector(`[data-part="${CSS.escape(hole.dataset.part)}"]`));
    // A choice of the list stays under the thumb, whatever grows above it.
    const same = command.includes("=") ? `button[value="${CSS.escape(command)}"]` : "";
    const top = same ? button.getBoundingClientRect().top : 0;
    fragment().replaceWith(copy);
    enliven(copy);
    if (chosen) form.dispatchEvent(new CustomEvent("added", { detail: chosen }));
    redrawn(now);
    if (chosen) noteAdded(name);
    else note(gettext("Saved."));
    const like = same ? [...copy.querySelectorAll(same)] : [];
    const again = like.find((one) => one.closest("[data-results]")?.dataset.results === group) || like[0];
    if (again) {
      again.focus({ preventScroll: true });
      window.scrollBy(0, again.getBoundingClientRect().top - top);
      return;
    }
    const at = focusAfter(command, new URL(button.formAction).hash.slice(1));
    if (!at) return;
    at.focus({ preventScroll: true });
    if (/^((add|duplicate)-model|move-)/.test(command)) at.closest(".model")?.scrollIntoView({ block: "nearest" });
  };

  // The new number of a card, when cards before it came, went or moved; -1 if it went.
  const places = (command) => {
    const [what, first] = command.split(":");
    const i = Number(first);
    return (place) => {
      if (/^remove-(model|squad)$/.test(what)) return place === i ? -1 : place > i ? place - 1 : place;
      if (/^duplicate-/.test(what)) return place > i ? place + 1 : place;
      const other = what === "move-up" ? i - 1 : what === "move-down" ? i + 1 : i;
      return place === i ? other : place === other ? i : place;
    };
  };

  // What was open stays open, and what was folded stays folded.
  const stayOpen = (copy, now) => {
    for (const details of form.querySelectorAll("details[id]")) {
      const card = /^([ms])(\d+)$/.exec(details.id);
      const id = card ? card[1] + now(Number(card[2])) : details.id;
      const same = copy.querySelector(`details[id="${id}"]`);
      if (same) same.open = details.open;
    }
  };

  // The element to focus in the part that a button leads to.
  const standing = (part) => part && (part.matches("[tabindex], input, select") ? part : part.querySelector("summary, h3[tabindex], input:not([type=hidden]), select"));

  // The next focus: the same chooser, the new model, or the model after a removed one.
  const focusAfter = (value, place) => {
    const [command, ...places] = value.split(":");
    const i = Number(places[0]);
    const models = [...form.querySelectorAll(".model > summary")];
    const named = (name) => form.querySelector(`[name="${CSS.escape(name)}"]`);
    const pressable = (press) => form.querySelector(`button[value="${press}"]:enabled`);
    switch (command) {
      case "add-model": return models.at(-1);
      case "duplicate-model": return models[i + 1];
      case "move-up": return pressable(`move-up:${i - 1}`) || pressable(`move-down:${i - 1}`);
      case "move-down": return pressable(`move-down:${i + 1}`) || pressable(`move-up:${i + 1}`);
      case "undo": case "redo": return pressable(command) || pressable("undo") || pressable("redo");
      case "fix": return document.getElementById("verdict-head");
      case "remove-model": return models[Math.min(i, models.length - 1)] || named("add_model");
      case "add-item": case "remove-item": case "remove-mod": return named(`m${i}.add_item`) || models[i];
      case "add-perk": case "remove-perk": return named(`m${i}.add_perk`) || models[i];
      case "drop-leader": case "drop-leader-card": return models[i];
      case "remove-card": return document.getElementById("verdict-head");
      default: return standing(document.getElementById(place));
    }
  };

  // Not "change": it comes again when a saved field is left, perhaps by a click on the way out.
  form.addEventListener("input", changed);
  form.addEventListener("invalid", refuse, true);
  // An arrow key passes by every choice on its way, so after keys only the button adds.
  form.addEventListener("pointerdown", (event) => { pointed = event.target.closest("select"); }, true);
  form.addEventListener("keydown", () => { pointed = null; }, true);
  form.addEventListener("change", (event) => {
    const adder = event.target.closest("[data-at-once]");
    if (adder && event.target === pointed && event.target.value) send(adder.querySelector("button"));
  });
  form.classList.add("live"); // a finger needs no button to add
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || "whole" in button.dataset) {
      clearTimeout(timer); // the whole form goes by itself
      unsent = false;
      return;
    }
    event.preventDefault();
    send(button.value ? button : null);
  });
  // Ctrl+Z undoes; Ctrl+Shift+Z and Ctrl+Y redo. Text fields keep their own undo.
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input[type=text], input[type=search], input[type=number], textarea")) return;
    const key = event.key.toLowerCase();
    const way = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : "";
    const button = way && form.querySelector(`button[value="${way}"]:enabled`);
    if (!button || form.inert) return;
    event.preventDefault();
    button.click();
  });
  window.addEventListener("online", () => { if (unsent) send(null); });
  window.addEventListener("beforeunload", (event) => {
    if (!unsent) return;
    if (sending || failed || firstInvalid() || !isShort(new FormData(form))) event.preventDefault();
    else send(null);
  });
})();
