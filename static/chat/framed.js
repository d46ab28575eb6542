// In a widget's frame: tell the page around it that the chat is here, and when to close it.
// What is told is no secret, so any page may hear it; that the frame is allowed, the server decides.

import { byId } from "./dom.js";

const isFramed = parent !== window;

function tell(word) {
  parent.postMessage({ chat: word }, "*");
}

export function greetTheSiteAround() {
  const close = byId("leave");
  if (!isFramed || !close) return;
  close.hidden = false;
  close.addEventListener("click", () => tell("close"));
  addEventListener("keydown", (event) => {
    const closesSomethingElse = event.defaultPrevented || document.querySelector("dialog[open]");
    if (event.key === "Escape" && !closesSomethingElse) tell("close");
  });
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.chat === "entered") byId("question").focus();
  });
  tell("ready");
}
