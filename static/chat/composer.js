// The question being typed.

import { byId, fill } from "./dom.js";
import { page, texts, ui } from "./page.js";

/** From this share of the limit on, the letters are counted aloud. */
const NEARLY = 0.8;

export class Composer {
  /** `ask(question)` says whether the script takes the question; else the form sends itself. */
  constructor(ask, stop) {
    this.field = byId("question");
    this.form = byId("composer");
    this.sendButton = this.form.querySelector(".send");
    this.stopButton = byId("stop");
    this.isBusy = false;
    this.form.addEventListener("submit", (event) => this.submit(event, ask));
    this.field.addEventListener("keydown", (event) => {
      const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing;
      if (!sends) return;
      event.preventDefault();
      this.form.requestSubmit(this.sendButton);
    });
    this.field.addEventListener("input", () => this.look());
    this.stopButton.addEventListener("click", stop);
    this.look();
  }

  submit(event, ask) {
    const question = this.field.value.trim();
    const words = this.wrong(question);
    if (words) {
      event.preventDefault();
      this.complain(words);
    } else if (ask(question)) {
      event.preventDefault();
    }
  }

  /** Empty the field of a question that was taken. */
  taken(question) {
    if (this.field.value.trim() === question) this.clear();
  }

  wrong(question) {
    if (!question) return ui.error_empty;
    return question.length > page.longest ? texts.too_long : "";
  }

  complain(words) {
    const line = byId("mistake");
    line.textContent = words;
    line.hidden = !words;
    if (words) this.field.focus();
  }

  clear() {
    this.field.value = "";
    this.look();
    // A phone's keyboard would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) this.field.blur();
    else this.field.focus();
  }

  /** Follow what is typed: the button that sends it, size, counter, and an earlier complaint that is answered now. */
  look() {
    const { field } = this;
    this.complain("");
    this.showButtons();
    if (!CSS.supports("field-sizing", "content")) {
      field.style.height = "auto";
      field.style.height = `${field.scrollHeight}px`;
    }
    const counter = byId("counter");
    counter.hidden = field.value.length < page.longest * NEARLY;
    counter.classList.toggle("is-over", field.value.length > page.longest);
    counter.textContent = counter.hidden ? "" : fill(ui.count, { count: field.value.length, max: page.longest });
  }

  setBusy(isBusy) {
    const hadFocus = [this.stopButton, this.sendButton].includes(document.activeElement);
    this.isBusy = isBusy;
    this.showButtons();
    if (hadFocus) this.field.focus();
  }

  /** While an answer is written it can be stopped; what is typed meanwhile may be an emergency. */
  showButtons() {
    this.stopButton.hidden = !this.isBusy;
    this.sendButton.hidden = this.isBusy && !this.field.value.trim();
  }
}
