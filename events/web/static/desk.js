// Shortcuts of the desk: search while typing, and lists and pages by the keyboard. Everything also works as a form, link or
// button without script. Uses make and say of overseer.js.
"use strict";

const QUIET = 140; // milliseconds without a key before the server is asked

// ---- Search while typing: <form data-find="address" data-into="#part">. The answer is the page that Enter opens; its
// part replaces the same part of this page, or is shown in a panel below the header.
const panelOf = (form) => {
  let panel = document.getElementById("find-panel");
  if (panel) return panel;
  panel = make("section", { id: "find-panel", class: "find-panel", "aria-label": gettext("Found"), hidden: "" });
  panel.append(make("div", { class: "page" }));
  form.closest("header").append(panel);
  return panel;
};
for (const form of document.querySelectorAll("form[data-find]")) {
  const input = form.querySelector("input[type=search]");
  const into = form.dataset.into;
  const here = () => document.querySelector(`main ${into}`);
  let timer = 0;
  let asked = 0;
  let asking = null;
  const close = () => {
    const panel = document.getElementById("find-panel");
    if (panel && !here()) panel.hidden = true;
  };
  const look = async () => {
    const mine = (asked += 1);
    if (asking) asking.abort();
    asking = new AbortController();
    const typed = input.value.trim();
    if (!typed) {
      if (here()) here().replaceChildren();
      close();
      return;
    }
    try {
      const answer = await fetch(`${form.dataset.find}?show=list&q=${encodeURIComponent(typed)}`, { credentials: "same-origin", signal: asking.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector(into);
      if (mine !== asked || !found || !answer.ok) return;
      const part = here() || panelOf(form).firstChild;
      part.replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
      if (!here()) panelOf(form).hidden = false;
      const count = part.querySelectorAll("[data-rows] > li").length;
      say(count === 1 ? `1 found: ${part.querySelector("[data-rows] bdi").textContent}` : `${count || "Nobody"} found`);
    } catch {
      close(); // no network, or another letter came: Enter still asks the server
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, QUIET);
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    if (asking) asking.abort();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") {
      const part = here() || document.querySelector("#find-panel:not([hidden])");
      if (part && step(part, 1, true)) event.preventDefault();
    } else if (event.key === "Escape") {
      input.value = "";
      clearTimeout(timer);
      close();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#find-panel, form[data-find]")) close();
  });
}

// ---- Lists: one line is current; its first link or button has the focus, so that Enter works.
const shown = (node) => node.checkVisibility();
const LINES = "[data-rows] > :is(li, tr), table.cards > tbody > tr";
const linesOf = (root) => [...root.querySelectorAll(LINES)].filter((line) => shown(line) && actOf(line));
const actOf = (line) => (line.matches(".found-one") ? null : line.querySelector(".button.primary") || line.querySelector(".button:not(.quiet)"))
  || line.querySelector("a[href], button");
const step = (root, way, first = false) => {
  const lines = linesOf(root);
  if (!lines.length) return false;
  const at = lines.findIndex((line) => line.contains(document.activeElement));
  const next = first || at < 0 ? (way > 0 ? 0 : lines.length - 1) : at + way;
  if (next < 0 || next >= lines.length) return true;
  const act = actOf(lines[next]);
  act.focus();
  lines[next].scrollIntoView({ block: "nearest" });
  return true;
};
document.addEventListener("focusin", (event) => {
  for (const line of document.querySelectorAll(".at-hand")) line.classList.remove("at-hand");
  const line = event.target.closest(LINES);
  if (line) line.classList.add("at-hand");
});

// ---- After a button was pressed by the keyboard and the page reloads, focus the next button of the list.
const PRESSED = "overseer-pressed";
document.addEventListener("submit", (event) => {
  const at = document.activeElement;
  if (event.defaultPrevented || !at.closest("main") || !at.matches("button:focus-visible")) return;
  const line = at.closest(LINES);
  const named = at.closest("main [id]:not(li, tr), main [data-poll-part]");
  const place = named ? (named.id ? `#${CSS.escape(named.id)}` : `[data-poll-part="${CSS.escape(named.dataset.pollPart)}"]`) : "main";
  const kept = { path: location.pathname, when: Date.now(), place, words: at.textContent.trim() };
  if (line) Object.assign(kept, { id: line.id, line: linesOf(document.querySelector(place)).indexOf(line) });
  try {
    sessionStorage.setItem(PRESSED, JSON.stringify(kept));
  } catch {
    return; // a browser that keeps nothing: the focus begins at the head
  }
});
const backAt = (kept) => {
  const place = document.querySelector(kept.place);
  if (!place || !shown(place)) return null;
  const same = kept.id && document.getElementById(kept.id);
  if (same && shown(same)) return same.querySelector("a[href], button"); // the line stands: its next press is another one's
  const lines = linesOf(place);
  if (kept.line >= 0 && lines.length) return actOf(lines[Math.min(kept.line, lines.length - 1)]);
  const controls = [...place.querySelectorAll("button, a.button")].filter(shown);
  return controls.find((one) => one.textContent.trim() === kept.words) || controls[0];
};
const goBack = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PRESSED) || "null");
    sessionStorage.removeItem(PRESSED);
    const free = document.activeElement === document.body && !document.querySelector("[autofocus], [data-errors]");
    const at = kept && free && kept.path === location.pathname && Date.now() - kept.when < 30000 && backAt(kept);
    if (at) at.focus({ focusVisible: true });
  } catch {
    return; // nothing is kept
  }
};
// After the browser has moved to the fragment, which moves the focus.
addEventListener("load", () => setTimeout(goBack));

