// A socket that comes back. It tells its listener: open(), lost(), frame(data).

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class Connection {
  constructor(path, listener) {
    this.address = new URL(path, location.href);
    this.address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.listener = listener;
    this.failures = 0;
    this.hasWorked = false;
    addEventListener("online", () => this.retryNow());
    addEventListener("offline", () => this.listener.lost());
    this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      this.hasWorked = true;
      this.listener.open();
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.listener.frame(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.comeBack();
    });
  }

  comeBack() {
    this.failures += 1;
    this.listener.lost();
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.failures - 1));
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  retryNow() {
    if (!this.isOpen) this.connect();
  }

  /** Leave, and come back as somebody new. */
  restart() {
    const left = this.socket;
    this.connect();
    left?.close();
  }

  send(frame) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }
}
