// The assistant on another site: <script src="https://…/widget.js" data-key="…" async></script>
// It draws a button, and behind it a frame with the whole chat. It reads and changes nothing else.

(() => {
  const WORDS = {{ words|safe }};
  /** Milliseconds after the frame has loaded, and at most, for the chat in it to say that it is there. */
  const SILENT = 1_500;
  const SLOW = 20_000;

  const script = document.currentScript;
  const { key, language = document.documentElement.lang.slice(0, 2).toLowerCase() } = script.dataset;
  const words = WORDS[language] || WORDS.en;
  const chat = new URL("/", script.src);
  chat.search = new URLSearchParams({ widget: key, ...(WORDS[language] && { language }) });
  if (!key || document.querySelector("[data-chat-widget]")) return;

  const style = new CSSStyleSheet();
  style.replaceSync(`
    :host { all: initial; color-scheme: light dark; --ground: light-dark(#fff, #13282f); --ink: light-dark(#10303a, #e6f1f2); --line: light-dark(#7a979d, #6f939b); --brand: light-dark(#0a626b, #79d3cf); --on-brand: light-dark(#fff, #04262b); }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    :is(button, a) { display: inline-flex; align-items: center; gap: 0.55em; min-height: 48px; padding: 10px 20px; border: 2px solid var(--ground); border-radius: 999px; background: var(--brand); color: var(--on-brand); font: 600 17px/1.2 system-ui, sans-serif; text-decoration: none; cursor: pointer; }
    :is(button, a):focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
    svg { width: 1.3em; height: 1.3em; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
    .open { position: fixed; right: max(16px, env(safe-area-inset-right)); bottom: max(16px, env(safe-area-inset-bottom)); z-index: 2147483000; box-shadow: 0 4px 18px rgb(0 0 0 / 28%); }
    .panel { position: fixed; right: 16px; bottom: 16px; z-index: 2147483000; width: 430px; max-width: calc(100vw - 32px); height: 720px; max-height: calc(100dvh - 32px); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; background: var(--ground); color: var(--ink); font: 400 17px/1.5 system-ui, sans-serif; box-shadow: 0 8px 40px rgb(0 0 0 / 30%); }
    .notice { display: grid; align-content: center; justify-items: start; gap: 16px; height: 100%; padding: 24px; }
    .notice p { margin: 0; }
    .close { border-color: var(--brand); background: transparent; color: var(--brand); }
    iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden; }
    .is-ready iframe { visibility: visible; }
    .is-ready .notice { display: none; }
    @media (max-width: 480px) { .panel { inset: 0; width: 100vw; max-width: none; height: 100dvh; max-height: none; border: 0; border-radius: 0; } }
    @media (forced-colors: active) { :is(button, a) { border-color: ButtonText; } .panel { border: 2px solid CanvasText; } }
    @media print { :host { display: none; } }
  `);

  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    made.append(...children);
    return made;
  }

  function speechBubble() {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", "M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12h5");
    drawn.setAttribute("viewBox", "0 0 24 24");
    drawn.setAttribute("aria-hidden", "true");
    drawn.append(line);
    return drawn;
  }

  const opener = el("button", { type: "button", class: "open", "aria-haspopup": "dialog", "aria-expanded": "false" }, speechBubble(), words.open);
  const said = el("p", { role: "status" }, words.loading);
  const elsewhere = el("a", { href: chat.href, target: "_blank", rel: "noopener" }, words.elsewhere);
  const closer = el("button", { type: "button", class: "close" }, words.close);
  const panel = el("div", { class: "panel", role: "dialog", "aria-label": words.title }, el("div", { class: "notice" }, said, elsewhere, closer));
  const host = el("div", { "data-chat-widget": "", lang: WORDS[language] ? language : "en" });
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  root.append(opener, panel);
  panel.hidden = elsewhere.hidden = true;
  let frame;
  let waiting;

  function load() {
    frame = el("iframe", { title: words.title, allow: "clipboard-write" });
    frame.addEventListener("load", () => refuseAfter(SILENT));
    frame.src = chat.href;
    panel.append(frame);
    refuseAfter(SLOW);
  }

  /** The browser does not say that it keeps the frame empty; the silence in it does. */
  function refuseAfter(milliseconds) {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      said.textContent = words.refused;
      elsewhere.hidden = false;
      console.warn(`The chat did not answer in its frame. Is ${location.origin} one of the allowed origins of widget key ${key}?`);
    }, milliseconds);
  }

  function ready() {
    clearTimeout(waiting);
    const wasWaitedFor = root.activeElement === closer;
    panel.classList.add("is-ready");
    if (wasWaitedFor) enter();
  }

  function enter() {
    frame.focus();
    frame.contentWindow.postMessage({ chat: "entered" }, chat.origin);
  }

  function show(isOpen) {
    opener.setAttribute("aria-expanded", String(isOpen));
    opener.hidden = isOpen;
    panel.hidden = !isOpen;
    if (!isOpen) {
      opener.focus();
      return;
    }
    if (!frame) load();
    if (panel.classList.contains("is-ready")) enter();
    else closer.focus();
  }

  opener.addEventListener("click", () => show(true));
  closer.addEventListener("click", () => show(false));
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
  });
  addEventListener("message", ({ source, origin, data }) => {
    if (!frame || source !== frame.contentWindow || origin !== chat.origin) return;
    if (data?.chat === "ready") ready();
    if (data?.chat === "close") show(false);
  });

  const draw = () => document.body.append(host);
  if (document.body) draw();
  else addEventListener("DOMContentLoaded", draw);
})();
