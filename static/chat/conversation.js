// One conversation over a connection that may drop. Nothing is lost and nothing is shown twice.

import { Exchange } from "./exchange.js";
import { forgetIt, newName, remember, remembered } from "./memory.js";
import { page, ui, wordsFor } from "./page.js";
import { Connection } from "./socket.js";

/** Milliseconds between two looks for an answer that was being written when the connection dropped. */
const LOOK_AGAIN = 2_000;
/** How often to look before telling that it failed. */
const LOOKS = 45;
/** Milliseconds for the server to confirm a stop, before the connection is made anew. */
const PATIENCE = 8_000;
/** A socket that never opened in so many attempts is blocked on its way: the plain form is better. */
const HOPELESS = 3;

export class Conversation {
  /** `view`: add(exchange), busy(isBusy, isDone), announce(words), taken(question),
   * connection(state), empty(code), complain(words). */
  constructor(view) {
    this.view = view;
    this.shown = new Set();
    this.running = null;
    // A question sent while another one is answered: an emergency is answered at once.
    this.beside = null;
    this.isReady = false;
    this.isDraining = false;
    this.isForgetting = false;
    this.looks = 0;
    this.actions = {
      ask: (question) => this.ask(question),
      rate: (message, good, reason) => this.rate({ type: "feedback", message, good, reason }),
      harder: (message, question) => this.ask(question, message),
    };
    this.connection = new Connection(page.socket, this);
  }

  get isWaiting() {
    return Boolean(this.running);
  }

  get isHopeless() {
    const { failures, hasWorked } = this.connection;
    return failures >= HOPELESS && !hasWorked && navigator.onLine;
  }

  /** Ask a question, or with `harder` an answered one again. Returns false if this cannot be done. */
  ask(question, harder = "") {
    if (this.running || this.beside) {
      this.askBeside(question, harder);
      return true;
    }
    if (this.isHopeless) return false;
    this.begin(question, { harder, isSent: false, isAgain: false, name: newName() });
    this.sendQuestion();
    return true;
  }

  begin(question, how) {
    this.running = Object.assign(new Exchange(question, this.actions), how);
    this.view.taken(question);
    this.view.add(this.running, true);
    this.view.busy(true);
  }

  /** Whether it is an emergency, the server says; until then the question stays where it was typed. */
  askBeside(question, harder) {
    if (harder) this.view.complain(wordsFor("busy"));
    if (harder || this.beside) return;
    this.beside = { question, isSent: false, isAgain: false, name: newName() };
    this.sendBeside();
  }

  sendBeside() {
    const { beside } = this;
    if (!beside || !this.isReady) return;
    beside.isAgain = beside.isSent;
    beside.isSent = this.connection.send({ type: "ask", question: beside.question, id: beside.name, language: page.language });
  }

  sendQuestion() {
    const { running } = this;
    if (!running || running.isSent || !this.isReady) return;
    const { language } = page;
    const named = { id: running.name, language };
    running.isSent = this.connection.send(
      running.harder
        ? { type: "escalate", message: running.harder, ...named }
        : { type: "ask", question: running.question, ...named },
    );
  }

  /** Send a rating; one that finds the socket closed goes as soon as it is open. */
  rate(frame) {
    if (!this.isReady) this.rating = frame;
    else this.connection.send(frame);
  }

  stop() {
    if (!this.running) return;
    const { running } = this;
    running.stop();
    this.end(false);
    if (!running.isSent) return;
    this.isDraining = true;
    this.connection.send({ type: "stop", message: running.id });
    this.draining = setTimeout(() => this.connection.connect(), PATIENCE);
  }

  startAnew() {
    this.stop();
    this.clear("new");
    this.isReady = false;
    this.connection.connect();
  }

  forget() {
    this.isForgetting = true;
    if (this.isReady) this.connection.send({ type: "forget" });
  }

  clear(why) {
    forgetIt();
    this.beside = null;
    this.shown.clear();
    this.view.empty(why);
  }

  end(isDone) {
    this.running = null;
    clearTimeout(this.looking);
    this.view.busy(false, isDone);
  }

  // What the connection tells.

  open() {
    this.drained();
    const known = remembered();
    if (known) {
      this.connection.send({ type: "resume", ...known });
      return;
    }
    if (this.running?.isSent) this.seek();
    this.becomeReady();
  }

  lost() {
    this.isReady = false;
    clearTimeout(this.looking);
    this.view.connection(navigator.onLine ? "lost" : "offline", Boolean(this.running));
  }

  rested() {
    this.isReady = false;
  }

  becomeReady() {
    this.isReady = true;
    if (this.rating) this.connection.send(this.rating);
    this.rating = null;
    this.view.connection("open");
    if (this.isForgetting) this.connection.send({ type: "forget" });
    this.sendQuestion();
    this.sendBeside();
  }

  drained() {
    this.isDraining = false;
    clearTimeout(this.draining);
  }

