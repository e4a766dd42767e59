// Formulas, which the pages hold as TeX between \( \) and \[ \].
document.querySelectorAll(".arithmatex").forEach((place) => {
  const text = place.textContent, shown = text.startsWith("\\[");
  katex.render(text.slice(2, -2), place, { displayMode: shown, throwOnError: false });
});
