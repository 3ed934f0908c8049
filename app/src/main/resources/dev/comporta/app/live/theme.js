// Runs before the first paint, and so is not a module: a dark page must not flash white while it loads.
(() => {
  const KEY = "comporta-theme";
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    } else {
      delete document.documentElement.dataset.theme;
    }
  };
  const read = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is disabled: the system's theme applies
    }
  };
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))
      === "dark";
  apply(read());
  window.comportaTheme = {
    isDark,
    toggle() {
      const next = isDark() ? "light" : "dark";
      apply(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // Storage is disabled: the choice is kept as long as the page.
      }
      dispatchEvent(new Event("themechange"));
    },
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));
})();
