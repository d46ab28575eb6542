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

/** A name for a question that nobody else has; also where `crypto.randomUUID` is not offered. */
export function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
