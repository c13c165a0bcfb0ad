// The theme before the first paint: what was chosen last, else what the system prefers.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {}
  document.documentElement.dataset.theme = chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
