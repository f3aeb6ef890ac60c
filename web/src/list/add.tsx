import { useState } from "react";
import { Icon } from "../shell/icon";
import { addTask } from "../state/clicks";
import { t } from "../words/words";

export const LONGEST_TITLE = 200;

/** A task by its title alone; everything else can be said, or edited in its row. */
export function AddTask() {
  const [title, setTitle] = useState("");
  const add = async (): Promise<void> => {
    const wanted = title.trim();
    if (!wanted) return;
    setTitle("");
    if (!(await addTask({ title: wanted }))) setTitle(wanted);
  };
  return (
    <form
      className="mt-4 flex items-center rounded-xl border border-edge bg-raised focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <label htmlFor="new-task" className="grid size-10 flex-none place-items-center text-soft">
        <Icon name="plus" className="size-[1.15rem]" />
        <span className="sr-only">{t("list.add")}</span>
      </label>
      <input
        id="new-task"
        className="min-h-10 min-w-0 flex-1 bg-transparent pr-2 outline-none placeholder:text-soft"
        value={title}
        maxLength={LONGEST_TITLE}
        placeholder={t("list.add")}
        autoComplete="off"
        enterKeyHint="done"
        onChange={event => setTitle(event.target.value)}
      />
      {title.trim() && (
        <button type="submit" className="button button-quiet mr-1 text-accent">
          {t("list.add_button")}
        </button>
      )}
    </form>
  );
}
