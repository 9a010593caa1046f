// Steppers, questions before dangerous actions, copying, clocks and live pages. Every page works without it. No
// dependencies, and no requests to other servers.
"use strict";

const LIVE_EVERY = [1800, 2600]; // milliseconds between two looks, drawn anew so that a hall does not ask in step
const RESEND_AFTER = 8000;
const GIVE_UP = 8000; // milliseconds for an answer: a browser itself waits for minutes on a lost connection
const SAID_FOR = 4000; // milliseconds that a message stays at least
const fetchOptions = () => ({ cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout?.(GIVE_UP) });

const make = (tag, attributes = {}, text = "") => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
};
const drawing = (path) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2.5", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
};
// A text of this page's language, from /texts/<language>.js, with its figures; English without that file.
const gettext = (text, figures = {}) => ((window.OVERSEER_TEXTS || {})[text] || text).replace(/%\((\w+)\)s/g, (_, name) => figures[name]);
const say = (words) => {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
};

// ---- Steppers: minus and plus around a number, outside of the tab order because the keyboard has arrow keys.
const stepBy = (input, way) => {
  if (input.value === "") input.value = input.min !== "" ? input.min : "0";
  else if (way > 0) input.stepUp();
  else input.stepDown();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
};
const makeStepper = (holder) => {
  const input = holder.querySelector("input[type=number]");
  if (!input || holder.classList.contains("ready") || input.readOnly || input.disabled) return;
  const label = input.labels && input.labels[0] ? input.labels[0].firstChild.textContent.trim() : input.getAttribute("aria-label") || gettext("number");
  const button = (way, word, path) => {
    const made = make("button", { type: "button", tabindex: "-1", "aria-label": `${word}: ${label}` });
    made.append(drawing(path));
    made.addEventListener("click", () => stepBy(input, way));
    return made;
  };
  const less = button(-1, gettext("Less"), "M5 12h14");
  const more = button(1, gettext("More"), "M5 12h14M12 5v14");
  const atEnds = () => {
    const value = input.valueAsNumber;
    less.disabled = input.min !== "" && value <= Number(input.min);
    more.disabled = input.max !== "" && value >= Number(input.max);
  };
  input.addEventListener("input", atEnds);
  holder.prepend(less);
  holder.append(more);
  if (Math.max(Math.abs(Number(input.max)), Math.abs(Number(input.value))) > 999 || input.max === "") input.classList.add("wide-number");
  holder.classList.add("ready");
  atEnds();
};

// ---- Confirmation of dangerous actions.
let agreed = null;
const ask = (form, button, words) => {
  const dialog = make("dialog", { "aria-label": gettext("Please confirm") });
  const bar = make("div", { class: "bar" });
  const no = make("button", { type: "button", class: "button" }, button.textContent.trim().startsWith(gettext("Cancel")) ? gettext("Go back") : gettext("Cancel"));
  const yes = make("button", { type: "button", class: button.classList.contains("danger") ? "button danger" : "button primary" }, button.textContent.trim());
  bar.append(no, yes);
  dialog.append(make("p", {}, words), bar);
  document.body.append(dialog);
  no.addEventListener("click", () => dialog.close());
  yes.addEventListener("click", () => {
    dialog.close();
    agreed = form;
    form.requestSubmit(button);
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  no.focus();
};

// ---- No double submissions.
const release = (form) => {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
};
document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const words = (button && button.dataset.confirm) || form.dataset.confirm;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  if (words && button && agreed !== form && typeof HTMLDialogElement === "function") {
    event.preventDefault();
    ask(form, button, words);
    return;
  }
  agreed = null;
  // A page's own script may handle the form.
  setTimeout(() => {
    if (event.defaultPrevented || form.method !== "post") return;
    form.dataset.sent = "1";
    if (button) button.setAttribute("aria-busy", "true");
    setTimeout(() => release(form), RESEND_AFTER);
  });
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
  for (const form of document.querySelectorAll("form[data-sent]")) release(form);
});

// ---- Copy a link.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.querySelector("span") || button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    label.textContent = gettext("Copied");
  } catch {
    // Plain HTTP has no clipboard: select the text, so that a long press copies it.
    const shown = button.parentElement.querySelector(".copy-text");
    if (shown) getSelection().selectAllChildren(shown);
    label.textContent = gettext("Selected: copy it");
  }
  say(label.textContent);
  setTimeout(() => { label.textContent = before; }, 2500);
});

