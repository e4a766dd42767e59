// Small films play while they are on the screen, unless the reader wants stillness: then on hover and focus.
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (isIntersecting) target.play().catch(() => {}); else target.pause();
  }
}, { rootMargin: "80px" });
document.querySelectorAll(".film video").forEach((film) => {
  if (!still) return watch.observe(film);
  const tile = film.closest(".film");
  for (const name of ["mouseenter", "focusin"]) tile.addEventListener(name, () => film.play().catch(() => {}));
  for (const name of ["mouseleave", "focusout"]) tile.addEventListener(name, () => film.pause());
});
