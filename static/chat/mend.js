// For staff alone: a way from each answer to what it came from, in the back office.

import { el, fill } from "./dom.js";
import { Exchange } from "./exchange.js";
import { page } from "./page.js";

const { parts } = Exchange.prototype;

/** Patients never load this: what their page does stays as it is. */
Exchange.prototype.parts = function partsForStaff(frame, said) {
  const { title, turn } = page.mend;
  const link = el("a", { class: "button secondary", href: fill(turn, frame), target: "_blank", rel: "noopener" }, title);
  return [...parts.call(this, frame, said), el("p", {}, link)];
};