// ---- After a button of the desk was pressed, its page comes back where it was, with the message next to the control.
const AT = "overseer-at";
const placeOf = (form, button) => {
  const holder = button && button.closest("tr[id], li[id], section[id], form[id], details[id]:not(.row-acts)");
  const address = button ? button.getAttribute("formaction") || form.getAttribute("action") : form.getAttribute("action");
  const label = button ? button.textContent.trim() : "";
  return { path: location.pathname, when: Date.now(), id: holder ? holder.id : "", address, label, top: button ? button.getBoundingClientRect().top : 0 };
};
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || !form.closest("main")) return;
  try {
    sessionStorage.setItem(AT, JSON.stringify(placeOf(form, event.submitter)));
  } catch {
    // a browser that keeps nothing: the message stands at the head
  }
});
const messageAtControl = () => {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(AT) || "null");
    sessionStorage.removeItem(AT);
  } catch {
    return;
  }
  const messages = [...document.querySelectorAll(".flashes > .flash")];
  if (!kept || !messages.length || kept.path !== location.pathname || Date.now() - kept.when > 30000 || document.querySelector("[data-errors]")) return;
  const same = (button) => (button.getAttribute("formaction") || (button.form && button.form.getAttribute("action"))) === kept.address;
  const buttons = [...document.querySelectorAll("main form[method=post] button")].filter((one) => one.checkVisibility());
  const place = (kept.id && document.getElementById(kept.id)) || buttons.find((one) => same(one) && one.textContent.trim() === kept.label) || buttons.find(same);
  if (!place || !place.closest("main")) return;
  const details = place.closest("details:not([open])");
  if (details) details.open = true;
  const spot = make("div", { class: "said-here", role: "status" });
  const row = place.closest("tr");
  if (row) {
    const line = make("tr", { class: "at-control" });
    const cell = make("td", { colspan: String(row.cells.length) });
    cell.append(spot);
    line.append(cell);
    row.after(line);
  } else if (place.matches("li, section, details, form")) place.append(spot);
  else (place.closest("form") || place).after(spot);
  spot.append(...messages);
  const away = (row || place).getBoundingClientRect().top - (row || place.matches("button") ? kept.top : innerHeight / 3);
  scrollBy(0, away);
};
if (document.querySelector("body > .next")) messageAtControl();

// ---- Tick all lines of a list.
const tickable = (root) => {
  for (const button of root.querySelectorAll("[data-tick-all]")) button.hidden = false;
};
tickable(document);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tick-all]");
  if (!button) return;
  const boxes = [...button.form.querySelectorAll("[name=chosen]")];
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
  button.textContent = all ? gettext("Tick all") : gettext("Tick none");
});
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1) tickable(node);
}).observe(document.body, { childList: true, subtree: true });

