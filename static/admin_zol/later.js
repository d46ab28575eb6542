"use strict";
// Parts of a page that take a moment are fetched once it is shown.
for (const place of document.querySelectorAll(".later[data-url]")) {
  fetch(place.dataset.url)
    .then((response) => (response.ok ? response.text() : Promise.reject(response.status)))
    .then((html) => { place.innerHTML = html; })
    .catch(() => { place.querySelector("progress").hidden = true; });
}
// A form whose answer takes a moment says that it is being asked.
for (const form of document.querySelectorAll("form.waits")) {
  form.addEventListener("submit", () => { form.querySelector("progress").hidden = false; });
}
// A page that the browser kept is shown as it was left.
window.addEventListener("pageshow", () => {
  for (const bar of document.querySelectorAll("form.waits progress")) bar.hidden = true;
});
