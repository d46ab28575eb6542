"use strict";
// Comparing the draft with the live version takes a moment, so the page does not wait for it.
const pending = document.querySelector(".pending[data-url]");
if (pending) {
  fetch(pending.dataset.url, { headers: { Accept: "application/json" } })
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then((found) => {
      pending.textContent = found.text;
      pending.classList.toggle("waiting", found.changes > 0);
    })
    .catch(() => { pending.hidden = true; });
}
