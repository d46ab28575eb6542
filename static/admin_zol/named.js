"use strict";
// A box to choose in by typing is called as the field that it stands for.
const named = () => {
  for (const field of document.querySelectorAll("select.admin-autocomplete")) {
    const label = field.labels[0] ?? field.closest(".form-row")?.querySelector("label, .readonly-label");
    const name = label?.textContent.trim() || field.getAttribute("aria-label") || "";
    const box = field.nextElementSibling;
    for (const each of box?.querySelectorAll("[role=combobox], [role=textbox], [role=searchbox]") ?? []) {
      each.setAttribute("aria-label", name);
    }
  }
};
// The boxes are made by what Django does once the page is there: after that, however late it is.
addEventListener("load", () => window.django?.jQuery?.(named));
