"use strict";
// Forms whose input is lost when the page is left: each says that it is not saved yet, and leaving the page with one asks
// first. Saving one while another is not saved keeps the page: only the saved one is replaced. Uses say() and enliven() of
// overseer.js.
const unsaved = new Set();
let submitting = false; // the next departure from the page is the submission of a form

function mark(form) {
  unsaved.add(form);
  form.querySelector("[data-not-saved]").hidden = false;
  const said = form.querySelector(".saved");
  if (said) said.replaceChildren();
}

// Next to the pressed button, which other forms of the page are not saved yet, each with the way to it.
function nameOthers(section) {
  const line = make("p", { class: "not-saved" }, "Not saved yet: ");
  [...unsaved].forEach((form, place) => {
    const other = form.closest("section");
    line.append(place ? ", " : "", make("a", { href: `#${other.id}` }, other.querySelector("h2").textContent));
  });
  section.querySelector("[data-not-saved]").after(line);
}

async function saveAlone(form, button) {
  const section = form.closest("section");
  const body = new FormData(form, button);
  const line = form.querySelector("[data-not-saved]");
  form.inert = true; // it stays unsaved until the answer: the service may refuse it
  let fresh = null;
  try {
    const answer = await fetch(location.pathname, { method: "POST", body, keepalive: true, credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    fresh = page.getElementById(section.id);
  } catch {
    // No connection: nothing is lost, and the button can be pressed again.
  }
  form.inert = false;
  if (!fresh) {
    line.textContent = "Not saved. Press the button again in a moment.";
    say(line.textContent);
    return;
  }
  unsaved.delete(form);
  const shown = document.importNode(fresh, true);
  section.replaceWith(shown);
  enliven(shown);
  watch(shown);
  nameOthers(shown);
  for (const wrong of shown.querySelectorAll("details .field-wrong")) wrong.closest("details").open = true;
  const errors = shown.querySelector("[data-errors]");
  (errors || [...shown.querySelectorAll("button[name=do]")].at(-1)).focus();
  say(shown.querySelector(".saved").textContent.trim());
}

function watch(root) {
  for (const form of root.querySelectorAll("form[data-unsaved]")) {
    if (form.dataset.unsaved === "now") mark(form);
    form.addEventListener("input", () => mark(form));
    form.addEventListener("submit", (event) => {
      const others = [...unsaved].some((other) => other !== form);
      if (!others || !form.querySelector(".saved")) { // one that leads to a new page asks first
        submitting = !others;
        return;
      }
      event.preventDefault();
      saveAlone(form, event.submitter);
    });
  }
  // A colour is chosen as well as typed.
  for (const text of root.querySelectorAll("[data-colour]")) {
    const picker = document.createElement("input");
    Object.assign(picker, { type: "color", value: text.value || "#2f6f4f", ariaLabel: "Choose a colour" });
    picker.addEventListener("input", () => { text.value = picker.value; });
    text.after(picker);
  }
}

watch(document);

addEventListener("beforeunload", (event) => {
  if (!submitting && unsaved.size) event.preventDefault();
  submitting = false;
});
