import { useSyncExternalStore } from 'react';

export type Store<T> = {
  get(): T;
  /** What a page rendered on the server shows. */
  getInitial(): T;
  set(next: T): void;
  subscribe(callback: () => void): () => void;
};

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const callbacks = new Set<() => void>();
  return {
    get: () => value,
    getInitial: () => initial,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const callback of callbacks) callback();
    },
    subscribe(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}

export const useStore = <T>(store: Store<T>): T =>
  useSyncExternalStore(store.subscribe, store.get, store.getInitial);
