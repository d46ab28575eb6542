"use strict";
// A box to choose in by typing is called as the field that it stands for.
addEventListener("load", () => {
  for (const field of document.querySelectorAll("select.admin-autocomplete")) {
    const label = field.labels[0] ?? field.closest(".form-row")?.querySelector("label, .readonly-label");
    const name = label?.textContent.trim() || field.getAttribute("aria-label") || "";
    const box = field.nextElementSibling;
    for (const each of box?.querySelectorAll("[role=combobox], [role=textbox], [role=searchbox]") ?? []) {
      each.setAttribute("aria-label", name);
    }
  }
});
