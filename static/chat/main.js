// The chat page: puts its parts together.

import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId } from "./dom.js";
import { greetTheSiteAround } from "./framed.js";
import { texts, ui } from "./page.js";
import { preparePanel } from "./sources.js";

/** Milliseconds that a dropped connection may take to come back before anybody is told. */
const UNNOTICED = 1_500;
/** Milliseconds for which the return of the connection is told. */
const TOLD = 3_000;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const log = byId("log");
const status = byId("status");
let telling;
let wasTold = false;

const view = {
  add(exchange, isNew) {
    document.body.dataset.state = "talking";
    byId("session").hidden = false;
    log.append(exchange.node);
    if (isNew) exchange.node.scrollIntoView({ block: "start", behavior: calm.matches ? "instant" : "smooth" });
  },

  busy(isBusy, isDone = false) {
    log.setAttribute("aria-busy", String(isBusy));
    composer.setBusy(isBusy);
    if (isBusy) status.textContent = ui.busy;
    else status.textContent = isDone ? ui.done : "";
  },

  announce(words) {
    status.textContent = words;
  },

  connection(state, isWaiting = false) {
    clearTimeout(telling);
    if (state === "open") {
      if (wasTold) tell(ui.reconnected);
      if (wasTold) telling = setTimeout(() => tell(""), TOLD);
      wasTold = false;
      return;
    }
    telling = setTimeout(
      () => {
        wasTold = true;
        tell(state === "offline" ? texts.offline : ui.reconnecting);
      },
      state === "offline" || isWaiting ? 0 : UNNOTICED,
    );
  },

  empty(why) {
    log.replaceChildren();
    document.body.dataset.state = "fresh";
    byId("session").hidden = true;
    status.textContent = why === "forgotten" ? ui.forgotten : "";
    if (why === "forgotten") tell(ui.forgotten);
    if (why === "forgotten") telling = setTimeout(() => tell(""), TOLD);
    scrollTo(0, 0);
    byId("question").focus();
  },

  complain(words) {
    composer.complain(words);
  },

  taken(question) {
    composer.taken(question);
  },
};

function tell(words) {
  const line = byId("connection");
  line.textContent = words;
  line.hidden = !words;
}

const composer = new Composer(
  (question) => conversation.ask(question),
  () => conversation.stop(),
);
const conversation = new Conversation(view);

byId("examples")?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (link && conversation.ask(link.textContent.trim())) event.preventDefault();
});
byId("new").addEventListener("click", () => conversation.startAnew());
byId("forget").addEventListener("click", () => byId("confirm").showModal());
byId("confirm").addEventListener("close", () => {
  if (byId("confirm").returnValue === "yes") conversation.forget();
  byId("confirm").returnValue = "";
});

const languages = byId("languages");
document.addEventListener("click", (event) => {
  if (!languages.contains(event.target)) languages.open = false;
});
languages.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (languages.open) event.preventDefault();
  languages.open = false;
  languages.querySelector("summary").focus();
});

// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const folded of log.querySelectorAll("details")) folded.open = true;
});

preparePanel();
greetTheSiteAround();
