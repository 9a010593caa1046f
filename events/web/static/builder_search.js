// Search in the force builder: filters the choices while typing. Without script the same fields are sent by their button
// and the server filters. Uses say() of overseer.js; builder.js dispatches "drawn" after it replaced parts.
"use strict";

(() => {
  const QUIET = 700; // milliseconds before what was found is read out

  const form = document.getElementById("builder");
  if (!form || !form.querySelector("[data-fragment] #find")) return;

  // Asks the server for all choices, because this page filters them.
  const live = document.createElement("input");
  Object.assign(live, { type: "hidden", name: "find_live", value: "1" });
  form.append(live);

  const WORDS = {
    models: (n) => gettext("Models found: %(n)s.", { n }),
    items: (n) => gettext("Items found: %(n)s.", { n }),
    perks: (n) => gettext("Perks found: %(n)s.", { n }),
    mods: (n) => gettext("Mods found: %(n)s.", { n }),
    cards: (n) => gettext("Leader cards found: %(n)s.", { n }),
  };
  const whole = new WeakMap(); // what each chooser held when it was drawn
  let timer = 0;
  let was = false; // whether the choices were narrowed

  const part = (name) => form.querySelector(`#${name}`);
  const fold = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  const narrow = () => {
    const words = fold(part("find").value);
    const kind = part("find_kind").value;
    const fits = form.querySelector("[name=find_fits]").checked;
    const left = Number(form.querySelector("[data-left]").dataset.left);
    const on = words.length > 0 || kind !== "" || fits;
    const found = {};
    const wanted = (option, title) => {
      const text = `${option.value} ${title}`.toLowerCase();
      return words.every((word) => text.includes(word)) && !(fits && Number(option.dataset.caps) > left);
    };
    for (const select of form.querySelectorAll("select[data-find]")) {
      if (!whole.has(select)) whole.set(select, [...select.children].map((node) => node.cloneNode(true)));
      if (select === document.activeElement) continue;
      const sort = select.dataset.find;
      const held = select.value;
      const adds = /(^|\.)add_/.test(select.name);
      const names = [];
      const keep = (option, title = "") => {
        if (!option.dataset.caps) return true;
        const is = wanted(option, title);
        if (is && !option.disabled) names.push(option.value);
        return is || (!adds && option.value === held);
      };
      const nodes = [];
      for (const node of whole.get(select)) {
        const copy = node.cloneNode(true);
        if (copy.tagName === "OPTION") {
          if (!on || keep(copy)) nodes.push(copy);
        } else if (on && "again" in copy.dataset) {
          continue; // what it offers stands in its own group, too
        } else if (!kind.startsWith(`${sort}:`) || kind === `${sort}:${copy.dataset.title}`) {
          if (on) for (const option of [...copy.children]) if (!keep(option, copy.label)) option.remove();
          if (copy.children.length) nodes.push(copy);
        }
      }
      const first = nodes[0];
      if (first.dataset.words) first.textContent = on ? gettext("%(n)s found: %(words)s", { n: names.length, words: first.dataset.words }) : first.dataset.words;
      select.replaceChildren(...nodes);
      // Select a single match, and undo that when there are more again.
      const only = adds && words.length && names.length === 1 ? names[0] : "";
      const dropped = adds && held && (select.dataset.only === held || !names.includes(held)) && on;
      select.value = only || (dropped || (!on && select.dataset.only === held) ? "" : held);
      select.dataset.only = only;
      if (select.value !== select.dataset.own) delete select.dataset.own;
      found[sort] = new Set([...(found[sort] || []), ...names]);
    }
    for (const group of form.querySelectorAll("[data-results]")) {
      const title = group.dataset.results;
      const other = kind.startsWith("models:") && kind !== `models:${title}`;
      let some = false;
      for (const line of group.querySelectorAll("li")) {
        const text = `${line.dataset.name} ${title}`.toLowerCase();
        const is = !on || (!other && words.every((word) => text.includes(word)) && !(fits && Number(line.dataset.caps) > left));
        line.hidden = !is;
        some = some || is;
      }
      group.hidden = !some || (on && "again" in group.dataset);
    }
    const results = part("results");
    results.querySelector("[data-nothing]").hidden = results.querySelector("[data-results]:not([hidden])") !== null;
    if (on && !was) results.open = true;
    was = on;
    const chip = form.querySelector(".builder-chip");
    chip.hidden = !on;
    form.querySelector(".builder-search").hidden = on;
    if (on) chip.querySelector("[data-chip]").textContent = part("find").value.trim() || (kind && part("find_kind").selectedOptions[0].text) || gettext("Affordable");
    const counts = Object.entries(found).filter(([, names]) => names.size)
      .map(([sort, names]) => WORDS[sort](names.size));
    return on ? counts.join(" ") || gettext("Found: nothing") : "";
  };

  const draw = () => {
    form.querySelector("[value=find]").hidden = true;
    part("found").textContent = narrow();
  };

  const typed = (event) => {
    if (!/^find/.test(event.target.name || "")) return;
    draw();
    clearTimeout(timer);
    timer = setTimeout(() => say(part("found").textContent), QUIET);
  };

  const open = () => {
    part("find").focus();
    part("find").select();
  };

  // Without the server: the chip takes the search away at once.
  const clear = () => {
    part("find").value = part("find_kind").value = "";
    form.querySelector("[name=find_fits]").checked = false;
    draw();
    say(gettext("Everything is shown again."));
  };

  // A player's own choice, which the service asks about if it was not added.
  const own = (select) => { select.dataset.own = select.value; };

  form.addEventListener("input", typed);
  form.addEventListener("input", (event) => { if (event.target.matches("select[data-find]")) own(event.target); });
  form.addEventListener("submit", (event) => {
    if (event.submitter && "quick" in event.submitter.dataset) return;
    for (const select of form.querySelectorAll("select[data-only]")) {
      if (select.dataset.only && select.dataset.only === select.value && !select.dataset.own) select.value = "";
    }
  });
  form.addEventListener("drawn", draw);
  form.addEventListener("click", (event) => {
    if (!event.target.closest(".builder-chip")) return;
    event.preventDefault();
    clear();
  });
  form.addEventListener("keydown", (event) => {
    if (event.target.id !== "find") return;
    if (event.key === "Enter") {
      // Focus the first chooser with a match.
      event.preventDefault();
      const choosers = [...form.querySelectorAll("select[data-find]")].filter((one) => one.querySelector("[data-caps]:enabled"));
      const at = choosers.find((one) => one.dataset.only) || choosers[0];
      if (!at) return;
      if (at.closest("details")) at.closest("details").open = true;
      at.focus();
      own(at);
    } else if (event.key === "Escape") {
      event.preventDefault();
      clear();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    event.preventDefault();
    open();
  });
  draw();
})();
