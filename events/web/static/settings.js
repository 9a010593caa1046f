"use strict";
// Forms that are saved one by one: each says that it is not saved yet, and leaving the page with one asks first.
const unsaved = new Set();

function mark(form) {
  unsaved.add(form);
  form.querySelector("[data-not-saved]").hidden = false;
  const said = form.querySelector(".saved");
  if (said) said.replaceChildren();
}

for (const form of document.querySelectorAll("form[data-unsaved]")) {
  if (form.dataset.unsaved === "now") mark(form);
  form.addEventListener("input", () => mark(form));
  form.addEventListener("submit", () => unsaved.delete(form));
}

// A colour is chosen as well as typed.
for (const text of document.querySelectorAll("[data-colour]")) {
  const picker = document.createElement("input");
  Object.assign(picker, { type: "color", value: text.value || "#2f6f4f", ariaLabel: "Choose a colour" });
  picker.addEventListener("input", () => { text.value = picker.value; });
  text.after(picker);
}

addEventListener("beforeunload", (event) => {
  if (unsaved.size) event.preventDefault();
});
