// The assistant on a hospital's own site: <script src="…/static/chat/widget.js" data-key="…" async></script>
// It draws a button, and behind it a frame with the whole chat. It reads and changes nothing else.

(() => {
  const script = document.currentScript;
  const { key, language = document.documentElement.lang.slice(0, 2) } = script.dataset;
  const chat = new URL("/", script.src);
  chat.search = new URLSearchParams({ widget: key, ...(language && { language }) });
  const WORDS = {
    nl: ["Stel uw vraag", "Sluit de assistent"],
    en: ["Ask your question", "Close the assistant"],
    fr: ["Posez votre question", "Fermer l'assistant"],
    de: ["Stellen Sie Ihre Frage", "Assistent schließen"],
    tr: ["Sorunuzu sorun", "Asistanı kapat"],
    it: ["Faccia la Sua domanda", "Chiudi l'assistente"],
    ro: ["Puneți întrebarea", "Închideți asistentul"],
    el: ["Κάντε την ερώτησή σας", "Κλείσιμο του βοηθού"],
  };
  const [open, close] = WORDS[language] || WORDS.en;

  const style = new CSSStyleSheet();
  style.replaceSync(`
    button { position: fixed; right: 1rem; bottom: 1rem; z-index: 2147483000; min-height: 3rem; padding: 0.6rem 1.3rem; border: 2px solid #fff; border-radius: 999px; background: #0a626b; color: #fff; font: 600 1rem/1.2 system-ui, sans-serif; cursor: pointer; box-shadow: 0 4px 18px rgb(0 0 0 / 25%); }
    button:focus-visible { outline: 3px solid #0a626b; outline-offset: 2px; }
    iframe { position: fixed; right: 1rem; bottom: 4.75rem; z-index: 2147483000; width: min(26rem, calc(100vw - 2rem)); height: min(42rem, calc(100dvh - 6rem)); border: 1px solid #7a979d; border-radius: 14px; background: #fff; box-shadow: 0 8px 40px rgb(0 0 0 / 30%); }
    iframe[hidden] { display: none; }
    @media (max-width: 30rem) { iframe { inset: 0 0 4.75rem; width: 100vw; height: calc(100dvh - 4.75rem); border: 0; border-radius: 0; } }
  `);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = open;
  button.setAttribute("aria-expanded", "false");
  root.append(button);
  let frame;

  function show(isOpen) {
    if (!frame) {
      frame = document.createElement("iframe");
      frame.title = open;
      frame.allow = "clipboard-write";
      frame.src = chat.href;
      root.prepend(frame);
    }
    frame.hidden = !isOpen;
    button.textContent = isOpen ? close : open;
    button.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? frame : button).focus();
  }

  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
  const draw = () => document.body.append(host);
  if (document.body) draw();
  else addEventListener("DOMContentLoaded", draw);
})();
