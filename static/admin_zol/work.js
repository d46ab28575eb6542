"use strict";
// Asks what is being done; when it is done, the page is shown anew and leads on.
const work = document.querySelector(".work[data-url]");

function look() {
  fetch(work.dataset.url, { headers: { Accept: "application/json" } })
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then((now) => {
      work.querySelector(".words").textContent = now.words;
      work.querySelector(".lonely").hidden = !now.lonely;
      if (now.running) setTimeout(look, 500);
      else location.reload();
    })
    .catch(() => setTimeout(look, 5000));
}

if (work) look();
