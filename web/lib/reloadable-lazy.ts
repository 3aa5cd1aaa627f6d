import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export type ReloadableLazy<P> = {
  Part: LazyExoticComponent<ComponentType<P>>;
  /** React.lazy caches a failed load; this makes the next attempt load again. */
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
