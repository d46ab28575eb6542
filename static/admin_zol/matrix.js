"use strict";
// A cell takes the colour of its number while it is typed; the server colours it the same way.
const SHADES = 4;
const matrix = document.querySelector(".matrix");

function shadeOf(value) {
  const reach = value > 1 ? Number(matrix.dataset.highest) - 1 : 1 - Number(matrix.dataset.lowest);
  const shade = Math.round((SHADES * (value - 1)) / reach);
  return Math.max(-SHADES, Math.min(SHADES, shade)) || 0;
}

matrix?.addEventListener("input", (event) => {
  const value = Number(event.target.value);
  if (event.target.value !== "" && Number.isFinite(value)) {
    event.target.closest("td").className = `shade${shadeOf(value)}`;
  }
});
