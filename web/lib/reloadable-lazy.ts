import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export type ReloadableLazy<P> = {
  Part: LazyExoticComponent<ComponentType<P>>;
  /** A lazy part remembers that its code did not arrive; this makes the next attempt a real one. */
  reload: () => void;
  /** Starts loading the code before it is needed. */
  prefetch: () => void;
};

export function reloadableLazy<P>(load: () => Promise<ComponentType<P>>): ReloadableLazy<P> {
  const create = () => lazy(async () => ({ default: await load() }));
  return {
    Part: create(),
    reload() {
      this.Part = create();
    },
    prefetch: () => void load().catch(() => undefined),
  };
}