  frame(frame) {
    if (this.beside && frame.message === this.beside.name && this.heardBeside(frame)) return;
    const isNext = this.running && frame.message === this.running.name;
    if (this.isDraining && !isNext && this.isOfTurn(frame)) return;
    const act = {
      accepted: () => this.accepted(frame),
      progress: () => this.running?.showStage(frame.stage, frame.percent),
      token: () => this.running?.addToken(frame.text),
      answer: () => this.answered(frame),
      suggestions: () => frame.message === this.last?.id && this.last.suggest(frame),
      error: () => this.failed(frame),
      resumed: () => this.resumed(frame),
      forgotten: () => this.forgotten(),
      // The browser may have said that it is offline, and be wrong.
      pong: () => this.isReady || this.open(),
    }[frame.type];
    act?.();
  }

  /** Take a frame about the question beside. Returns false where its turn has come, like any other's. */
  heardBeside(frame) {
    const { question, ...how } = this.beside;
    if (frame.type === "answer") {
      this.answeredBeside(frame);
    } else if (frame.type === "error") {
      this.beside = null;
      if (frame.code === "busy" && !this.running) this.ask(question);
      else this.view.complain(frame.words || wordsFor(frame.code));
    } else if (this.running) {
      remember(frame.conversation, frame.secret);
    } else {
      this.beside = null;
      this.begin(question, how);
      return false;
    }
    return true;
  }

  /** Show an emergency's answer at once, below the one that is still being written. */
  answeredBeside(frame) {
    const exchange = new Exchange(this.beside.question, this.actions);
    this.beside = null;
    this.shown.add(frame.message);
    exchange.finish(frame);
    this.view.taken(exchange.question);
    this.view.add(exchange, true);
    this.view.announce(exchange.text.textContent);
  }

  /** Whether a frame belongs to the turn that was stopped; the last of them ends the wait. */
  isOfTurn({ type, code }) {
    const ends = ["answer", "stopped"].includes(type) || (type === "error" && code !== "bad_message");
    if (ends) {
      this.drained();
      this.sendQuestion();
    }
    return ends || ["progress", "token", "error", "accepted"].includes(type);
  }

  accepted(frame) {
    remember(frame.conversation, frame.secret);
    if (!this.running) return;
    this.running.id = frame.message;
    // It was taken before, and is answered out of our hearing.
    if (this.running.isAgain) this.seek();
  }

  answered(frame) {
    if (this.shown.has(frame.message)) return;
    this.shown.add(frame.message);
    if (!this.running) return;
    this.running.finish(frame);
    this.last = this.running;
    this.end(true);
  }

  failed({ code, words }) {
    if (code === "busy" && this.running) {
      // It was sent before the server had stopped the one before.
      this.running.isSent = false;
      if (!this.isDraining) this.sendQuestion();
    } else if (code === "unknown_conversation") {
      forgetIt();
      this.becomeReady();
    } else if (this.running?.isSent) {
      this.running.fail(words || wordsFor(code));
      this.end(false);
    } else if (code !== "bad_message") {
      this.view.complain(words || wordsFor(code));
    }
  }

  /** Show what was answered before; find in it the answer that was on its way. */
  resumed({ messages, unanswered }) {
    const fresh = messages.filter(({ message }) => !this.shown.has(message));
    const { running } = this;
    const mine = running?.isSent && fresh.find((one) => one.message === (running.id || running.name));
    for (const one of fresh) {
      if (one === mine) this.answered(one);
      else if (one.message === this.beside?.name) this.answeredBeside(one);
      else this.recall(one);
    }
    if (unanswered.includes(this.running?.id)) this.askAnew();
    if (this.running?.isSent) this.seek();
    this.becomeReady();
  }

  /** The server was killed over a question that it had taken: ask it once more, then offer it. */
  askAnew() {
    const { running } = this;
    if (running.isAnew) {
      this.failed({ code: "error" });
      return;
    }
    Object.assign(running, { isAnew: true, isSent: false, isAgain: false, id: "", looks: 0, name: newName() });
    running.begin(ui.asked_anew);
    this.view.announce(ui.asked_anew);
  }

  recall(frame) {
    this.shown.add(frame.message);
    const exchange = new Exchange(frame.question, this.actions);
    exchange.finish(frame);
    this.view.add(exchange, false);
  }

  /** The question was sent and the connection dropped: look for its answer, or ask again. */
  seek() {
    const { running } = this;
    if (!running.id) {
      // Perhaps it never arrived. If it did, its name makes sure that it is answered once.
      running.isSent = false;
      running.isAgain = true;
      return;
    }
    clearTimeout(this.looking);
    running.looks = (running.looks || 0) + 1;
    if (running.looks > LOOKS) {
      running.fail();
      this.end(false);
      return;
    }
    this.looking = setTimeout(() => this.connection.send({ type: "resume", ...remembered() }), LOOK_AGAIN);
  }

  forgotten() {
    this.isForgetting = false;
    this.clear("forgotten");
  }
}
