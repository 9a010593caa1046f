"use strict";
// Forms whose input is lost when the page is left: each says that it is not saved yet, and leaving the page with one asks
// first.
const unsaved = new Set();
let submitting = false; // the next departure from the page is the submission of a form

function mark(form) {
  unsaved.add(form);
  form.querySelector("[data-not-saved]").hidden = false;
  const said = form.querySelector(".saved");
  if (said) said.replaceChildren();
}

for (const form of document.querySelectorAll("form[data-unsaved]")) {
  if (form.dataset.unsaved === "now") mark(form);
  form.addEventListener("input", () => mark(form));
  form.addEventListener("submit", () => {
    submitting = ![...unsaved].some((other) => other !== form);
  });
}
addEventListener("beforeunload", (event) => {
  if (!submitting && unsaved.size) event.preventDefault();
  submitting = false;
});
