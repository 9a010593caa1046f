"use strict";
// The outbox of result forms: values are saved on the phone as they are entered, and a submitted form is kept with its
// idempotency key and sent until the server answers. Each form is shown as saved, not confirmed yet, or refused. Without
// script the form is posted with the key that the server made. Only an answer that repeats the key counts as an answer.
{
  const DRAFT = "overseer.draft:";
  const WAITING = "overseer.waiting:";
  const SAID = "overseer.said";
  const LEAVING = "overseer.leaving";
  const SIGNS = { good: "M4.5 12.5l5 5 10-11", bad: "M6 6l12 12M18 6L6 18", wait: "M12 3.5a8.5 8.5 0 1 0 .01 0M12 7v5.3l3.4 2" };
  const PATIENCE = 20000;
  const FIRST_WAIT = 2000;
  const LONGEST_WAIT = 60000;
  const CHECK_AFTER = 350;
  const PLUMBING = ["csrf_token", "key", "version", "game", "reporter"];

  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  };
  // Without storage (private browsing, full) the page works as without script.
  const write = (name, value) => {
    try {
      localStorage.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };
  const forget = (name) => {
    try {
      localStorage.removeItem(name);
    } catch {
      // nothing was stored
    }
  };
  const names = (start) => {
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(start));
    } catch {
      return [];
    }
  };
  const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const made = (tag, cls, text) => {
    const part = document.createElement(tag);
    if (cls) part.className = cls;
    if (text) part.textContent = text;
    return part;
  };
  const forms = () => [...document.querySelectorAll("form[data-outbox]")];
  const formOf = (id) => forms().find((form) => form.dataset.outbox === id);
  const eventOf = (id) => id.split("/")[0];
  // The forms of one game and one reporter share the result of a submission.
  const gameOf = (id) => id.split("/").slice(0, 3).join("/");

  // ---- Drafts
  const typed = (form) => [...new FormData(form)].filter(([name]) => !PLUMBING.includes(name) && name !== "sure");
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const entered = (form) => {
    const nothing = form.querySelector("[data-live-nothing]");
    if (nothing) nothing.hidden = true;
  };
  const fill = (form, values) => {
    entered(form);
    for (const field of form.elements) {
      if (!field.name || field.type === "hidden" || field.name === "sure" || PLUMBING.includes(field.name)) continue;
      const given = values.filter(([name]) => name === field.name).map(([, value]) => value);
      if (field.type === "radio" || field.type === "checkbox") field.checked = given.includes(field.value);
      else if (given.length) field.value = given[0];
      field.dispatchEvent(new Event("input", { bubbles: false }));
    }
    for (const part of form.querySelectorAll("details.endings")) if (!part.querySelector("input[value=played]:checked")) part.open = true;
    for (const part of form.querySelectorAll("details.losses")) if ([...part.querySelectorAll("input")].some((input) => Number(input.value) > 0)) part.open = true;
  };
  const unfold = (form) => {
    const folded = form.closest("details");
    if (folded) folded.open = true;
  };

  const line = (form, text, ...buttons) => {
    const place = form.querySelector("[data-kept-line]");
    if (!place) return;
    place.replaceChildren(made("span", "", text), ...buttons);
    place.hidden = !text;
  };
  const button = (text, press) => {
    const part = made("button", "button small", text);
    part.type = "button";
    part.addEventListener("click", press);
    return part;
  };
  const restore = (form) => {
    const name = DRAFT + form.dataset.outbox;
    const draft = read(name);
    const served = typed(form);
    if (!draft || same(draft.values, served)) return;
    const discard = button(gettext("Discard"), () => {
      forget(name);
      fill(form, served);
      line(form, "");
    });
    const use = () => {
      fill(form, draft.values);
      unfold(form);
      line(form, gettext("You made these entries at %(moment)s. They are stored on this phone and were not sent.", { moment: shownTime(draft.at, form.dataset.zone) }), discard);
      look(form);
    };
    if (draft.version === form.dataset.version) {
      use();
      return;
    }
    line(form, gettext("This game was reported after you made your entries at %(moment)s. They are still on this phone.", { moment: shownTime(draft.at, form.dataset.zone) }), button(gettext("Show my entries"), use), discard);
    unfold(form);
  };
  const keep = (form) => {
    if (!("version" in form.dataset)) return;
    write(DRAFT + form.dataset.outbox, { at: Date.now(), version: form.dataset.version, values: typed(form) });
  };

  // ---- Checks while typing
  const checks = new WeakMap();
  const look = (form) => {
    entered(form);
    runs(form);
    if (lacking.has(form) && !lacks(form).length) mark(form, [], new Set());
    for (const box of form.querySelectorAll("[data-theirs]")) {
      const field = box.querySelector("input:checked, input:not([type=radio]), select");
      box.classList.toggle("field-changed", (field ? field.value : "") !== box.dataset.theirs);
    }
    clearTimeout(checks.get(form));
    if (form.querySelector("[data-live-check]")) checks.set(form, setTimeout(check, CHECK_AFTER, form));
  };
  // Beside each game round that was entered, the column's total so far.
  const runs = (form) => {
    const sums = {};
    for (const place of form.querySelectorAll("[data-so-far]")) {
      const cell = place.closest("td");
      const field = cell.querySelector("input:checked, input[type=number]");
      const column = cell.cellIndex;
      sums[column] = (sums[column] || 0) + Number(field ? field.value : 0);
      place.hidden = !field || field.value === "";
      place.textContent = `= ${sums[column]}`;
    }
  };
  // The result by the typed figures, as the server calculates it.
  const total = (form, result) => {
    const place = form.querySelector("[data-live-score]");
    if (!place) return;
    const sums = form.querySelectorAll("[data-sum-of]");
    const figures = result ? result.figures.split(":") : [];
    for (const [column, sum] of sums.entries()) {
      sum.hidden = figures.length !== sums.length;
      sum.textContent = sum.hidden ? "" : figures[column].trim();
    }
    place.hidden = !result;
    if (!result) return;
    place.querySelector("[data-figures]").textContent = result.figures;
    place.querySelector("[data-won]").textContent = result.won;
  };
  const check = async (form) => {
    const asked = typed(form);
    const body = new URLSearchParams(new FormData(form));
    body.set("do", "check");
    const answer = await ask(location.href, body);
    if (!answer || answer.state !== "checked" || !form.isConnected || !same(asked, typed(form))) return;
    total(form, answer.result);
    // Odd figures are only marked here: the sheet asks about them once, when the form is sent.
    const odd = new Set(answer.doubts.filter((doubt) => !doubt.refused).flatMap((doubt) => doubt.keys));
    mark(form, answer.doubts.filter((doubt) => doubt.refused), odd, gettext("This cannot have happened:"));
  };
  const mark = (form, impossible, odd, title = "") => {
    lacking.delete(form);
    const wrong = new Set(impossible.flatMap((doubt) => doubt.keys));
    for (const field of form.elements) {
      if (!field.name || PLUMBING.includes(field.name)) continue;
      const group = field.closest(".pips") || field;
      const marked = field.closest(".pips, .stepper");
      if (marked) {
        marked.classList.toggle("field-wrong", wrong.has(field.name));
        marked.classList.toggle("field-asked", odd.has(field.name));
      }
      const folded = wrong.has(field.name) && field.closest("details.losses");
      if (folded) folded.open = true;
      if (wrong.has(field.name)) group.setAttribute("aria-invalid", "true");
      else group.removeAttribute("aria-invalid");
    }
    const place = form.querySelector("[data-live-check]");
    place.className = impossible.length ? "live-check verdict bad" : "";
    place.replaceChildren();
    if (!impossible.length) return;
    const list = made("ul");
    for (const said of new Set(impossible.map((doubt) => doubt.said))) list.append(made("li", "", said));
    if (title) place.append(made("p", "", title));
    place.append(list);
  };
  // What the page can check before a report is queued: numbers out of bounds, and a game played out without figures.
  const lacking = new WeakSet();
  const lacks = (form) => {
    const odd = [...form.elements].filter(({ validity }) => validity && (validity.badInput || validity.rangeOverflow || validity.rangeUnderflow || validity.stepMismatch));
    const bounds = odd.map(({ name, min, max }) => ({ keys: [name], said: gettext("Enter a number from %(least)s to %(most)s.", { least: min, most: max }) }));
    const values = typed(form);
    const isPlayed = values.every(([name, value]) => name !== "ending" || value === "played");
    const isEntered = (key) => values.some(([name, value]) => name === key && value !== "");
    return [...bounds, ...JSON.parse(form.dataset.needs).filter(({ keys }) => isPlayed && !keys.some(isEntered))];
  };

  // ---- Sending
  // Send one request. Returns the server's answer; null if unknown (no network, timeout, fault, a page of another server).
  // Null does not mean "not stored".
  const ask = async (address, body) => {
    const patience = new AbortController();
    const over = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const answer = await fetch(address, {
        method: "POST", body, credentials: "same-origin", redirect: "manual", cache: "no-store",
        headers: { "X-Outbox": "1", "X-Outbox-Key": body.get("key"), Accept: "application/json" }, signal: patience.signal,
      });
      const result = await answer.json();
      return result && result.key === body.get("key") ? result : null;
    } catch {
      return null;
    } finally {
      clearTimeout(over);
    }
  };

  // The signed-in players: "event-player" for each event. Forms of another player of the same event stay on the phone for
  // them, neither shown nor sent. If nobody is signed in they are shown with a hint.
  const whose = document.querySelector('meta[name="players"]');
  const players = ((whose && whose.content) || "").split(" ").filter(Boolean).map((one) => one.split("-"));
  const another = ({ id, of }) => {
    const reporter = id.split("/")[1];
    const here = of ? players.filter(([event]) => event === of) : players;
    return /^\d+$/.test(reporter) && here.length > 0 && !here.some(([, player]) => player === reporter);
  };
  const waiting = () => names(WAITING).map((name) => ({ name, ...read(name) })).filter((entry) => entry.body && !another(entry));
  const busy = new Set();
  let timer = 0;

  const send = async (name) => {
    const entry = read(name);
    if (!entry || entry.state === "refused" || busy.has(name)) return;
    busy.add(name);
    let answer = null;
    try {
      // Only one tab sends; in browsers without locks the server stores only one submission.
      const go = async () => {
        for (let turn = 0; turn < 2; turn += 1) {
          const stands = read(name);
          if (!stands || stands.key !== entry.key) return;
          answer = await ask(entry.address, new URLSearchParams(stands.body));
          if (!answer || answer.state !== "token") break;
          write(name, { ...stands, body: stands.body.map(([key, value]) => [key, key === "csrf_token" ? answer.csrf : value]) });
        }
      };
      if (navigator.locks) await navigator.locks.request(name, go);
      else await go();
    } finally {
      busy.delete(name);
    }
    const stands = read(name);
    if (!stands || stands.key !== entry.key) {
      show();
      return;
    }
    if (answer && answer.state === "saved") saved(name, stands, answer);
    else if (answer && answer.state === "refused") refused(name, stands, answer);
    else {
      write(name, { ...stands, tries: stands.tries + 1, why: answer ? answer.said : "" });
      show();
      plan();
    }
  };
  const saved = (name, entry, answer) => {
    forget(name);
    forget(DRAFT + gameOf(entry.id) + "/report");
    for (const other of waiting()) if (other.state === "refused" && gameOf(other.id) === gameOf(entry.id)) forget(other.name);
    messages.set(gameOf(entry.id), { text: answer.said, what: entry.what });
    if (!formOf(entry.id)) {
      show();
      return;
    }
    try {
      sessionStorage.setItem(SAID, JSON.stringify([...messages]));
    } catch {
      // the next page shows the game's state anyway
    }
    location.assign(answer.go);
  };
  const refused = (name, entry, answer) => {
    const form = formOf(entry.id);
    const page = answer.page ? new DOMParser().parseFromString(answer.page, "text/html").querySelector("main") : null;
    // It stays in the outbox, shown on every page, until it is sent again or dismissed.
    write(name, { ...entry, state: "refused", said: answer.said, gone: answer.gone });
    if (answer.gone) forget(DRAFT + gameOf(entry.id) + "/report");
    if (form && page) {
      document.querySelector("main").replaceWith(document.importNode(page, true));
      enliven(document.querySelector("main"));
      ready(false);
      document.querySelector("main").focus();
      scrollTo({ top: 0 });
      if (document.querySelector("main dialog[data-question]")) asking.add(entry.key);
      else if (document.querySelector("main .errors, main .verdict")) below.add(entry.key);
    }
    show();
  };
  const plan = () => {
    clearTimeout(timer);
    const left = waiting().filter((entry) => entry.state !== "refused");
    if (!left.length) return;
    const tries = Math.min(...left.map((entry) => entry.tries));
    const pause = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tries, 8));
    timer = setTimeout(sendAll, pause * (0.75 + Math.random() / 2));
  };
  const sendAll = () => {
    for (const entry of waiting()) send(entry.name);
  };

  // ---- Messages
  const messages = new Map();
  // The submissions whose errors this page shows at the fields.
  const below = new Set();
  // The submissions whose odd figures a sheet on this page asks about.
  const asking = new Set();
  const here = () => {
    const meta = document.querySelector('meta[name="live"]');
    const path = (meta ? new URL(meta.content, location.href).pathname : location.pathname).split("/");
    return path[1] === "e" ? path[2] : null;
  };
  const bar = () => {
    let place = document.getElementById("outbox");
    if (!place) {
      place = made("div", "page outbox no-print");
      place.id = "outbox";
      place.setAttribute("role", "status");
      document.getElementById("main").before(place);
    }
    return place;
  };
  const show = () => {
    const event = here() || forms().map((form) => eventOf(form.dataset.outbox))[0];
    const lines = [];
    for (const [id, { text, what }] of messages) if (eventOf(id) === event) lines.push(flash("good", `${what}: ${text}`));
    for (const entry of waiting()) {
      if (eventOf(entry.id) !== event) continue;
      const own = formOf(entry.id);
      if (entry.state === "refused") {
        if (own && asking.has(entry.key)) continue;
        const why = /[.!?]$/.test(entry.said) ? entry.said : `${entry.said}.`;
        const state = below.has(entry.key) ? gettext("%(what)s: not saved yet. Please check it below.", { what: entry.what }) : gettext("%(what)s: not saved: %(why)s", { what: entry.what, why });
        const kept = own ? gettext("Your entries are still here.") : entry.gone ? "" : gettext("Your entries are stored on this phone.");
        const part = flash("bad", `${state} ${kept}`);
        if (!own && !entry.gone) part.append(link(entry.address, gettext("Open the form")));
        part.append(button(gettext("Dismiss"), () => release(entry, own)));
        lines.push(part);
        continue;
      }
      const words = busy.has(entry.name) && !entry.tries ? gettext("%(what)s: your report is being sent.", { what: entry.what })
        : gettext("%(what)s: your report is not confirmed yet. This phone keeps it and sends it again until the server answers.", { what: entry.what });
      const part = flash("wait", `${words}${entry.why ? ` ${entry.why}` : ""}`);
      if (entry.tries) part.append(button(gettext("Try now"), () => send(entry.name)));
      if (own && entry.tries) part.append(button(gettext("Change it"), () => release(entry, own)));
      lines.push(part);
    }
    const place = bar();
    if (place.textContent !== lines.map((part) => part.textContent).join("")) place.replaceChildren(...lines);
    for (const form of forms()) hold(form, waiting().some((entry) => entry.state !== "refused" && gameOf(entry.id) === gameOf(form.dataset.outbox)));
  };
  const flash = (kind, text) => {
    const part = made("p", `flash outbox-${kind}`);
    part.append(drawing(SIGNS[kind]), made("span", "", text));
    return part;
  };
  const link = (address, text) => {
    const part = made("a", "button small", text);
    part.href = address;
    return part;
  };
  // While a report waits, its form is shown but cannot be sent again.
  const hold = (form, held) => {
    for (const one of form.querySelectorAll("button:not([type=button])")) {
      if (held) one.setAttribute("aria-disabled", "true");
      else one.removeAttribute("aria-disabled");
    }
    form.classList.toggle("held", held);
    const place = form.querySelector("[data-live-check]");
    if (!place || held === place.hasAttribute("data-held")) return;
    place.toggleAttribute("data-held", held);
    place.className = held ? "live-check" : "";
    place.replaceChildren(...(held ? [flash("wait", gettext("Your report is not confirmed yet. This phone keeps it and sends it again until the server answers."))] : []));
  };
  // A waiting report may be stored already: then another report is refused as too late, and the page shows both.
  const release = (entry, form) => {
    forget(entry.name);
    show();
    if (!form) return;
    unfold(form);
    form.scrollIntoView();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const id = form.dataset.outbox;
    if (!id || !window.fetch || !window.crypto) return;
    const left = form.dataset.needs ? lacks(form) : [];
    if (left.length) {
      event.preventDefault();
      event.stopPropagation();
      mark(form, left, new Set());
      lacking.add(form);
      form.querySelector("[data-live-check]").scrollIntoView({ block: "center" });
      return;
    }
    const name = WAITING + id;
    const body = [...new FormData(form)].filter(([key]) => key !== "key");
    if (event.submitter && event.submitter.name) body.push([event.submitter.name, event.submitter.value]);
    const before = waiting().find((entry) => entry.state !== "refused" && gameOf(entry.id) === gameOf(id));
    const key = newKey();
    const entry = { id, of: form.dataset.of, key, body: [...body, ["key", key]], address: location.pathname + location.search, what: form.dataset.what, at: Date.now(), tries: 0 };
    if (!before && !write(name, entry)) return; // nothing can be kept here: the plain post, with the server's key
    event.preventDefault();
    event.stopPropagation();
    const sheet = event.submitter && event.submitter.closest("dialog");
    if (sheet) sheet.close();
    messages.delete(gameOf(id));
    if (before) send(before.name);
    else {
      keep(form);
      send(name);
    }
    show();
  }, true);

  // ---- Signing out on this device: it shows the forms that wait, then deletes everything stored for the player.
  const leaving = (form) => new URL(form.getAttribute("action") || "", location.href).pathname.match(/^\/e\/([^/]+)\/me\/forget$/);
  document.addEventListener("submit", (event) => {
    const out = leaving(event.target);
    const words = event.submitter && event.submitter.closest("[data-confirm]") || event.target.closest("[data-confirm]");
    if (!out || !words) return;
    if (!words.dataset.usual) words.dataset.usual = words.dataset.confirm;
    const left = waiting().filter((entry) => entry.state !== "refused" && eventOf(entry.id) === out[1]).map((entry) => entry.what);
    const games = left.join("; ");
    const warning = gettext("Not confirmed yet: your report (%(games)s). Signing out deletes it too. To keep it, wait until it is saved.", { games });
    words.dataset.confirm = left.length ? `${warning} ${words.dataset.usual}` : words.dataset.usual;
  }, true);
  document.addEventListener("submit", (event) => {
    const out = leaving(event.target);
    if (out && !event.defaultPrevented) write(LEAVING, { event: out[1], own: (whose && whose.dataset.own) || "" });
  });
  const gone = read(LEAVING);
  if (gone) {
    forget(LEAVING);
    const still = players.some((one) => one.join("-") === gone.own);
    if (!still) for (const start of [DRAFT, WAITING]) for (const name of names(`${start}${gone.event}/`)) forget(name);
  }

  const ready = (first) => {
    for (const form of forms()) {
      if (!("version" in form.dataset)) continue;
      const place = form.querySelector("[data-live-score]");
      const nothing = form.querySelector("[data-live-nothing]"); // both hidden without script: they would not follow
      if (place) place.hidden = !place.querySelector("[data-won]").textContent;
      if (nothing) nothing.hidden = false;
      if (first) restore(form);
      for (const kind of ["input", "change"]) {
        form.addEventListener(kind, () => {
          keep(form);
          look(form);
        });
      }
    }
    for (const entry of waiting()) {
      const form = formOf(entry.id);
      if (form && entry.state !== "refused") {
        if ("version" in form.dataset) fill(form, entry.body);
        line(form, "");
      }
    }
  };

  addEventListener("online", sendAll);
  addEventListener("storage", (event) => {
    if (!event.key || !event.key.startsWith(WAITING)) return;
    show();
    // Another tab got the answer, so this page is old.
    const id = event.key.slice(WAITING.length);
    if (!event.newValue && formOf(id)) location.reload();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sendAll(); });
  try {
    for (const [id, words] of JSON.parse(sessionStorage.getItem(SAID)) || []) messages.set(id, words);
    sessionStorage.removeItem(SAID);
  } catch {
    // no messages
  }
  ready(true);
  if (waiting().length || messages.size) show();
  sendAll();
}