// ---- The device's share sheet, where it has one.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const { share: url, title, text } = button.dataset;
  try {
    await navigator.share({ title, text, url });
  } catch (error) {
    if (error.name !== "AbortError") say(gettext("Sharing did not work. Copy the link."));
  }
});

// ---- The server's time: read with every poll, and counted on by the device's monotonic clock.
const live = document.querySelector('meta[name="live"]');
// A stored offline page is older: add the difference of the device's clock.
const keptFor = Math.max(0, Date.now() - Number(document.documentElement.dataset.kept || Date.now()));
const time = { server: Date.parse((live || document.querySelector("[data-clock][data-now]") || { dataset: {} }).dataset.now || "") + keptFor, steady: performance.now(), wall: Date.now(), taken: !live, cut: false };
const takeTime = (stamp, sent) => {
  const at = Date.parse(stamp || "");
  if (Number.isNaN(at)) return;
  Object.assign(time, { server: at + (performance.now() - sent) / 2, steady: performance.now(), wall: Date.now(), taken: true, cut: false });
};
const serverNow = () => {
  const steady = performance.now() - time.steady, wall = Date.now() - time.wall;
  // A device that slept counts too little; without the server its clock's difference is better.
  return time.server + (time.cut && wall > steady ? wall : steady);
};

// ---- Clocks: <time data-clock data-ends="ISO">, or data-zone for the time of day; unchanged until the server time is known.
const ofDay = (timeZone) => new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(serverNow());
const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const tick = () => {
  if (!time.taken && performance.now() < 2500) return;
  for (const day of document.querySelectorAll("[data-clock][data-zone]")) put(day, ofDay(day.dataset.zone));
  for (const clock of document.querySelectorAll("[data-clock][data-ends]")) {
    const left = Math.ceil((Date.parse(clock.dataset.ends) - serverNow()) / 1000);
    const away = Math.abs(left), parts = [Math.floor(away / 60) % 60, away % 60].map((part) => String(part).padStart(2, "0"));
    if (away >= 3600) parts.unshift(String(Math.floor(away / 3600)));
    put(clock, (left < 0 ? "−" : "") + parts.join(":"));
    clock.classList.toggle("over", left <= 0);
  }
};

