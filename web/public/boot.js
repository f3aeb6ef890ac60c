// Runs before anything is drawn: the chosen colours and language, so that nothing flashes; and the first questions to
// the service, so that the answers are there when the page is.
try {
  const chosen = JSON.parse(localStorage.getItem("sayso.look") || "{}");
  if (chosen.theme === "light" || chosen.theme === "dark") document.documentElement.dataset.theme = chosen.theme;
  if (chosen.lang) document.documentElement.lang = chosen.lang;
} catch {}

{
  const ask = async path => {
    const answer = await fetch(path, { headers: { Accept: "application/json", "X-Sayso-Page": "1" } });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };
  const session = ask("/v1/session");
  const tasks = session.then(known => (known.signed_in ? ask("/v1/tasks?filter=pending&limit=100&offset=0") : null));
  session.catch(() => {});
  tasks.catch(() => {});
  globalThis.early = { session, tasks };
}
