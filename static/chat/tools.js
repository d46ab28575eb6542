// What a reader can do with an answer: rate it, copy it, print it, ask for a deeper search.

import { el, icon, ICONS } from "./dom.js";
import { ui } from "./page.js";

const REASONS = ["wrong", "incomplete", "off", "unclear"];
const COPIED_FOR = 2_000;

/** The row of buttons under an answer. `actions`: rate(good, reason) and harder(). */
export function toolsOf(frame, exchange, actions) {
  const said = el("p", { class: "rated", role: "status" });
  const reasons = reasonsOf(frame, actions, said);
  const good = thumb("good", ui.yes, () => choose(true));
  const bad = thumb("bad", ui.no, () => choose(false));

  function choose(isGood) {
    good.setAttribute("aria-pressed", String(isGood));
    bad.setAttribute("aria-pressed", String(!isGood));
    reasons.hidden = isGood;
    if (!isGood) reasons.scrollIntoView({ block: "nearest" });
    said.textContent = isGood ? ui.rated : "";
    actions.rate(isGood, "");
  }

  const row = el(
    "div",
    { class: "tools" },
    el("span", { class: "helpful" }, ui.helpful),
    good,
    bad,
    el("span", { class: "spring" }),
    copyButton(frame),
    tool("print", ui.print, () => printOne(exchange)),
  );
  return [row, reasons, said];
}

function thumb(name, label, act) {
  return el("button", { type: "button", class: "quiet", "aria-pressed": "false", "aria-label": `${ui.helpful} ${label}`, click: act }, icon(ICONS[name]), label);
}

function tool(name, label, act) {
  return el("button", { type: "button", class: "quiet", click: act }, icon(ICONS[name]), el("span", { class: "label-long" }, label));
}

function reasonsOf(frame, actions, said) {
  const chips = REASONS.map((reason) =>
    el("button", { type: "button", class: "chip", "aria-pressed": "false", click: (event) => give(event, reason) }, ui[`reason_${reason}`]),
  );

  function give(event, reason) {
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip === event.currentTarget));
    said.textContent = ui.rated;
    actions.rate(false, reason);
  }

  const made = el("fieldset", { class: "reasons", hidden: true }, el("legend", {}, ui.reason_title), el("div", {}, ...chips));
  if (frame.mode !== "escalated") {
    made.append(el("p", { class: "again" }, el("button", { type: "button", class: "button secondary", click: actions.harder }, ui.think_harder)));
  }
  return made;
}

function copyButton(frame) {
  if (!navigator.clipboard) return ""; // Only pages served over HTTPS may write to it.
  const button = tool("copy", ui.copy, async () => {
    await navigator.clipboard.writeText(asText(frame));
    const label = button.lastChild;
    label.textContent = ui.copied;
    setTimeout(() => (label.textContent = ui.copy), COPIED_FOR);
  });
  return button;
}

/** An answer as one would paste it in an e-mail. */
export function asText(frame) {
  const plain = frame.text.replace(/\*\*/g, "").replace(/^> ?/gm, "").trim();
  const sources = frame.citations.map(({ n, title, url }) => `[${n}] ${title} ${url}`.trim());
  return [plain, ...(sources.length ? ["", ui.sources, ...sources] : [])].join("\n");
}

function printOne(exchange) {
  exchange.classList.add("is-printed");
  document.body.classList.add("is-printing-one");
  addEventListener("afterprint", () => {
    exchange.classList.remove("is-printed");
    document.body.classList.remove("is-printing-one");
  }, { once: true });
  print();
}
