"use strict";
// Parts of a page that take a moment are fetched once it is shown.
for (const place of document.querySelectorAll(".later[data-url]")) {
  fetch(place.dataset.url)
    .then((response) => (response.ok ? response.text() : Promise.reject(response.status)))
    .then((html) => { place.innerHTML = html; })
    .catch(() => { place.querySelector("progress").hidden = true; });
}
