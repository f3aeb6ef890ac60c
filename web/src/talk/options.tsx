import type { Arguments } from "../api/parts";
import type { Clarify, Task } from "../api/types";
import { taskOf } from "../state/clicks";
import { say } from "../state/talk";
import { Facts } from "../text/facts";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { focusMessage } from "./focus";

/** What an option would add, as far as it is worth knowing in one line. */
function added({ due, repeat, list }: Arguments): Task {
  return { status: "pending", priority: "medium", due, repeat, list } as unknown as Task;
}

/** What could be meant, as buttons. A button says its number, which is the same as typing it. */
export function Options({ question }: { question: Clarify }) {
  return (
    <div className="mt-3">
      <ol className="flex flex-col gap-2" aria-label={t("talk.options")}>
        {question.options?.slice(0, 9).map((option, at) => {
          const task = taskOf(option);
          return (
            <li key={at}>
              <button
                type="button"
                className="button button-plain w-full justify-start gap-3 py-2 text-left font-normal"
                onClick={() => {
                  say(String(at + 1));
                  focusMessage();
                }}
              >
                <kbd className="grid size-6 flex-none place-items-center rounded-md bg-tint font-sans text-xs font-semibold text-accent">
                  {at + 1}
                </kbd>
                <span className="min-w-0">
                  <span className="block font-medium">
                    <Shown text={option.label} />
                  </span>
                  <Facts task={task ?? added(option.arguments)} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      <p className="mt-2 text-[0.8125rem] text-soft">{t("talk.option_hint")}</p>
    </div>
  );
}
