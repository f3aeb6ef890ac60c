// Runs before the first paint: the chosen colours and language, so that nothing flashes or changes under one's eyes.
try {
  const chosen = JSON.parse(localStorage.getItem("sayso.look") || "{}");
  if (chosen.theme === "light" || chosen.theme === "dark") document.documentElement.dataset.theme = chosen.theme;
  if (chosen.lang) document.documentElement.lang = chosen.lang;
} catch {}
