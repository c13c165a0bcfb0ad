// The theme before the first paint: what was chosen last, else what the system prefers.
(function () {
  /** @type {string|null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    chosen = null;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : dark ? "dark" : "light";
})();
