// The conversation of this browser tab: its name and its secret. Gone when the tab is closed.

import { page } from "./page.js";

const KEY = `conversation:${page.hospital}`;

export function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null; // Storage is switched off, or holds something else: there is no conversation.
  }
}

export function remember(conversation, secret) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ conversation, secret }));
  } catch {
    // Without storage a reload starts anew; nothing else is lost.
  }
}

export function forgetIt() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
