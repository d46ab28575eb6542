// What a reader can do with an answer: rate it, copy it, print it, ask for a deeper search.

import { el, icon, ICONS } from "./dom.js";

const REASONS = ["wrong", "incomplete", "off", "unclear"];
const COPIED_FOR = 2_000;

/** What stands under an answer. `actions`: rate(good, reason) and harder(); `said`: labels. */
export function toolsOf(frame, exchange, actions, said) {
  const row = el("div", { class: "tools" });
  // Nobody in need is asked for an opinion, nor is one taken of what is not kept.
  const opinion = frame.behaviour === "emergency" || frame.kept === false ? [] : opinionOn(frame, row, actions, said);
  row.append(el("span", { class: "spring" }), copyButton(frame, said), tool("print", said.print, () => printOne(exchange)));
  return [row, ...opinion];
}

/** Ask in a row of buttons whether an answer was useful; return what stands below the row. */
function opinionOn(frame, row, actions, said) {
  const told = el("p", { class: "rated", role: "status" });
  const reasons = reasonsOf(frame, actions, told, said);
  const good = thumb("good", said.yes, () => choose(true), said);
  const bad = thumb("bad", said.no, () => choose(false), said);

  function choose(isGood) {
    good.setAttribute("aria-pressed", String(isGood));
    bad.setAttribute("aria-pressed", String(!isGood));
    reasons.hidden = isGood;
    if (!isGood) reasons.scrollIntoView({ block: "nearest" });
    told.textContent = isGood ? said.rated : "";
    actions.rate(isGood, "");
  }

  row.append(el("span", { class: "helpful" }, said.helpful), good, bad);
  return [reasons, told];
}

function thumb(name, label, act, said) {
  return el("button", { type: "button", class: "quiet", "aria-pressed": "false", "aria-label": `${said.helpful} ${label}`, click: act }, icon(ICONS[name]), label);
}

function tool(name, label, act) {
  return el("button", { type: "button", class: "quiet", click: act }, icon(ICONS[name]), el("span", { class: "label-long" }, label));
}

function reasonsOf(frame, actions, told, said) {
  const chips = REASONS.map((reason) =>
    el("button", { type: "button", class: "chip", "aria-pressed": "false", click: (event) => give(event, reason) }, said[`reason_${reason}`]),
  );

  function give(event, reason) {
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip === event.currentTarget));
    told.textContent = said.rated;
    actions.rate(false, reason);
  }

  const made = el("fieldset", { class: "reasons", hidden: true }, el("legend", {}, said.reason_title), el("div", {}, ...chips));
  if (frame.mode !== "escalated") {
    made.append(el("p", { class: "again" }, el("button", { type: "button", class: "button secondary", click: actions.harder }, said.think_harder)));
  }
  return made;
}

function copyButton(frame, said) {
  if (!navigator.clipboard) return ""; // Only pages served over HTTPS may write to it.
  const button = tool("copy", said.copy, async () => {
    await navigator.clipboard.writeText(asText(frame, said));
    const label = button.lastChild;
    label.textContent = said.copied;
    setTimeout(() => (label.textContent = said.copy), COPIED_FOR);
  });
  return button;
}

/** An answer as one would paste it in an e-mail. */
export function asText(frame, said) {
  const plain = frame.text.replace(/\\([!-/:-@[-`{-~])|\*\*|^> ?/gm, "$1").trim();
  const sources = frame.citations.map(({ n, title, url }) => `[${n}] ${title} ${url}`.trim());
  return [plain, ...(sources.length ? ["", said.sources, ...sources] : [])].join("\n");
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
