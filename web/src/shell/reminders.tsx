import { useEffect, useRef, useState } from "react";
import type { Channel, ReminderSettings as Hours } from "../api/types";
import {
  addChannel,
  channels,
  hours,
  loadChannels,
  loadHours,
  removeChannel,
  setHours,
  tryChannel,
} from "../state/channels";
import { wordsOf } from "../state/clicks";
import { isThisBrowser, push, switchOff, switchOn } from "../state/push";
import { makeStore, useStore } from "../state/store";
import { Shown } from "../text/shown";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { Icon } from "./icon";

const TITLE = "reminder-settings";

const shown = makeStore(false);

export const openReminders = (): void => shown.set(true);

/** Where and when reminders arrive. It loads what it shows each time that it is opened. */
export function ReminderSettings() {
  const isOpen = useStore(shown);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={TITLE}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-2xl border border-line bg-raised p-5 text-ink shadow-xl backdrop:bg-black/40"
      onClose={() => shown.set(false)}
    >
      <div className="flex items-center justify-between">
        <h2 id={TITLE} className="text-lg font-semibold">
          {t("ringing.label")}
        </h2>
        <form method="dialog">
          <button type="submit" className="icon-button" aria-label={t("reminders.close")}>
            <Icon name="close" className="size-4" />
          </button>
        </form>
      </div>
      <Inside />
    </dialog>
  );
}

function Inside() {
  const known = useStore(hours);
  const [said, setSaid] = useState({ words: "", bad: false });
  /** Do something, and say what came of it. */
  const run = async (what: () => Promise<string>): Promise<boolean> => {
    setSaid({ words: "", bad: false });
    try {
      setSaid({ words: await what(), bad: false });
      return true;
    } catch (error) {
      setSaid({ words: wordsOf(error), bad: true });
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void run(async () => {
      await Promise.all([loadChannels(), loadHours()]);
      return "";
    });
  }, []);
  return (
    <>
      <ThisDevice say={(words, bad) => setSaid({ words, bad })} />
      <Channels run={run} />
      <AddAddress run={run} />
      {known && <HoursForm known={known} run={run} />}
      <p
        role="status"
        className={`sticky bottom-0 mt-3 min-h-5 bg-raised text-sm ${said.bad ? "text-warn" : "text-soft"}`}
      >
        {said.words}
      </p>
    </>
  );
}

type Run = (what: () => Promise<string>) => Promise<boolean>;

function ThisDevice({ say }: { say: (words: string, bad: boolean) => void }) {
  const state = useStore(push);
  const words = {
    idle: t("push.idle"),
    off: "",
    on: t("push.is_on"),
    denied: t("push.denied"),
    unavailable: t("push.unavailable"),
  };
  return (
    <div className="mt-2">
      {words[state] && <p className="text-sm text-soft">{words[state]}</p>}
      {state === "off" && (
        <button
          type="button"
          className="button button-main w-full"
          onClick={() => void switchOn(say).then(loadChannels, () => null)}
        >
          <Icon name="bell" className="size-4" /> {t("push.on")}
        </button>
      )}
    </div>
  );
}

function Channels({ run }: { run: Run }) {
  const all = useStore(channels);
  if (!all?.length) return null;
  const attempt = ({ id }: Channel): Promise<boolean> => run(async () => t(`reminders.tried.${await tryChannel(id)}`));
  const remove = ({ id, label }: Channel): Promise<boolean> =>
    run(async () => {
      if (isThisBrowser(id)) await switchOff().then(loadChannels);
      else await removeChannel(id);
      return t("reminders.removed", { label: spelled(label) });
    });
  return (
    <ul className="mt-3 divide-y divide-line border-y border-line">
      {all.map(channel => (
        <li key={channel.id} data-channel className="flex items-center gap-2 py-1.5">
          <Icon name={channel.kind === "push" ? "bell" : "send"} className="size-4 flex-none text-soft" />
          <span className="min-w-0 flex-1 truncate">
            <Shown text={channel.label} />
          </span>
          <button type="button" className="button button-quiet flex-none" onClick={() => void attempt(channel)}>
            {t("reminders.try")}
            <span className="sr-only"> {spelled(channel.label)}</span>
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t("reminders.remove", { label: spelled(channel.label) })}
            onClick={() => void remove(channel)}
          >
            <Icon name="bin" className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function AddAddress({ run }: { run: Run }) {
  const [address, setAddress] = useState("");
  const [label, setLabel] = useState("");
  const add = async (): Promise<void> => {
    const name = label.trim() || address.split(":")[0]!;
    const added = await run(async () => {
      await addChannel(address.trim(), name);
      return t("reminders.added", { label: spelled(name) });
    });
    if (!added) return;
    setAddress("");
    setLabel("");
  };
  return (
    <form
      className="mt-4"
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <label className="text-[0.8125rem] text-soft">
        {t("reminders.address")}
        <input
          className="field mt-1 text-[0.9375rem] text-ink"
          value={address}
          maxLength={500}
          required
          placeholder="ntfys://ntfy.sh/…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={event => setAddress(event.target.value)}
        />
      </label>
      <div className="mt-2 flex items-end gap-2">
        <label className="min-w-0 flex-1 text-[0.8125rem] text-soft">
          {t("reminders.label")}
          <input
            className="field mt-1 text-[0.9375rem] text-ink"
            value={label}
            maxLength={100}
            autoComplete="off"
            onChange={event => setLabel(event.target.value)}
          />
        </label>
        <button type="submit" className="button button-plain flex-none">
          {t("reminders.add")}
        </button>
      </div>
    </form>
  );
}

function HoursForm({ known, run }: { known: Hours; run: Run }) {
  const [now, setNow] = useState(known);
  const change = (part: Partial<Hours>): void => setNow(before => ({ ...before, ...part }));
  const isQuiet = now.quiet_from !== null;
  const time = (name: keyof Hours, words: string) => (
    <label className="text-[0.8125rem] text-soft">
      {words}
      <input
        type="time"
        required
        className="field mt-1 text-[0.9375rem] text-ink"
        value={now[name] ?? ""}
        onChange={event => change({ [name]: event.target.value })}
      />
    </label>
  );
  return (
    <form
      className="mt-5 grid grid-cols-2 gap-3 border-t border-line pt-4"
      onSubmit={event => {
        event.preventDefault();
        void run(async () => {
          await setHours(now);
          return t("reminders.saved");
        });
      }}
    >
      <div className="col-span-2">{time("morning", t("reminders.morning"))}</div>
      <label className="col-span-2 flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isQuiet}
          onChange={event =>
            change(
              event.target.checked ? { quiet_from: "22:00", quiet_to: "07:00" } : { quiet_from: null, quiet_to: null },
            )
          }
        />
        {t("reminders.quiet")}
      </label>
      {isQuiet && time("quiet_from", t("reminders.quiet_from"))}
      {isQuiet && time("quiet_to", t("reminders.quiet_to"))}
      <button type="submit" className="button button-main col-span-2">
        {t("task.save")}
      </button>
    </form>
  );
}
