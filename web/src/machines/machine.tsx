import type { Machine, Metric } from "../api/types";
import { agoText, measuredText, metricName, spanText } from "../text/measured";
import { Shown } from "../text/shown";
import { t, type Word } from "../words/words";
import { curveOf, HEIGHT, WIDTH } from "./curve";

const BAD = ["refused", "failed", "expired", "unsent", "unknown"];

/** One machine: whether it is there, its numbers as curves, the rest in words, and what it was told last. */
export function MachineView({ machine, now }: { machine: Machine; now: Date }) {
  const numbers = machine.metrics.filter(one => typeof one.value === "number");
  const others = machine.metrics.filter(one => typeof one.value !== "number");
  return (
    <li className="rounded-2xl border border-line bg-raised px-4 pt-3 pb-3.5">
      <div className="flex items-baseline justify-between gap-3">
        <h4 className="min-w-0 font-medium">
          <Shown text={machine.name} />
        </h4>
        <State machine={machine} now={now} />
      </div>
      {numbers.length > 0 && (
        <dl className="mt-2 flex flex-col">
          {numbers.map(one => (
            <Measured key={one.name} metric={one} faded={machine.connected === false} />
          ))}
        </dl>
      )}
      {others.length > 0 && (
        <dl className="mt-2 flex flex-wrap gap-1.5 text-[0.8125rem]">
          {others.map(one => (
            <div key={one.name} className="flex gap-1.5 rounded-full bg-paper px-2.5 py-0.5">
              <dt className="text-soft">
                <Shown text={metricName(one.name)} />
              </dt>
              <dd className={one.name === "fault" && one.value !== null ? "font-medium text-warn" : ""}>
                <Shown text={measuredText(one, one.value)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {machine.told && <Told told={machine.told} now={now} />}
    </li>
  );
}

function State({ machine, now }: { machine: Machine; now: Date }) {
  const { connected, last_seen: seen } = machine;
  const word: Word = connected ? "machines.connected" : connected === false ? "machines.gone" : "machines.unheard";
  const dot = connected ? "bg-accent" : connected === false ? "bg-warn" : "border border-edge";
  return (
    <p
      className={`flex flex-none items-center gap-1.5 text-[0.8125rem] ${connected === false ? "text-warn" : "text-soft"}`}
    >
      <span className={`size-2 rounded-full ${dot}`} aria-hidden="true" />
      {t(word)}
      {!connected && seen && <span className="text-soft">· {t("machines.seen", { ago: agoText(seen, now) })}</span>}
    </p>
  );
}

function Measured({ metric, faded }: { metric: Metric; faded: boolean }) {
  return (
    <div className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto_5.5rem] items-center gap-3 border-line not-last:border-b">
      <dt className="text-[0.8125rem] text-soft first-letter:uppercase">
        <Shown text={metricName(metric.name)} />
      </dt>
      <dd className="contents">
        <Chart metric={metric} faded={faded} />
        <span className={`text-right font-medium tabular-nums ${faded ? "text-soft" : ""}`}>
          <Shown text={measuredText(metric, metric.value)} />
        </span>
      </dd>
    </div>
  );
}

function Chart({ metric, faded }: { metric: Metric; faded: boolean }) {
  const curve = curveOf(metric);
  if (!curve) return <span />;
  const said = t("machines.chart", {
    name: metricName(metric.name),
    span: spanText(curve.milliseconds),
    low: measuredText(metric, curve.low),
    high: measuredText(metric, curve.high),
    value: measuredText(metric, metric.value),
  });
  const isLevel = curve.low === curve.high;
  return (
    <svg
      role="img"
      aria-label={said}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={`h-7 w-28 ${faded || isLevel ? "text-edge" : "text-accent"}`}
    >
      <title>{said}</title>
      {!isLevel && <path d={curve.area} fill="currentColor" opacity="0.1" />}
      <path
        d={curve.line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx={curve.last[0]} cy={curve.last[1]} r="2.2" fill="currentColor" />
    </svg>
  );
}

function Told({ told, now }: { told: NonNullable<Machine["told"]>; now: Date }) {
  const value = told.value === null ? "" : ` ${measuredText({ name: "", unit: told.unit }, told.value)}`;
  const outcome = t(`outcome.${told.outcome}` as Word) ?? told.outcome;
  return (
    <p className="mt-2.5 text-[0.8125rem] text-soft">
      {t("machines.told")}{" "}
      <span className="text-ink">
        <Shown text={told.command + value} />
      </span>{" "}
      · <span className={BAD.includes(told.outcome) ? "text-warn" : ""}>{outcome}</span> ·{" "}
      <time dateTime={told.at}>{agoText(told.at, now)}</time>
    </p>
  );
}
