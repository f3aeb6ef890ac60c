import { useEffect } from "react";
import { fleet, watchMachines } from "../state/machines";
import { useStore } from "../state/store";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { MachineView } from "./machine";
import { byPlace } from "./places";

export function MachinesPane() {
  const { machines, more, loaded } = useStore(fleet);
  useEffect(watchMachines, []);
  const now = new Date();
  return (
    <section aria-labelledby="machines-title" className="flex min-h-0 min-w-0 flex-col bg-surface md:row-span-2">
      <div className="flex flex-none items-baseline justify-between gap-3 px-4 pt-5 md:px-6">
        <h2 id="machines-title" className="text-lg font-semibold tracking-tight">
          {t("machines.title")}
        </h2>
        {loaded && (
          <p className="text-[0.8125rem] text-soft tabular-nums">
            {t("machines.count", { count: machines.filter(one => one.connected).length })}
          </p>
        )}
      </div>
      <div tabIndex={0} className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-6 md:px-6">
        {!loaded && (
          <p className="late pt-6 text-soft" aria-busy="true">
            {t("machines.loading")}
          </p>
        )}
        {byPlace(machines).map(([place, part]) => (
          <section key={place} aria-label={place || t("machines.elsewhere")} className="mt-5 first:mt-4">
            <h3 className="pb-1.5 text-xs font-semibold text-soft first-letter:uppercase">
              {place ? <Shown text={place} /> : t("machines.elsewhere")}
            </h3>
            <ul className="flex flex-col gap-3">
              {part.map(machine => (
                <MachineView key={machine.id} machine={machine} now={now} />
              ))}
            </ul>
          </section>
        ))}
        {more > 0 && <p className="pt-4 text-[0.8125rem] text-soft">{t("machines.more", { count: more })}</p>}
      </div>
    </section>
  );
}
