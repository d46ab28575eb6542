"use strict";
// A button that copies a text of the page. Only pages served over HTTPS may write to the clipboard.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copies]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.done;
  });
}