// ---- Live pages: poll the event's version mark; when it changes, fetch the page and replace the changed parts, but not
// while the reader touches or types.
let touched = 0;
for (const kind of ["pointerdown", "touchmove", "wheel"]) addEventListener(kind, () => { touched = Date.now(); }, { passive: true });
const busy = (part) => {
  const at = document.activeElement;
  return Date.now() - touched < 1500 || document.querySelector("dialog[open]") !== null
    || (at && part.contains(at) && at.matches("input, select, textarea")) || part.querySelector("form[data-sent]") !== null;
};
const putIn = (part, fresh) => {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const opened = [...part.querySelectorAll("details[open][id]")].map((details) => details.id);
  const was = new Map([...part.querySelectorAll("[id]")].map((node) => [node.id, node.textContent]));
  part.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  enliven(part);
  for (const id of opened) {
    const details = document.getElementById(id);
    if (details) details.open = true;
  }
  for (const node of part.querySelectorAll("tr[id], li[id], [data-change][id]")) {
    if (was.has(node.id) && was.get(node.id) !== node.textContent) node.classList.add("changed");
  }
  if (focused) {
    const again = focused.id ? document.getElementById(focused.id)
      : [...part.querySelectorAll(focused.tagName)].find((node) => node.textContent === focused.textContent
        && ["href", "aria-label", "name", "value"].every((name) => node.getAttribute(name) === focused.getAttribute(name)));
    if (again) again.focus({ preventScroll: true });
  }
};
// The HTML without the parts that differ in every answer (CSRF tokens, the time).
const written = new WeakMap();
// What is read out of a part when it comes, such as the winner on the hall's screen; not again while it stays there.
const wordsInside = (part) => part.querySelector("[data-say]")?.dataset.say;
const plain = (part) => (part.hidden ? "hidden" : "") + part.innerHTML.replace(/(name="csrf_token" value|data-now|data-confirm)="[^"]*"/g, "").replace(/(<time[^>]*data-clock[^>]*>)[^<]*/g, "$1");
const follow = (roots) => {
  const [least, most] = live.dataset.every ? [Number(live.dataset.every), Number(live.dataset.every)] : LIVE_EVERY;
  let mark = live.dataset.mark;
  let waiting = [];
  let failures = 0;
  let timer = 0;
  let seen = serverNow();
  const partsOf = (root) => [...(root.matches("[data-poll-part]") ? [root] : []), ...root.querySelectorAll("[data-poll-part]")];
  const show = () => {
    const kept = [];
    let words = "";
    for (const [part, fresh] of waiting) {
      const text = plain(fresh);
      if (!part.isConnected || written.get(part) === text) continue;
      if ("held" in part.dataset) { // rows stay where they are under a finger; the reader loads the newest
        document.querySelector(".news").hidden = false;
        continue;
      }
      if (busy(part)) {
        kept.push([part, fresh]);
        continue;
      }
      const before = wordsInside(part);
      putIn(part, fresh);
      part.hidden = fresh.hidden;
      written.set(part, text);
      const inside = wordsInside(fresh);
      words = fresh.dataset.say || (inside && inside === before ? words : inside || words || gettext("This page has changed."));
    }
    waiting = kept;
    if (words) say(words);
    // What was said of an earlier state does not stay next to a later one.
    if (words && performance.now() > SAID_FOR) for (const old of document.querySelectorAll(".flash-success, .flash-info")) old.remove();
  };
  // Replaces the changed parts and returns the mark of the new pages. Returns "" to try again: after a failure, or if the event
  // changed between two pages, whose marks then differ. While many results come in, pages may be older than the polled mark.
  const fetchParts = async (now) => {
    const found = [];
    const marks = new Set();
    for (const address of new Set(roots.map((root) => root.dataset.poll))) {
      const answer = await fetch(address, fetchOptions());
      if (answer.status >= 500 || answer.status === 429) return "";
      if (!answer.ok) {
        say(gettext("This page no longer exists."));
        document.dispatchEvent(new CustomEvent("overseer:page", { detail: { address, text: "", headers: answer.headers } }));
        continue;
      }
      const text = await answer.text();
      document.dispatchEvent(new CustomEvent("overseer:page", { detail: { address, text, headers: answer.headers } }));
      const page = new DOMParser().parseFromString(text, "text/html");
      marks.add(page.querySelector("meta[name=live]")?.dataset.mark ?? now);
      const everywhere = [...document.querySelectorAll('[data-poll-part="notices"]')];
      for (const root of roots.filter((one) => one.dataset.poll === address)) {
        for (const part of [...everywhere.splice(0), ...partsOf(root)]) {
          const fresh = page.querySelector(`[data-poll-part="${CSS.escape(part.dataset.pollPart)}"]`);
          if (fresh) found.push([part, fresh]);
        }
      }
    }
    waiting = found;
    show();
    return marks.size > 1 ? "" : [...marks, now][0];
  };
  const look = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    show();
    const sent = performance.now();
    try {
      const answer = await fetch(live.content, { ...fetchOptions(), headers: { "If-None-Match": `W/"${mark}"` } });
      takeTime(answer.headers.get("Server-Now"), sent);
      failures = answer.ok || answer.status === 304 ? 0 : failures + 1;
      if (answer.status === 200) {
        const now = await answer.text();
        if (now !== mark) mark = (await fetchParts(now)) || mark;
      }
    } catch {
      failures += 1; // no network: the page stands as it is, and is looked at again, less often
      time.cut = true;
    }
    if (failures === 0) seen = serverNow();
    document.dispatchEvent(new CustomEvent("overseer:network", { detail: { gone: failures > 1, seen } }));
    if (failures === 2) say(gettext("No connection: this page may be old."));
    for (const root of roots) {
      root.dataset.offline = gettext("No connection: this page may be old.");
      root.classList.toggle("offline", failures > 1);
    }
    tick();
    clearTimeout(timer);
    timer = setTimeout(look, (least + Math.random() * (most - least)) * Math.min(2 ** failures, 12));
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  look();
};

// Announcements that were hidden on this device stay hidden.
const HIDDEN = "overseer-hidden";
const hidden = () => {
  try {
    return JSON.parse(localStorage.getItem(HIDDEN)) || [];
  } catch {
    return []; // a browser that stores nothing
  }
};
document.addEventListener("click", (event) => {
  const announcement = event.target.closest("[data-hides] button")?.closest("[data-hides]");
  if (!announcement) return;
  announcement.hidden = true;
  try {
    localStorage.setItem(HIDDEN, JSON.stringify([...hidden(), announcement.dataset.hides].slice(-50)));
  } catch {
    // it is shown again on the next page
  }
});

