// Il tema di chi legge: quello di JupyterLab o di VS Code se lo dicono, altrimenti quello del sistema.
export function followTheme(root) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const update = () => { root.dataset.theme = isDark(system) ? "dark" : "light"; };
  const observer = new MutationObserver(update);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  system.addEventListener("change", update);
  update();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", update);
  };
}

function isDark(system) {
  const { jpThemeLight } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (document.body.classList.contains("vscode-dark")) return true;
  if (document.body.classList.contains("vscode-light")) return false;
  return system.matches;
}
