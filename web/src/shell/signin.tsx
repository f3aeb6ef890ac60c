import { useState } from "react";
import { ask } from "../api/http";
import { wordsOf } from "../state/clicks";
import { outbox } from "../state/outbox";
import { meet } from "../state/session";
import { useStore } from "../state/store";
import { language, t, type Word } from "../words/words";
import { Icon, Mark } from "./icon";
import { Looks } from "./menu";

const FAILED: Record<string, Word> = {
  expired: "signin.expired",
  refused: "signin.refused",
  unavailable: "signin.unavailable",
};

export function SignIn({ development, login }: { development: boolean; login: boolean }) {
  const waiting = useStore(outbox).length;
  const [failed] = useState(takeOutcome);
  return (
    <main className="grid h-dvh overflow-y-auto p-6 md:place-items-center">
      <div className="rise w-full max-w-md justify-self-center md:rounded-3xl md:border md:border-line md:bg-surface md:p-10">
        <Mark className="size-12" />
        <h1 className="mt-6 text-3xl leading-tight font-semibold tracking-tight text-balance">{t("signin.title")}</h1>
        <p className="mt-3 text-soft">{t("signin.lead")}</p>
        {waiting > 0 && <p className="mt-4 rounded-xl bg-mark px-4 py-2.5 text-sm">{t("signin.over")}</p>}
        {failed && (
          <p role="alert" className="mt-4 rounded-xl bg-warn-tint px-4 py-2.5 text-sm text-warn">
            {t(failed)}
          </p>
        )}
        {login && <Provider />}
        {development && <Development />}
        {!login && !development && <p className="mt-8 font-medium">{t("signin.nobody")}</p>}
        <div className="mt-10 border-t border-line pt-5">
          <Looks />
        </div>
      </div>
    </main>
  );
}

/** How signing in at the provider went wrong, out of the address and gone from it. */
function takeOutcome(): Word | null {
  const failed = FAILED[new URLSearchParams(location.search).get("login") ?? ""];
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  return failed ?? null;
}

function Provider() {
  return (
    <a className="button button-main mt-8 w-full" href="/auth/login?next=/">
      {t("signin.button")}
    </a>
  );
}

function Development() {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const enter = async (): Promise<void> => {
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      await ask("POST", "/auth/development", { body: { name: name.trim(), zone: timeZone, lang: language() } });
      await meet();
    } catch (error) {
      setProblem(wordsOf(error));
    }
  };
  return (
    <form
      className="mt-8"
      onSubmit={event => {
        event.preventDefault();
        if (name.trim()) void enter();
      }}
    >
      <label htmlFor="name" className="text-sm font-medium">
        {t("signin.name")}
      </label>
      <div className="mt-1.5 flex gap-2">
        <input
          id="name"
          className="field"
          value={name}
          maxLength={100}
          autoComplete="username"
          required
          onChange={event => setName(event.target.value)}
        />
        <button type="submit" className="button button-main flex-none">
          {t("signin.enter")}
        </button>
      </div>
      {problem && (
        <p role="alert" className="mt-2 text-sm text-warn">
          {problem}
        </p>
      )}
      <p className="mt-5 flex gap-2.5 rounded-xl bg-warn-tint p-3.5 text-[0.8125rem] text-warn">
        <Icon name="alert" className="mt-0.5 size-4 flex-none" />
        {t("signin.development")}
      </p>
    </form>
  );
}
