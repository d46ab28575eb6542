// Text that is still arriving, shown as it will look. The server's own HTML replaces it at the end.

import { el } from "./dom.js";

const QUOTED = /^\s*>\s?/;
const LISTS = { ul: /^\s*[-*] /, ol: /^\s*\d+\. / };
const ROW = /^\|.*\|$/;
const RULE = /^\|[-|\s:]+\|$/;

/** Show the Markdown received so far in an element. */
export function showDraft(target, text) {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim());
  target.replaceChildren(...blocks.flatMap(partsOf));
}

function partsOf(block) {
  const lines = block.split("\n");
  if (lines.every((line) => QUOTED.test(line))) {
    return [el("blockquote", {}, ...partsOf(lines.map((line) => line.replace(QUOTED, "")).join("\n")))];
  }
  if (lines.every((line) => ROW.test(line))) return [tableOf(lines.filter((line) => !RULE.test(line)))];
  return runsOf(lines).map(({ kind, lines: run }) => (kind ? listOf(kind, run) : el("p", {}, ...inline(run.join("\n")))));
}

/** A list may follow right below a line of text. */
function runsOf(lines) {
  const runs = [];
  let isFresh = true;
  for (const line of lines) {
    if (!line.trim()) {
      isFresh = true;
      continue;
    }
    const kind = Object.keys(LISTS).find((name) => LISTS[name].test(line));
    if (!isFresh && runs.at(-1).kind === kind) runs.at(-1).lines.push(line);
    else runs.push({ kind, lines: [line] });
    isFresh = false;
  }
  return runs;
}

/** The first row names the columns. */
function tableOf(rows) {
  const cells = (row) => row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim());
  return el("table", {}, ...rows.map((row, at) => el("tr", {}, ...cells(row).map((cell) => el(at ? "td" : "th", {}, ...inline(cell))))));
}

function listOf(name, lines) {
  const start = name === "ol" ? { start: parseInt(lines[0], 10) } : {};
  return el(name, start, ...lines.map((line) => el("li", {}, ...inline(line.replace(LISTS[name], "")))));
}

/** Strong, emphasis, citation marks, escaped signs and line breaks; anything else is plain text. */
function inline(text) {
  const pieces = text.split(/(\\[!-/:-@[-`{-~]|\*\*(?:\\.|[^*\\])+\*\*|\*(?:\\.|[^*\n\\])+\*|\[\d+\]|\n)/);
  return pieces.filter(Boolean).map((piece) => {
    if (piece === "\n") return el("br");
    if (piece.length === 2 && piece[0] === "\\") return piece[1];
    if (/^\*\*.+\*\*$/s.test(piece)) return el("strong", {}, ...inline(piece.slice(2, -2)));
    if (/^\*.+\*$/.test(piece)) return el("em", {}, ...inline(piece.slice(1, -1)));
    if (/^\[\d+\]$/.test(piece)) return el("span", { class: "cite" }, piece.slice(1, -1));
    return piece;
  });
}
