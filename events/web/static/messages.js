"use strict";
// Marks messages on the player's page as read once they were visible; without script a button does.
{
  const SEEN_AFTER = 2000;
  const timers = new WeakMap();
  const tell = async (form) => {
    if (document.hidden || !form.isConnected) return;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), credentials: "same-origin", redirect: "manual" });
      if (answer.type === "opaqueredirect") form.remove();
    } catch {
      // no network: the button stays, and the next visit tries again
    }
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (isIntersecting) timers.set(target, setTimeout(tell, SEEN_AFTER, target));
    }
  }, { threshold: 1 });
  const watch = () => document.querySelectorAll("form[data-read]").forEach((form) => watcher.observe(form));
  const part = document.getElementById("messages");
  if (part) new MutationObserver(watch).observe(part, { childList: true });
  document.addEventListener("visibilitychange", () => {
    watcher.disconnect();
    watch();
  });
  watch();
}
