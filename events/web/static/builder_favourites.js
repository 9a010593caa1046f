// Recently used and favourite choices of the force builder, kept in this browser for each game: a group of their own in
// each choice and in the list for one tap, whose lines get a star. Without script, or storage, all choices are there
// without it. builder.js sends "added" and
// "drawn", builder_choices.js "listed".
"use strict";

(() => {
  const MOST_RECENT = 4;
  const MOST_FAVOURITES = 12;
  const TITLE = gettext("Recent and favourites");

  const form = document.getElementById("builder");
  if (!form || !form.querySelector("[data-fragment]")) return;

  const KEPT = `overseer-builder-${form.querySelector("[data-fragment]").dataset.fragment}`;
  let kept = { recent: {}, favourites: [] };
  try {
    kept = { ...kept, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    // a browser that stores nothing: they last as long as the page
  }
  const keep = () => {
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // as above
    }
  };
  const isFavourite = (key) => kept.favourites.includes(key);
  const wanted = (sort) => [...new Set([...(sort === "model" ? kept.favourites : []), ...(kept.recent[sort] || [])])];

  const inChoice = (select) => {
    select.querySelector("[data-kept]")?.remove();
    const options = wanted(select.name.split("add_")[1])
      .map((key) => [...select.options].find((option) => option.value === key && !option.disabled)).filter(Boolean);
    if (!options.length) return;
    const group = make("optgroup", { label: TITLE, "data-again": "", "data-kept": "" });
    group.append(...options.map((option) => {
      const copy = option.cloneNode(true);
      copy.selected = false;
      return copy;
    }));
    (select.querySelector("optgroup[data-again]") || select.options[0]).after(group);
  };

  const star = (line) => {
    const { key, name = key } = line.dataset;
    const button = make("button", { type: "button", class: "button quiet builder-star", "aria-label": gettext("Favourite: %(name)s", { name }), title: gettext("Favourite") });
    const show = () => {
      button.setAttribute("aria-pressed", String(isFavourite(key)));
      button.textContent = isFavourite(key) ? "★" : "☆";
    };
    button.addEventListener("click", () => {
      kept.favourites = isFavourite(key) ? kept.favourites.filter((one) => one !== key) : [key, ...kept.favourites].slice(0, MOST_FAVOURITES);
      keep();
      show();
    });
    show();
    line.prepend(button);
  };

  const inList = (list, sort) => {
    if (sort === "model") for (const line of list.querySelectorAll("li[data-key]")) if (!line.querySelector(".builder-star")) star(line);
    const lines = wanted(sort).map((key) => list.querySelector(`li[data-key="${CSS.escape(key)}"]`))
      .filter((line) => line?.querySelector("[name=do]:enabled"));
    if (!lines.length) return;
    const group = make("div", { "data-results": TITLE, "data-again": "" });
    const copies = make("ul", { class: lines[0].parentElement.className });
    for (const line of lines) {
      const copy = line.cloneNode(true);
      copy.querySelector(".builder-star")?.remove(); // the line below has it
      const { key, name = key } = copy.dataset;
      if (sort === "model") copy.querySelector("[name=do]").setAttribute("aria-label", isFavourite(key) ? gettext("Add %(name)s (favourite)", { name }) : gettext("Add %(name)s (recent)", { name }));
      copies.append(copy);
    }
    group.append(make("h4", {}, TITLE), copies);
    list.querySelector("[data-results]").before(group);
  };

  const draw = () => {
    for (const select of form.querySelectorAll(".builder-add select")) inChoice(select);
    for (const list of form.querySelectorAll("[data-kept-of]")) {
      list.querySelector(`[data-results="${CSS.escape(TITLE)}"]`)?.remove();
      inList(list, list.dataset.keptOf);
    }
  };

  form.addEventListener("added", ({ detail: { sort, key } }) => {
    kept.recent[sort] = [key, ...(kept.recent[sort] || []).filter((one) => one !== key)].slice(0, MOST_RECENT);
    keep();
  });
  form.addEventListener("drawn", draw);
  form.addEventListener("listed", draw);
  draw();
})();
