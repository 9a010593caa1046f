"use strict";
// Asks the browser for a passkey and sends its answer as a form. Needs HTTPS or localhost.
{
  const form = document.querySelector("form[data-passkey]");
  const state = document.getElementById("passkey-state");
  const say = (why) => { state.textContent = state.dataset[why]; };

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join(""))
      .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const withBytes = (one) => ({ ...one, id: bytes(one.id) });

  const answer = async (asked) => {
    const publicKey = { ...asked, challenge: bytes(asked.challenge) };
    if (!asked.user) return navigator.credentials.get({ publicKey });
    publicKey.user = withBytes(asked.user);
    publicKey.excludeCredentials = asked.excludeCredentials.map(withBytes);
    return navigator.credentials.create({ publicKey });
  };
  const start = async () => {
    if (!form.reportValidity()) return;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const made = await answer(JSON.parse(form.dataset.passkey));
      const response = {};
      for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
        if (made.response[part]) response[part] = text(made.response[part]);
      }
      form.elements.credential.value = JSON.stringify({ id: made.id, rawId: text(made.rawId), type: made.type, response });
      form.submit();
    } catch (error) {
      say(error.name === "InvalidStateError" ? "known" : "failed");
      button.disabled = false;
    }
  };

  if (form && window.PublicKeyCredential) {
    form.querySelector("button").hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      start();
    });
  } else if (form) {
    say("missing");
  }
}