// Sets up a new part of a page; builder.js calls it too.
const enliven = (root) => {
  const known = hidden();
  for (const one of root.querySelectorAll("[data-hides]")) {
    one.hidden = known.includes(one.dataset.hides);
    one.querySelector("button").hidden = false;
  }
  for (const holder of root.querySelectorAll("[data-stepper]")) makeStepper(holder);
  for (const button of root.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
  for (const button of root.querySelectorAll("[data-print][hidden], [data-close][hidden]")) button.hidden = false;
  for (const sheet of root.querySelectorAll("dialog[data-question][open]:not(:modal)")) {
    sheet.close();
    sheet.showModal();
  }
  for (const button of root.querySelectorAll("[data-share][hidden]")) button.hidden = !navigator.share;
};
document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]");
  if (close) close.closest("dialog").close();
  const opens = event.target.closest("a[data-opens]");
  const folded = opens && document.getElementById(opens.hash.slice(1))?.closest("details");
  if (folded) folded.open = true;
});
document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) print(); });

// The total of the ticked lines; without script the server calculates it.
for (const form of document.querySelectorAll("[data-sum]")) {
  const add = () => {
    const ticked = [...form.querySelectorAll("[data-caps]:checked")];
    form.querySelector("[data-sum-shown]").value = ticked.reduce((sum, box) => sum + Number(box.dataset.caps), 0);
  };
  form.addEventListener("change", add);
  add();
}

for (const part of document.querySelectorAll("[data-poll-part]")) written.set(part, plain(part));
enliven(document);
const roots = [...document.querySelectorAll("[data-poll]")];
// A page without live parts, such as a form, still follows the announcements.
for (const part of roots.length ? [] : document.querySelectorAll("[data-poll-else]")) {
  part.dataset.poll = part.dataset.pollElse;
  roots.push(part);
}
const lead = roots[0];
for (const part of lead && !lead.dataset.pollElse ? document.querySelectorAll("[data-poll-along]") : []) {
  part.dataset.poll = lead.dataset.poll;
  roots.push(part);
}
if (live && (roots.length || document.querySelector("[data-clock]"))) follow(roots);
if (document.querySelector("[data-clock]") || roots.length) {
  tick();
  setInterval(tick, 500);
}
// For browsers that do not open the fold that holds what an address names.
const reveal = () => document.querySelector(":target")?.closest("details")?.setAttribute("open", "");
addEventListener("hashchange", reveal);
reveal();
for (const wrong of document.querySelectorAll("details .field-wrong")) wrong.closest("details").open = true;
document.addEventListener("click", (event) => {
  const link = event.target.closest(".errors a[href^='#']");
  const at = link && document.getElementById(link.hash.slice(1));
  if (!at) return;
  const input = at.matches("input, select, textarea") ? at : at.querySelector("input, select, textarea");
  if (at.closest("details")) at.closest("details").open = true;
  if (input) {
    event.preventDefault();
    input.focus();
    input.closest(".field").scrollIntoView({ block: "center" });
  }
});
const errors = document.querySelector("[data-errors]");
if (errors) errors.focus({ preventScroll: false });
const here = document.querySelector(".tabs [aria-current=page]");
if (here) {
  const strip = here.closest("ul") || here.parentElement;
  strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
}

// ---- Times as the pages write them: in the event's zone, by 24 hours, with the day once they are half a day old.
const shownTime = (moment, timeZone) => {
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
  if (Date.now() - moment > 12 * 3600000) Object.assign(form, { weekday: "short", day: "numeric", month: "short" });
  const language = document.documentElement.lang;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, form).format(moment);
};

// ---- A new event starts in the organiser's time zone.
for (const select of document.querySelectorAll("select[data-own-zone]")) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
}

// ---- Boards of a team: a player chosen for one board leaves the other, which takes the player chosen before.
for (const form of document.querySelectorAll("form[data-each-once]")) {
  const selects = [...form.querySelectorAll("select")];
  const chosen = new Map(selects.map((select) => [select, select.value]));
  form.addEventListener("change", ({ target }) => {
    const other = selects.find((select) => select !== target && select.value === target.value && target.value !== "0");
    if (other) other.value = chosen.get(target);
    for (const select of selects) chosen.set(select, select.value);
  });
}

// ---- The outbox of result forms, on any page while this phone holds a draft, a report that waits, or its answer.
const ownAddress = document.currentScript.src;
const startOutbox = () => {
  try {
    if (!sessionStorage.getItem("overseer.said") && !Object.keys(localStorage).some((name) => /^overseer\.(draft:|waiting:|leaving)/.test(name))) return;
  } catch {
    return; // a browser that stores nothing
  }
  if (!document.querySelector("script[src*='/outbox.js']")) document.head.append(make("script", { src: ownAddress.replace("overseer.js", "outbox.js") }));
};
addEventListener("storage", startOutbox);
startOutbox();
