// From a number in the answer to the passage it stands on.

import { byId, el, fill } from "./dom.js";
import { page, ui } from "./page.js";

/** In a widget every page of ours is the widget's too. */
const kept = page.widget ? `?widget=${encodeURIComponent(page.widget)}` : "";

/** More sources than this are folded away; their numbers in the answer still open them. */
const MOST_SHOWN = 4;
const MARK = /\[(\d+)\]/;

/** Turn the marks [n] of an answer into buttons that open their source. */
export function linkCitations(text, citations, said) {
  const known = new Map(citations.map((citation) => [citation.n, citation]));
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (MARK.test(walker.currentNode.data)) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const pieces = node.data.split(MARK).map((piece, place) => {
      const citation = place % 2 ? known.get(Number(piece)) : null;
      if (citation) return citeButton(citation, said);
      return place % 2 ? `[${piece}]` : piece;
    });
    node.replaceWith(...pieces);
  }
}

function citeButton(citation, said) {
  const label = `${fill(said.source_n, { n: citation.n })}: ${citation.title}`;
  const open = () => openSource(citation, said);
  return el("button", { type: "button", class: "cite", "aria-label": label, click: open }, String(citation.n));
}

/** The list of sources under an answer. */
export function sourceList(citations, said) {
  const items = citations.map((citation) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "source-open", click: () => openSource(citation, said) },
        el("span", { class: "cite" }, String(citation.n)),
        el("span", { class: "source-title" }, citation.title),
      ),
      el("span", { class: "source-address" }, [updated(citation, said), citation.url].filter(Boolean).join(" · ")),
    ),
  );
  const list = el("ol", { class: "source-list" }, ...items);
  return el("details", { class: "sources", open: items.length <= MOST_SHOWN }, el("summary", {}, `${said.sources} (${items.length})`), list);
}

/** Show a source beside the answer. The dialog gives the focus back when it closes. */
export function openSource(citation, said) {
  byId("panel-number").textContent = fill(ui.source_n, { n: citation.n });
  byId("panel-title").textContent = citation.title;
  byId("panel-where").textContent = where(citation, said);
  byId("panel-passage").textContent = citation.passage;
  byId("panel-quote").hidden = !citation.passage;
  link("panel-page", citation.url);
  link("panel-viewer", citation.viewer && `${citation.viewer}${kept}#passage`);
  byId("panel").showModal();
  byId("panel-title").focus();
}

function where(citation, said) {
  const parts = citation.page ? [fill(ui.page_number, { page: citation.page })] : [];
  if (citation.updated) parts.push(updated(citation, said));
  if (citation.url) parts.push(new URL(citation.url, location.href).host);
  return parts.join(" · ");
}

function updated(citation, said) {
  return citation.updated ? fill(said.updated, { date: citation.updated }) : "";
}

function link(id, address) {
  const found = byId(id);
  found.hidden = !address;
  if (address) found.href = address;
}

export function preparePanel() {
  const panel = byId("panel");
  byId("panel-close").addEventListener("click", () => panel.close());
  panel.addEventListener("click", (event) => {
    if (event.target === panel) panel.close(); // The backdrop: beside everything in the panel.
  });
}
