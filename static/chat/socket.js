// A socket that comes back, also when nobody says that it is gone; one that the server closed because
// nobody asked for long comes back at the next key.
// It tells its listener: open(), lost(), rested(), frame(data); and looks whether it `isWaiting`.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** Milliseconds for a socket to open: a network may swallow what is sent, and say nothing. */
const OPENS_WITHIN = 10_000;
/** Milliseconds between two looks at the socket while somebody waits for an answer. */
const LOOK_EVERY = 10_000;
/** Milliseconds for the server to say that it is still there. */
const ANSWERS_WITHIN = 5_000;
/** The code with which the server closes a socket that nobody needs now. */
const IDLE = 4000;

export class Connection {
  constructor(path, listener) {
    this.address = new URL(path, location.href);
    this.address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.listener = listener;
    this.failures = 0;
    this.hasWorked = false;
    // A socket from before may look open and be dead: only a new one is certain.
    addEventListener("online", () => this.isResting || this.connect());
    addEventListener("offline", () => this.listener.lost());
    // Asleep or put aside, a page may not have heard that its socket was closed.
    addEventListener("pageshow", (event) => event.persisted && !this.isResting && this.connect());
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
    for (const kind of ["keydown", "pointerdown", "click"]) addEventListener(kind, () => this.isResting && this.connect(), true);
    setInterval(() => this.listener.isWaiting && this.look(), LOOK_EVERY);
    this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Connect anew, in place of whatever there was. */
  connect() {
    this.leave();
    this.isResting = false;
    const socket = new WebSocket(this.address);
    const act = { open: () => this.opened(), message: ({ data }) => this.heard(data), close: ({ code }) => (code === IDLE ? this.rest() : this.comeBack()) };
    for (const [kind, does] of Object.entries(act)) {
      socket.addEventListener(kind, (event) => socket === this.socket && does(event));
    }
    this.socket = socket;
    this.timer = setTimeout(() => this.comeBack(), OPENS_WITHIN);
  }

  leave() {
    const left = this.socket;
    this.socket = null;
    clearTimeout(this.timer);
    left?.close();
  }

  opened() {
    clearTimeout(this.timer);
    this.failures = 0;
    this.hasWorked = true;
    this.isDoubted = false;
    this.listener.open();
  }

  heard(data) {
    // Whatever came, the server is there.
    if (this.isDoubted) clearTimeout(this.timer);
    this.isDoubted = false;
    this.listener.frame(JSON.parse(data));
  }

  /** Ask whether anybody is still there. No reply is an answer, too. */
  look() {
    if (this.isOpen && !this.isDoubted) {
      this.isDoubted = true;
      this.send({ type: "ping" });
      this.timer = setTimeout(() => this.comeBack(), ANSWERS_WITHIN);
    } else if (!this.socket && !this.isResting) this.connect();
  }

  /** Stay closed until somebody is there again. */
  rest() {
    this.leave();
    this.isResting = true;
    this.listener.rested();
  }

  comeBack() {
    this.leave();
    this.failures += 1;
    this.listener.lost();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.failures - 1));
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  send(frame) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }
}
