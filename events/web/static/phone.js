// Says on the page what this browser can do here.
"use strict";
const able = {
  secure: window.isSecureContext,
  copies: "serviceWorker" in navigator && "caches" in window,
  notices: "serviceWorker" in navigator && "PushManager" in window,
};
for (const [name, has] of Object.entries(able)) {
  document.querySelector(`[data-sight="${has ? name : `no-${name}`}"]`).hidden = false;
}
