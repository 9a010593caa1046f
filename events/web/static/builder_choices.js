// The choices of the force builder: writes the list of models, and in the card that was opened the list of what its model
// can have, from the lines of "Offers" (validators/kit/builder.py); and filters the list above which a name is typed.
// Without script the card that a button worked in has its list. Uses make(), drawing() and say() of overseer.js; builder.js dispatches "drawn"
// after it replaced parts; dispatches "listed" after a list was written.
"use strict";

(() => {
  const QUIET = 700; // milliseconds before what was found is read out
  const MOST_ELSEWHERE = 6;
  const PLUS = "M5 12h14M12 5v14";

  const form = document.getElementById("builder");
  if (!form || !form.querySelector("[data-models]")) return;

  const FOUND = {
    models: (n) => gettext("Models found: %(n)s.", { n }),
    items: (n) => gettext("Items found: %(n)s.", { n }),
    perks: (n) => gettext("Perks found: %(n)s.", { n }),
    mods: (n) => gettext("Mods found: %(n)s.", { n }),
    cards: (n) => gettext("Leader cards found: %(n)s.", { n }),
  };
  const ELSEWHERE = {
    items: (name) => gettext("%(name)s, an item for:", { name }),
    perks: (name) => gettext("%(name)s, a perk for:", { name }),
    mods: (name) => gettext("%(name)s, a mod for:", { name }),
    cards: (name) => gettext("%(name)s, a card for:", { name }),
  };
  const COMMANDS = { items: "add-item", mods: "add-item", perks: "add-perk" };
  const sets = new Map();
  const groups = new Map();
  let holder = null; // the number of the card with the list
  let folded = true; // whether the list of models was folded before the search
  let searched = false;
  let timer = 0;

  const panel = () => form.querySelector("#add");
  const results = () => form.querySelector("#results");
  const fold = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (words, ...texts) => words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const left = () => Number(form.querySelector("[data-left]").dataset.left);
  const offered = (key, sort) => (sets.get(key)?.[sort] || []).map((group) => groups.get(group));

  const between = (options, from, to = from) => options.slice(from, to + 1);

  const take = () => {
    const template = form.querySelector("template[data-part=offers]");
    const options = [];
    for (const line of template.content.textContent.split("\n")) {
      const [kind, key, first, second = "", third] = line.split("\t");
      if (kind === "o") options.push({ name: key, caps: first ? Number(first) : null, note: second, closed: Boolean(third) });
      if (kind === "g") groups.set(key, { title: first, options: second.split(" ").flatMap((run) => between(options, ...run.split("-").map(Number))) });
      if (kind === "s") sets.set(key, { ...sets.get(key), [first]: second.split(" ").filter(Boolean) });
    }
    template.innerHTML = "";
    form.dataset.held = [...sets.keys(), ...groups.keys()].join(" ");
  };

  // One list for all cards, which moves into the one that was opened.
  const list = make("div", { class: "builder-list", "data-kept-of": "item", "data-filtered": "" });
  const box = make("div", { class: "builder-box" });
  const start = () => {
    const find = form.querySelector(".builder-find").cloneNode(true);
    find.hidden = false;
    const input = find.querySelector("[type=search]");
    find.querySelector("label").htmlFor = input.id = "find-equipment";
    input.value = "";
    find.querySelector("[type=checkbox]").checked = false;
    list.append(find, make("ul", { class: "builder-elsewhere", "data-elsewhere": "" }), box);
  };

  const line = (option, command, at) => {
    const item = make("li", { "data-key": option.name, "data-caps": option.caps ?? 0 });
    const isModel = command === "add-model";
    const button = make("button", { class: isModel ? "button small" : "chip", name: "do", value: `${command}=${option.name}`, formaction: `#${at}` });
    const name = make("span");
    name.append(make("bdi", {}, option.name), " ", make("small", { class: "meta" }, option.note));
    const caps = make("span", { class: "num" }, option.caps === null ? "" : String(option.caps));
    button.disabled = option.closed;
    if (isModel) {
      button.setAttribute("aria-label", gettext("Add %(name)s", { name: option.name }));
      button.append(drawing(PLUS), make("span", {}, gettext("Add")));
      item.append(name, caps, option.closed ? make("span", { class: "meta" }, gettext("in")) : button);
    } else {
      button.append(name, " ", caps);
      item.append(button);
    }
    return item;
  };

  const group = (title, sort, options, command, at, again = false) => {
    const part = make("div", { "data-results": title, "data-sort": sort, ...(again && { "data-again": "" }) });
    const lines = make("ul", { class: sort === "models" ? "lines" : "chips" });
    lines.append(...options.map((option) => line(option, command, at)));
    if (title) part.append(make("h4", {}, title));
    part.append(lines);
    return part;
  };

  const values = (name) => [...form.querySelectorAll(`[name="${name}"]`)].map((field) => field.value);

  // What the edition calls usual, then what the force's other models of this name carry.
  const usual = (card, items) => {
    const [name] = values(`${card.id}.name`);
    const counts = new Map(offered(card.querySelector("[data-chooser]").dataset.chooser, "usual").flatMap(({ options }) => options).map((option) => [option.name, Infinity]));
    for (const other of form.querySelectorAll(".model")) {
      if (other === card || values(`${other.id}.name`)[0] !== name) continue;
      for (const field of other.querySelectorAll(`[name^="${other.id}.i"][name$=".name"]`)) counts.set(field.value, (counts.get(field.value) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).map(([each]) => items.find((option) => option.name === each && !option.closed)).filter(Boolean);
  };

  const write = (card) => {
    const { chooser } = card.querySelector("[data-chooser]").dataset;
    const owned = values(`${card.id}.perk`);
    const place = card.id.slice(1);
    const items = offered(chooser, "items").flatMap(({ options }) => options);
    const first = usual(card, items);
    const written = first.length ? [group(gettext("Usual"), "items", first, `add-item:${place}`, card.id, true)] : [];
    for (const sort of ["items", "mods", "perks"]) {
      for (const { title, options } of offered(chooser, sort)) {
        const free = options.filter(({ name }) => sort !== "perks" || !owned.includes(name));
        written.push(group(title, sort, free, `${COMMANDS[sort]}:${place}`, card.id));
      }
    }
    box.replaceChildren(...written);
  };

  const place = (card, words = null) => {
    fill(card);
    const slot = card.querySelector("[data-chooser]");
    if (!slot) return;
    if (words !== null || (holder !== card.id && !slot.contains(list))) list.querySelector("[type=search]").value = words || "";
    holder = card.id;
    const { scrollTop } = box;
    if (!slot.contains(list)) slot.append(list); // which takes the focus away
    write(card);
    box.scrollTop = scrollTop;
    form.dispatchEvent(new Event("listed"));
    price(list);
    filter(list);
  };

  // The mods that fit, in the choice of each item.
  const fill = (card) => {
    for (const select of card.querySelectorAll("select[data-offers]:not([data-filled])")) {
      select.dataset.filled = "";
      for (const { name, caps, closed } of offered(select.dataset.offers, "mods").flatMap(({ options }) => options)) {
        if (name === select.value) continue;
        const option = new Option(`${name}, +${caps}`, name);
        option.disabled = closed;
        select.append(option);
      }
    }
  };

  // Says of each choice how far it is over the Caps left.
  const price = (filtered) => {
    const rest = left();
    for (const item of filtered.querySelectorAll("li[data-caps]")) {
      const over = Number(item.dataset.caps) - rest;
      item.classList.toggle("over", over > 0);
      let words = item.querySelector("[data-over]");
      if (!words && over > 0) item.querySelector(".num").after(" ", words = make("small", { class: "meta", "data-over": "" }));
      if (words) words.textContent = over > 0 ? gettext("%(left)s over", { left: over }) : "";
    }
  };

  // What these words find outside the list: sort, name, and where it can go.
  const found = (words, cards, modsOnly) => {
    const hits = new Map();
    const add = (sort, name, where, at) => {
      const hit = hits.get(`${sort} ${name}`) || hits.set(`${sort} ${name}`, { sort, name, places: new Map() }).get(`${sort} ${name}`);
      if (!hit.places.has(where)) hit.places.set(where, at);
    };
    for (const card of cards) {
      const model = card.querySelector("h3").textContent.trim();
      for (const select of card.querySelectorAll("select[data-offers]")) {
        const item = values(select.name.replace(/mod$/, "name"))[0];
        for (const { name } of offered(select.dataset.offers, "mods").flatMap(({ options }) => options)) {
          if (fits(words, name)) add("mods", name, modsOnly ? item : `${model}: ${item}`, select.id);
        }
      }
      const slot = card.querySelector("[data-chooser]");
      for (const sort of slot && !modsOnly ? ["mods", "items", "perks"] : []) {
        for (const { name } of offered(slot.dataset.chooser, sort).flatMap(({ options }) => options)) if (fits(words, name)) add(sort, name, model, card.id);
      }
    }
    return [...hits.values()];
  };

  const filter = (filtered) => {
    const words = fold(filtered.querySelector("[type=search]").value);
    const within = filtered.querySelector(".builder-find [type=checkbox]").checked ? left() : Infinity;
    const on = words.length > 0 || within < Infinity;
    const counts = { [filtered === list ? "items" : "models"]: 0 };
    for (const part of filtered.querySelectorAll("[data-results]")) {
      let some = 0;
      for (const item of part.querySelectorAll("li")) {
        item.hidden = on && ("again" in part.dataset || Number(item.dataset.caps) > within || !fits(words, item.dataset.key, part.dataset.results));
        some += !item.hidden;
      }
      part.hidden = !some;
      if (some) counts[part.dataset.sort] = (counts[part.dataset.sort] || 0) + some;
    }
    const inCard = filtered === list;
    const hits = words.length ? found(words, inCard ? [list.closest(".model")] : form.querySelectorAll(".model"), inCard) : [];
    for (const option of words.length && !inCard ? form.querySelectorAll("#leader_card option:not([value=''])") : []) {
      if (fits(words, option.value)) hits.push({ sort: "cards", name: option.value, places: new Map([[gettext("Leader"), "leader_card"]]) });
    }
    for (const { sort } of hits) counts[sort] = (counts[sort] || 0) + 1;
    filtered.querySelector("[data-elsewhere]").replaceChildren(...hits.slice(0, MOST_ELSEWHERE).map(({ sort, name, places }) => {
      const item = make("li", {}, ELSEWHERE[sort](name));
      for (const [where, at] of places) item.append(" ", make("a", { href: `#${at}`, "data-finds": sort === "mods" && at.includes(".") ? "" : name }, where));
      return item;
    }));
    filtered.querySelector("[data-found]").textContent = on ? Object.entries(counts).map(([sort, n]) => FOUND[sort](n)).join(" ") : "";
    return on;
  };

  // The list of models is open while it is searched, and then as it was.
  const search = (filtered) => {
    const models = results();
    const on = filter(filtered);
    if (filtered === list || on === searched) return;
    if (on) folded = !models.open;
    models.open = on || !folded;
    searched = on;
  };

  const draw = () => {
    take();
    const models = results();
    models.hidden = false;
    panel().dataset.filtered = "";
    panel().querySelector(".builder-add")?.remove();
    for (const search of form.querySelectorAll(".builder-find, .builder-search")) search.hidden = false;
    if (!models.querySelector("[data-results]")) {
      models.append(...offered(models.dataset.models, "models").map(({ title, options }) => group(title, "models", options, "add-model", "results")));
    }
    for (const card of form.querySelectorAll(".model[open]")) fill(card);
    form.dispatchEvent(new Event("listed"));
    price(panel());
    filter(panel());
  };

  form.addEventListener("drawn", ({ detail }) => {
    draw();
    if (!detail && list.isConnected) {
      price(list);
      filter(list);
      return;
    }
    if (holder && detail) holder = `m${detail(Number(holder.slice(1)))}`;
    const card = holder && form.querySelector(`#${holder}[open]`);
    if (card) place(card);
    else holder = null;
  });
  form.addEventListener("toggle", ({ target }) => {
    if (target.matches(".model[open]")) fill(target);
  }, true);
  form.addEventListener("click", (event) => {
    const link = event.target.closest("[data-elsewhere] a");
    const chooser = event.target.closest("[data-chooser] > .button");
    const card = event.target.closest(".model > summary")?.parentElement;
    if (card && !card.open) place(card);
    if (chooser) place(chooser.closest(".model"));
    if (link) {
      const at = document.getElementById(link.hash.slice(1));
      const model = at.closest(".model");
      if (model) {
        model.open = true;
        place(model, link.dataset.finds);
      }
      at.scrollIntoView({ block: "center" });
      (link.dataset.finds && model ? list.querySelector("li:not([hidden]) > button") : at).focus({ preventScroll: true });
    }
    if (chooser || link) event.preventDefault();
  });
  form.addEventListener("input", ({ target }) => {
    const find = target.closest(".builder-find");
    if (!find) return;
    const filtered = find.closest("[data-filtered]");
    search(filtered);
    clearTimeout(timer);
    timer = setTimeout(() => say(find.querySelector("[data-found]").textContent), QUIET);
  });
  form.addEventListener("keydown", (event) => {
    const filtered = event.target.type === "search" && event.target.closest("[data-filtered]");
    if (!filtered || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") {
      filtered.querySelector("li:not([hidden]) button[name=do]:enabled, [data-elsewhere] a")?.focus();
      return;
    }
    event.target.value = "";
    filtered.querySelector(".builder-find [type=checkbox]").checked = false;
    search(filtered);
    say(gettext("Everything is shown again."));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    event.preventDefault();
    (list.isConnected ? list : panel()).querySelector("[type=search]").select();
  });
  start();
  draw();
})();
