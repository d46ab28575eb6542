// A question and its answer, from the first progress to the last button.

import { el, fill } from "./dom.js";
import { showDraft } from "./markdown.js";
import { beside, page, texts, ui } from "./page.js";
import { linkCitations, sourceList } from "./sources.js";
import { toolsOf } from "./tools.js";

export class Exchange {
  /** `actions`: ask(question), rate(message, good, reason), harder(message). */
  constructor(question, actions) {
    this.question = question;
    this.actions = actions;
    this.id = "";
    this.draft = "";
    this.stage = el("span", {}, ui.busy);
    this.bar = el("progress", { max: "100", value: "2", "aria-label": ui.busy });
    this.progress = el("div", { class: "progress" }, this.stage, this.bar);
    this.text = el("div", { class: "text" });
    this.answer = el("div", { class: "answer" }, el("p", { class: "who" }, ui.answer_of), this.progress, this.text);
    const asked = el("div", { class: "asked" }, el("p", { class: "who" }, ui.you), el("h2", { class: "question", tabindex: "-1" }, question));
    this.node = el("article", { class: "exchange" }, asked, this.answer);
  }

  showStage(stage, percent) {
    this.stage.textContent = ui[`stage_${stage}`] || ui.busy;
    this.bar.value = percent;
  }

  addToken(piece) {
    this.draft += piece;
    this.answer.classList.add("is-streaming");
    showDraft(this.text, this.draft);
  }

  /** Begin again, and say why. */
  begin(why) {
    this.draft = "";
    this.text.replaceChildren(el("p", { class: "remark" }, why));
  }

  /** Replace what was streamed by the finished answer. */
  finish(frame) {
    this.id = frame.message;
    this.settle();
    this.answer.lang = frame.language;
    this.answer.firstChild.lang = page.language;
    this.text.innerHTML = frame.html; // Cleaned by the server: chat/channels/frames.py.
    const said = beside(frame.language);
    linkCitations(this.text, frame.citations, said);
    if (frame.certainty) this.answer.classList.add(`is-${frame.certainty}`);
    if (frame.behaviour === "emergency") this.sound(frame, said);
    this.answer.append(...this.parts(frame, said));
  }

  parts(frame, said) {
    const parts = [badges(frame, said, this.text.querySelector("blockquote") && !frame.citations.some((each) => each.translated))];
    if (frame.contact?.name) parts.push(contactCard(frame.contact, said));
    if (frame.citations.length) parts.push(sourceList(frame.citations, said));
    // "Ask your own doctor" is the wrong thing to say below an emergency number.
    if (frame.behaviour !== "emergency") parts.push(el("p", { class: "disclaimer" }, said.disclaimer));
    if (frame.follow_ups.length) parts.push(this.followUps(frame.follow_ups, said));
    parts.push(...toolsOf(frame, this.node, this.actionsOn(frame.message), said));
    return parts;
  }

  actionsOn(message) {
    return {
      rate: (good, reason) => this.actions.rate(message, good, reason),
      harder: () => this.actions.harder(message, this.question),
    };
  }

  /** Offer questions that came after the answer, above its buttons. */
  suggest({ follow_ups }) {
    this.answer.querySelector(".follow-ups")?.remove();
    const after = this.answer.querySelector(".disclaimer");
    after?.after(this.followUps(follow_ups, beside(this.answer.lang)));
  }

  followUps(questions, said) {
    const chips = questions.map((question) =>
      el("li", {}, el("button", { type: "button", class: "chip", click: () => this.actions.ask(question) }, question)),
    );
    return el("section", { class: "follow-ups" }, el("h2", {}, said.follow_ups), el("ul", {}, ...chips));
  }

  /** Put the emergency number first, as large as it can be. */
  sound(frame, said) {
    this.answer.classList.add("is-emergency");
    // In a crisis or a poisoning another number comes first: the text names it.
    if (frame.warning !== "emergency") return;
    const call = el("a", { class: "button danger call", href: `tel:${page.emergency_dialled}` }, fill(said.call, { number: page.emergency }));
    this.text.before(el("p", {}, call));
  }

  stop() {
    this.settle();
    this.answer.append(el("p", { class: "remark" }, ui.stopped));
  }

  fail(words) {
    this.settle();
    const retry = el("button", { type: "button", class: "button secondary", click: () => this.actions.ask(this.question) }, ui.try_again);
    this.answer.append(el("p", { class: "failed" }, words || texts.error), el("p", { class: "again" }, retry));
  }

  settle() {
    this.progress.remove();
    this.answer.classList.remove("is-streaming");
    for (const late of this.answer.querySelectorAll(".remark, .failed, .again")) late.remove();
  }
}

/** Whom to call and where to go: what somebody who is worried looks for first. */
function contactCard({ name, phone, dialled, hours, places }, said) {
  const language = page.content_language;
  const rows = [
    ...places.map((place) => el("p", { lang: language }, el("strong", {}, place.name), place.address && ` · ${place.address}`)),
    hours && el("p", {}, `${said.contact_hours}: `, el("span", { lang: language }, hours)),
    phone && el("p", {}, el("a", { class: "button secondary", href: `tel:${dialled}` }, fill(said.call, { number: phone }))),
  ];
  return el("section", { class: "contact" }, el("h2", {}, said.contact), el("p", { class: "contact-name", lang: language }, name), ...rows.filter(Boolean));
}

function badges(frame, said, quotes) {
  const list = el("ul", { class: "badges" });
  if (frame.verified) list.append(el("li", { class: "badge good" }, said.verified_badge));
  if (frame.mode === "escalated") list.append(el("li", { class: "badge deeper" }, said.harder));
  if (quotes) list.append(el("li", { class: "badge" }, said.quoting_notice));
  if (frame.degraded) list.append(el("li", { class: "badge" }, said.degraded));
  list.hidden = !list.childElementCount;
  return list;
}
