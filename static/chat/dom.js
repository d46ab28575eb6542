// Making elements, without markup in strings.

/** Make an element. Attributes that are functions listen; null and false are left out. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

/** Draw one of our line icons. */
export function icon(path) {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.setAttribute("class", "icon");
  drawn.setAttribute("viewBox", "0 0 24 24");
  drawn.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  drawn.append(line);
  return drawn;
}

/** Fill in a text's placeholders: fill("Bron {n}", {n: 2}). */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const byId = (id) => document.getElementById(id);

export const ICONS = {
  good: "M7 11v9H4v-9zm0 0 4-7c1.6 0 2.5 1.2 2.2 2.7L12.7 10H19a1.5 1.5 0 0 1 1.5 1.9l-1.6 6.6A2 2 0 0 1 17 20H7",
  bad: "M17 13V4h3v9zm0 0-4 7c-1.6 0-2.5-1.2-2.2-2.7l.5-3.3H5a1.5 1.5 0 0 1-1.5-1.9l1.6-6.6A2 2 0 0 1 7 4h10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  print: "M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z",
};
