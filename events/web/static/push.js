"use strict";
// Asks the browser to show notifications and sends its push address to the server as a form. Needs HTTPS or localhost.
{
  const form = document.querySelector("form[data-push]");
  const state = document.getElementById("push-state");
  const button = form && form.querySelector("button");
  const say = (why) => { state.textContent = state.dataset[why]; };

  const subscription = async () => {
    await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
    const { pushManager } = await navigator.serviceWorker.ready;
    const wanted = { userVisibleOnly: true, applicationServerKey: form.dataset.push };
    try {
      return await pushManager.subscribe(wanted);
    } catch (error) {
      // One made with another key of this server, as after a restore, is replaced.
      const old = await pushManager.getSubscription();
      if (!old) throw error;
      await old.unsubscribe();
      return pushManager.subscribe(wanted);
    }
  };
  const start = async () => {
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        say("blocked");
        return;
      }
      const { endpoint, keys } = (await subscription()).toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch {
      say("failed");
    } finally {
      button.disabled = false;
    }
  };

  if (form && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
    button.hidden = false;
    button.addEventListener("click", start);
  } else if (form) {
    say("missing");
  }
}
