import { useEffect, useState } from "react";
import type { Filter, Priority } from "../api/types";
import { Icon } from "../shell/icon";
import { isSameList, showView, type View } from "../state/tasks";
import { spelled } from "../text/unseen";
import { t } from "../words/words";

const FILTERS: Filter[] = ["pending", "overdue", "completed", "all"];
const PRIORITIES: Priority[] = ["high", "medium", "low"];

export function Filters({ view, lists }: { view: View; lists: string[] }) {
  const [search, setSearch] = useState(view.search);
  const [searching, setSearching] = useState(Boolean(view.search || view.priority));
  useEffect(() => {
    if (search === view.search) return;
    const timer = setTimeout(() => showView({ search }), 180);
    return () => clearTimeout(timer);
  }, [search, view.search]);
  return (
    <div className="pt-3 pb-2">
      <div className="flex items-center gap-1">
        <fieldset className="flex min-w-0 flex-1 gap-0.5">
          <legend className="sr-only">{t("list.filter")}</legend>
          {FILTERS.map(filter => (
            <button
              type="button"
              key={filter}
              aria-pressed={view.filter === filter}
              className={`button button-quiet min-h-9 px-3 ${view.filter === filter ? "bg-tint text-accent" : ""}`}
              onClick={() => showView({ filter })}
            >
              {t(`list.filter.${filter}`)}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          className={`icon-button size-9 ${searching ? "bg-tint text-accent" : ""}`}
          aria-expanded={searching}
          aria-label={t("list.search")}
          onClick={() => {
            setSearching(!searching);
            if (searching) {
              setSearch("");
              showView({ search: "", priority: null });
            }
          }}
        >
          <Icon name="search" className="size-[1.15rem]" />
        </button>
      </div>
      {(lists.length > 0 || view.list) && <Lists chosen={view.list} lists={lists} />}
      {searching && (
        <div className="rise mt-2 flex gap-2">
          <input
            type="search"
            className="field"
            // biome-ignore lint/a11y/noAutofocus: it was asked for by the button just pressed
            autoFocus
            value={search}
            maxLength={200}
            aria-label={t("list.search")}
            placeholder={t("list.search")}
            onChange={event => setSearch(event.target.value)}
          />
          <select
            className="field w-auto flex-none"
            aria-label={t("list.priority")}
            value={view.priority ?? ""}
            onChange={event => showView({ priority: (event.target.value || null) as Priority | null })}
          >
            <option value="">{t("list.priority.any")}</option>
            {PRIORITIES.map(priority => (
              <option key={priority} value={priority}>
                {t(`priority.${priority}`)}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}

/** One named list, or all of them. */
function Lists({ chosen, lists }: { chosen: string | null; lists: string[] }) {
  const shown = chosen && !lists.some(name => isSameList(chosen, name)) ? [chosen, ...lists] : lists;
  return (
    <label
      className={`mt-1 flex w-fit max-w-full items-center gap-1.5 rounded-lg pl-3 text-[0.8125rem] ${chosen ? "bg-tint text-accent" : "text-soft"}`}
    >
      <Icon name="tag" className="size-4 flex-none" />
      <span className="sr-only">{t("list.lists")}</span>
      <select
        className="field-sizing-content min-h-9 max-w-full min-w-0 rounded-lg bg-transparent pr-2 font-medium text-ellipsis *:bg-raised *:text-ink"
        value={shown.find(name => chosen && isSameList(chosen, name)) ?? ""}
        onChange={event => showView({ list: event.target.value || null })}
      >
        <option value="">{t("list.lists.any")}</option>
        {shown.map(name => (
          <option key={name} value={name}>
            {spelled(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