// ---- Keys. Ignored while typing, with a modifier, or when switched off.
const KEPT = "overseer-keys";
let off = false;
try {
  off = localStorage.getItem(KEPT) === "off";
} catch {
  off = false; // a browser that keeps nothing: keys work, and are off until the page is left
}
const KEYS = [
  [["/"], gettext("finds a player")],
  [["?"], gettext("shows this list")],
  [["j"], gettext("selects the next line of a list, k the line before; from then on the arrow keys do the same")],
  [["Enter"], gettext("presses the selected line's button")],
  [["x"], gettext("ticks the selected line")],
  [["u"], gettext("undoes the step named at the top")],
  [["Esc"], gettext("closes an open panel")],
];
const aboutKeys = () => {
  const open = document.querySelector("dialog.about-keys");
  if (open) return open.close();
  const dialog = make("dialog", { class: "about-keys", "aria-labelledby": "about-keys" });
  const list = make("dl", { class: "keys" });
  const line = (keys, words) => {
    const term = make("dt");
    keys.forEach((key, at) => term.append(...(at ? [" "] : []), make("kbd", {}, key)));
    list.append(term, make("dd", {}, words));
  };
  for (const [keys, words] of KEYS) line(keys, words);
  for (const link of document.querySelectorAll("[data-go]")) line(["g", link.dataset.go], link.textContent.trim());
  const bar = make("div", { class: "bar" });
  const toggle = make("button", { type: "button", class: "button", "aria-pressed": String(!off) }, off ? gettext("Switch the keys on") : gettext("Switch the keys off"));
  const done = make("button", { type: "button", class: "button primary" }, gettext("Close"));
  toggle.addEventListener("click", () => {
    off = !off;
    try {
      localStorage.setItem(KEPT, off ? "off" : "on");
    } catch {
      say(gettext("This browser cannot store the choice: it ends when you leave the page."));
    }
    dialog.close();
  });
  done.addEventListener("click", () => dialog.close());
  bar.append(toggle, done);
  dialog.append(make("h2", { id: "about-keys" }, gettext("Keys")), list, make("p", {}, gettext("Keys do nothing while you type in a field. After g, press the page's letter.")), bar);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  done.focus({ preventScroll: true });
  dialog.scrollTop = 0;
  return undefined;
};
const foot = document.querySelector(".colophon");
if (foot) {
  const button = make("button", { type: "button", class: "button quiet no-print", "aria-keyshortcuts": "?" }, gettext("Keys"));
  button.addEventListener("click", aboutKeys);
  foot.append(button);
}

// Search results are a list of their own: at its end the focus does not move into the page behind.
const around = () => document.activeElement.closest("#find-panel") || document;
let going = 0; // until when a letter after g leads to a page
const acts = {
  "/": () => document.getElementById("find").select() || document.getElementById("find").focus() || true,
  "?": () => aboutKeys() || true,
  j: () => step(around(), 1),
  k: () => step(around(), -1),
  g: () => (going = Date.now() + 1500),
  u: () => {
    const undo = document.querySelector("[data-undo]");
    if (undo) undo.form.requestSubmit(undo);
    return undo;
  },
  x: () => {
    const line = document.activeElement.closest("[data-rows] > li");
    const box = line && line.querySelector("[name=chosen]");
    if (box) box.checked = !box.checked;
    return box;
  },
};
document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (at.closest && at.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog && !(dialog.matches(".about-keys") && event.key === "?")) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (at.closest("[data-rows] > :is(li, tr)") && step(around(), event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    return;
  }
  if (event.key === "Escape") {
    const panel = document.querySelector("#find-panel:not([hidden])");
    if (panel) {
      panel.hidden = true;
      document.getElementById("find").focus();
    }
    return;
  }
  if (off) return;
  if (going > Date.now() && event.key !== "g") {
    going = 0;
    const link = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      location.assign(link.href);
    }
    return;
  }
  const act = Object.hasOwn(acts, event.key) ? acts[event.key] : null;
  if (act && act()) event.preventDefault();
});

// ---- A row's menu that would open below the screen comes into view.
document.addEventListener("toggle", ({ target }) => {
  if (target.open && target.matches(".row-acts")) target.lastElementChild.scrollIntoView({ block: "nearest" });
}, true);
