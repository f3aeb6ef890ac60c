import { useEffect, useState } from "react";
import type { Filter, Priority } from "../api/parts";
import { Icon } from "../shell/icon";
import { useStore } from "../state/store";
import { isSameList, SORTS, type Sort, showView, type View } from "../state/tasks";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { dragged, listPlace } from "./drag";

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
              className={`button button-quiet min-h-9 px-2.5 sm:px-3 ${view.filter === filter ? "bg-tint text-accent" : ""}`}
              onClick={() => showView({ filter })}
            >
              {t(`list.filter.${filter}`)}
            </button>
          ))}
        </fieldset>
        <SortBy sort={view.sort} />
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

/** By what the list is sorted; on a phone the icon alone. */
function SortBy({ sort }: { sort: Sort }) {
  return (
    <div className="relative flex min-h-9 flex-none items-center rounded-lg text-[0.8125rem] text-soft hover:bg-tint hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent max-sm:w-9 max-sm:justify-center sm:pl-2.5">
      <Icon name="sort" className="size-[1.15rem] sm:size-4" />
      <select
        aria-label={t("list.sort")}
        className="min-h-9 rounded-lg bg-transparent pl-1.5 font-medium outline-none *:bg-raised *:text-ink max-sm:absolute max-sm:inset-0 max-sm:opacity-0"
        value={sort}
        onChange={event => showView({ sort: event.target.value as Sort })}
      >
        {SORTS.map(one => (
          <option key={one} value={one}>
            {t(`list.sort.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** One named list, or all of them. */
function Lists({ chosen, lists }: { chosen: string | null; lists: string[] }) {
  const over = useStore(dragged)?.over;
  const shown = chosen && !lists.some(name => isSameList(chosen, name)) ? [chosen, ...lists] : lists;
  return (
    <fieldset className="mt-1 -mx-4 min-w-0 md:mx-0">
      <legend className="sr-only">{t("list.lists")}</legend>
      <div className="flex gap-1.5 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:flex-wrap md:px-0">
        {[null, ...shown].map(name => {
          const isChosen = name === null ? !chosen : Boolean(chosen && isSameList(chosen, name));
          return (
            <button
              type="button"
              key={name ?? ""}
              data-drop={name === null ? undefined : listPlace(name)}
              aria-pressed={isChosen}
              className={`inline-flex min-h-8 max-w-52 flex-none items-center gap-1.5 rounded-full border px-3 text-[0.8125rem] ${isChosen ? "border-transparent bg-tint font-medium text-accent" : name && over === listPlace(name) ? "border-accent bg-tint text-accent" : "border-line text-soft hover:border-edge hover:text-ink"}`}
              onClick={() => showView({ list: name })}
            >
              {name === null ? (
                t("list.lists.any")
              ) : (
                <>
                  <Icon name="tag" className="size-3.5 flex-none" />
                  <span className="truncate">
                    <Shown text={name} />
                  </span>
                </>
              )}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
