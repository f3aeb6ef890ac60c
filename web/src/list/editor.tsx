import { useEffect, useId, useRef, useState } from "react";
import type { Priority } from "../api/parts";
import type { Task } from "../api/types";
import { Icon } from "../shell/icon";
import { editTask, type Fields } from "../state/clicks";
import { push } from "../state/push";
import { useStore } from "../state/store";
import { list } from "../state/tasks";
import { LEADS, leadText, REPEATS, repeatText } from "../text/repeat";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { LONGEST_TITLE } from "./add";

const LONGEST_LIST = 60;
const PRIORITIES: Priority[] = ["low", "medium", "high"];

/** A task with all its fields. Only what was changed is sent. */
export function Editor({ task, onClose, onDelete }: { task: Task; onClose: () => void; onDelete: () => void }) {
  const [title, setTitle] = useState(task.title);
  const [note, setNote] = useState(task.description);
  const [date, setDate] = useState(task.due?.slice(0, 10) ?? "");
  const [time, setTime] = useState(task.due?.slice(11) ?? "");
  const [priority, setPriority] = useState(task.priority);
  const [repeat, setRepeat] = useState(task.repeat ?? "");
  const [remind, setRemind] = useState(task.remind ?? "");
  const [name, setName] = useState(task.list ?? "");

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => void form.current?.scrollIntoView({ block: "nearest" }), []); // it may give a promise, which is no clean-up

  const save = (): void => {
    const due = date ? (time ? `${date}T${time}` : date) : null;
    const fields: Fields = {};
    if (title.trim() !== task.title) fields.title = title.trim();
    if (note.trim() !== task.description) fields.description = note.trim() || null;
    if (due !== task.due) fields.due = due;
    if (priority !== task.priority) fields.priority = priority;
    if (repeat !== (task.repeat ?? "")) fields.repeat = repeat || null;
    if (remind !== (task.remind ?? "")) fields.remind = remind || null;
    if (name.trim() !== (task.list ?? "")) fields.list = name.trim() || null;
    onClose();
    if (Object.keys(fields).length > 0) void editTask(task, fields);
  };

  return (
    <form
      ref={form}
      className="rise grid scroll-my-2 gap-3 rounded-2xl border border-line bg-raised p-4 shadow-sm"
      onSubmit={event => {
        event.preventDefault();
        if (title.trim()) save();
      }}
      onKeyDown={event => {
        event.stopPropagation();
        if (event.key === "Escape") onClose();
      }}
    >
      <Labelled name={t("task.title")}>
        <input
          className="field"
          // biome-ignore lint/a11y/noAutofocus: the row was opened to be written in
          autoFocus
          required
          value={title}
          maxLength={LONGEST_TITLE}
          onChange={event => setTitle(event.target.value)}
        />
      </Labelled>
      <div className="grid grid-cols-2 gap-3">
        <Labelled name={t("task.date")}>
          <input type="date" className="field" value={date} onChange={event => setDate(event.target.value)} />
        </Labelled>
        <Labelled name={t("task.time")}>
          <input
            type="time"
            className="field disabled:opacity-60"
            value={date ? time : ""}
            disabled={!date}
            onChange={event => setTime(event.target.value)}
          />
        </Labelled>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Labelled name={t("task.repeat")}>
          <select className="field" value={repeat} onChange={event => setRepeat(event.target.value)}>
            <option value="">{t("repeat.none")}</option>
            {Object.entries(REPEATS).map(([rule, word]) => (
              <option key={rule} value={rule}>
                {t(word)}
              </option>
            ))}
            {task.repeat && !REPEATS[task.repeat] && (
              <option value={task.repeat}>{t("task.as_it_is", { value: repeatText(task.repeat) })}</option>
            )}
          </select>
        </Labelled>
        <Reminder value={remind} stored={task.remind} possible={Boolean(date || repeat)} onChange={setRemind} />
      </div>
      <ListField value={name} onChange={setName} />
      <fieldset>
        <legend className="text-[0.8125rem] text-soft">{t("task.priority")}</legend>
        <div className="mt-1 grid grid-cols-3 gap-1 rounded-xl bg-paper p-1">
          {PRIORITIES.map(one => (
            <label
              key={one}
              className="grid min-h-9 place-items-center rounded-lg text-sm has-checked:bg-raised has-checked:font-medium has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="priority"
                className="sr-only"
                checked={priority === one}
                onChange={() => setPriority(one)}
              />
              {t(`priority.${one}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Labelled name={t("task.note")}>
        <textarea
          className="field max-h-40 field-sizing-content"
          value={note}
          maxLength={1000}
          onChange={event => setNote(event.target.value)}
        />
      </Labelled>
      <div className="flex items-center gap-2">
        <button type="submit" className="button button-main">
          {t("task.save")}
        </button>
        <button type="button" className="button button-plain" onClick={onClose}>
          {t("task.cancel")}
        </button>
        <button type="button" className="button button-quiet ml-auto min-h-10 text-warn" onClick={onDelete}>
          <Icon name="bin" className="size-4" /> {t("task.remove")}
        </button>
      </div>
    </form>
  );
}

/** How long before it is due. There is nothing to be reminded of without a date. */
function Reminder(props: {
  value: string;
  stored: string | null | undefined;
  possible: boolean;
  onChange: (to: string) => void;
}) {
  const hint = useId();
  const isPageAlone = useStore(push) !== "on";
  const { value, stored, possible, onChange } = props;
  return (
    <>
      <Labelled name={t("task.remind")}>
        <select
          className="field disabled:opacity-60"
          value={value}
          disabled={!possible}
          aria-describedby={value && isPageAlone ? hint : undefined}
          onChange={event => onChange(event.target.value)}
        >
          <option value="">{t("remind.none")}</option>
          {LEADS.map(lead => (
            <option key={lead} value={lead}>
              {leadText(lead)}
            </option>
          ))}
          {stored && !LEADS.includes(stored) && (
            <option value={stored}>{t("task.as_it_is", { value: leadText(stored) })}</option>
          )}
        </select>
      </Labelled>
      {value && isPageAlone && (
        <p id={hint} className="col-span-2 -mt-2 text-xs text-soft">
          {t("task.remind.hint")}
        </p>
      )}
    </>
  );
}

/** The named list, with those there are as suggestions. A name that cannot be shown as it is, is none. */
function ListField({ value, onChange }: { value: string; onChange: (to: string) => void }) {
  const { lists } = useStore(list);
  const suggestions = useId();
  return (
    <Labelled name={t("task.list")}>
      <input
        className="field"
        list={suggestions}
        value={value}
        maxLength={LONGEST_LIST}
        placeholder={t("task.list.none")}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={suggestions}>
        {lists
          .filter(name => spelled(name) === name)
          .map(name => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </Labelled>
  );
}

function Labelled({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="text-[0.8125rem] text-soft">
      {name}
      <span className="mt-1 block text-[0.9375rem] text-ink">{children}</span>
    </label>
  );
}
