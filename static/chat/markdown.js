// Text that is still arriving, shown as it will look. The server's own HTML replaces it at the end.

import { el } from "./dom.js";

/** Show the Markdown received so far in an element. */
export function showDraft(target, text) {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim());
  target.replaceChildren(...blocks.map(blockOf));
}

function blockOf(block) {
  const lines = block.split("\n");
  if (lines.every((line) => /^\s*>/.test(line))) {
    const quoted = lines.map((line) => line.replace(/^\s*>\s?/, ""));
    return el("blockquote", {}, blockOf(quoted.join("\n")));
  }
  if (lines.every((line) => /^\s*[-*] /.test(line))) return listOf("ul", lines, /^\s*[-*] /);
  if (lines.every((line) => /^\s*\d+\. /.test(line))) return listOf("ol", lines, /^\s*\d+\. /);
  return el("p", {}, ...inline(block));
}

function listOf(name, lines, mark) {
  return el(name, {}, ...lines.map((line) => el("li", {}, ...inline(line.replace(mark, "")))));
}

/** Strong, emphasis, citation marks and line breaks; anything else is plain text. */
function inline(text) {
  const pieces = text.split(/(\*\*[^*]+\*\*|\*[^*\n]+\*|\[\d+\]|\n)/);
  return pieces.filter(Boolean).map((piece) => {
    if (piece === "\n") return el("br");
    if (/^\*\*.+\*\*$/.test(piece)) return el("strong", {}, piece.slice(2, -2));
    if (/^\*.+\*$/.test(piece)) return el("em", {}, piece.slice(1, -1));
    if (/^\[\d+\]$/.test(piece)) return el("span", { class: "cite" }, piece.slice(1, -1));
    return piece;
  });
}
