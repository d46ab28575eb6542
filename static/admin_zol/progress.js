"use strict";
// Asks how far a run is while it is running; when one that was shown as running has ended, the page
// is shown anew.
const PAUSE = 2000;

function follow(place, wasRunning) {
  fetch(place.dataset.url, { headers: { Accept: "application/json" } })
    .then((response) => (response.ok ? response.json() : Promise.reject(response.status)))
    .then((run) => {
      const bar = place.querySelector("progress");
      bar.max = run.total;
      bar.value = run.done;
      place.querySelector("span").textContent = `${run.done}/${run.total}`;
      const hint = document.querySelector(".progress-hint");
      if (hint) {
        hint.textContent = run.hint || "";
        hint.hidden = !run.hint;
      }
      if (run.running) setTimeout(follow, PAUSE, place, true);
      else if (wasRunning) location.reload();
    })
    .catch(() => setTimeout(follow, 5 * PAUSE, place, wasRunning));
}

document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".progress[data-url]")) follow(place, "running" in place.dataset);
});
