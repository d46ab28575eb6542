// What the server tells this page: strings in its language, approved texts, limits.

export const page = JSON.parse(document.getElementById("page").textContent);
export const { ui, texts } = page;

/** The approved texts beside an answer, in the answer's language. */
export const beside = (language) => page.beside[language] || page.beside[page.language];

/** An error of the protocol, in words. */
export function wordsFor(code) {
  const known = {
    empty: ui.error_empty,
    busy: ui.error_busy,
    too_long: texts.too_long,
    rate_limited: texts.rate_limited,
    unknown_message: ui.error_gone,
  };
  return known[code] || texts.error;
}
