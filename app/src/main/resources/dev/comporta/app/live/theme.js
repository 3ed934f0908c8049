// Before the first paint, and so not a module: a page that was dark yesterday must not flash white today.
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
      return null; // storage is switched off: the system's theme holds
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
        // It holds for this page then.
      }
      dispatchEvent(new Event("themechange"));
    },
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));
})();
