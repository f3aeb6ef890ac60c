/** A value that components can watch. */

import { useSyncExternalStore } from "react";

export interface Store<T> {
  get(): T;
  set(change: T | ((before: T) => T)): void;
  watch(listener: () => void): () => void;
}

export function makeStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      const next = typeof change === "function" ? (change as (before: T) => T)(value) : change;
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.watch, store.get);
}
