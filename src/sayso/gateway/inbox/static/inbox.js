// The script of the gateway's pages: the key of this device, signed answers, the list that updates itself, notifications.
// Without it, the pages work on this machine; other machines need the key.

"use strict";

const texts = JSON.parse(document.querySelector('meta[name="sayso-texts"]').content);
const LOOK = 2000; // milliseconds between two looks at the list
const DEVICE = "device";

// --- The key: P-256, made here, which no script can read out.

function store(mode, work) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("sayso", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const asked = work(opening.result.transaction("keys", mode).objectStore("keys"));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    };
  });
}

const readKey = () => store("readonly", keys => keys.get(DEVICE));

async function newKey() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  await store("readwrite", keys => keys.put(pair, DEVICE));
  return pair;
}

const base64 = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

async function sign(pair, lines) {
  const text = new TextEncoder().encode(lines.join("\n"));
  return base64(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, text));
}

// --- Pairing: the code and the public key go together, signed with the key.

for (const form of document.querySelectorAll("form[data-pair]")) {
  const code = form.elements.code;
  if (location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
  form.addEventListener("submit", async event => {
    event.preventDefault();
    try {
      const pair = await newKey();
      form.elements.key.value = base64(await crypto.subtle.exportKey("raw", pair.publicKey));
      form.elements.proof.value = await sign(pair, ["sayso pairing 1", location.origin, code.value]);
    } catch {
      form.elements.key.value = ""; // no key can be kept here: this machine's own pages accept the cookie
    }
    form.submit();
  });
}

// --- Answers: signed by this device.

async function signAnswer(form, said) {
  const fields = form.elements;
  const note = form.querySelector("[role=alert]");
  const pair = await readKey().catch(() => undefined);
  if (!pair) {
    note.textContent = texts.inbox_no_key;
    note.hidden = false;
    return;
  }
  const { question, digest } = form.dataset;
  const lines = ["sayso answer 1", location.origin, question, digest, fields.until.value, fields.nonce.value, said];
  fields.signature.value = await sign(pair, lines);
  form.submit();
}

document.addEventListener("submit", event => {
  const form = event.target;
  if (!("sign" in form.dataset)) return;
  event.preventDefault();
  const choice = event.submitter ? event.submitter.value : "";
  const scope = form.elements.scope ? form.elements.scope.value : "";
  const said =
    choice === "text" ? form.elements.text.value.trim() : choice === "yes" && scope ? `yes ${scope}` : choice;
  const sent = document.createElement("input"); // `submit()` sends no button
  Object.assign(sent, { type: "hidden", name: "answer", value: choice });
  form.append(sent);
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  event.submitter.textContent = texts.inbox_signing;
  signAnswer(form, said);
});

// --- The list of questions: new cards come, answered ones go, the others stay as they are.

const list = document.getElementById("questions");
const rules = { createHTML: text => text, createScriptURL: url => url }; // both come from our own origin only
const policy = window.trustedTypes ? window.trustedTypes.createPolicy("sayso-inbox", rules) : rules;
let mark = "";

function update(html) {
  const fresh = new DOMParser().parseFromString(policy.createHTML(html), "text/html");
  const wanted = [...fresh.body.children];
  const ids = new Set(wanted.map(each => each.id));
  for (const old of [...list.children]) {
    if (!ids.has(old.id) && !old.contains(document.activeElement)) old.remove();
  }
  for (const card of wanted) {
    if (document.getElementById(card.id)) continue;
    const added = document.adoptNode(card);
    added.classList.add("new");
    list.append(added);
  }
  const number = list.querySelectorAll("article").length;
  const status = texts.inbox_open.replace("{number}", number);
  const place = document.getElementById("status");
  if (place.textContent !== status) place.textContent = status;
  const count = document.getElementById("count");
  count.textContent = number;
  count.hidden = number === 0;
  localTimes();
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/inbox/list", { headers: mark ? { "If-None-Match": mark } : {}, cache: "no-store" });
    if (answer.status === 200) {
      update(await answer.text());
      mark = answer.headers.get("ETag") || "";
    }
  } catch {
    // the gateway is away; the next look tries again
  }
}

if (list) {
  setInterval(look, LOOK);
  document.addEventListener("visibilitychange", look);
}

// --- Times on the person's own clock.

function localTimes() {
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang);
    time.removeAttribute("data-local");
  }
}
localTimes();

// --- Notifications for this device.

for (const form of document.querySelectorAll("form[data-push]")) {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) continue;
  form.hidden = false;
  const say = name => {
    const status = document.getElementById("status");
    status.textContent = texts[name];
    status.hidden = false;
  };
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if ((await Notification.requestPermission()) !== "granted") return say("inbox_push_denied");
    try {
      const worker = await navigator.serviceWorker.register(policy.createScriptURL("/inbox/sw.js"));
      await navigator.serviceWorker.ready;
      const subscribed = (
        await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.push })
      ).toJSON();
      const body = new URLSearchParams({
        token: form.elements.token.value,
        endpoint: subscribed.endpoint,
        ...subscribed.keys,
      });
      const answer = await fetch(form.action, { method: "POST", body });
      say(answer.ok ? "inbox_push_on" : "inbox_push_failed");
      form.hidden = answer.ok;
    } catch {
      say("inbox_push_failed");
    }
  });
}
