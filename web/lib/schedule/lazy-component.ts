import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never;
type Load<Module> = () => Promise<Module>;
type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

/** A component whose code loads when it is first shown: `lazyComponent(() => import('./x.tsx'), 'X')`. */
export function lazyComponent<Module, Name extends keyof Module>(
  load: Load<Module>,
  name: Name,
): Lazy<PropsOf<Module[Name]>> & Pick<ReloadableLazy<object, Module>, 'load'> {
  const { Part, load: loadOnce } = reloadableLazy(load, name);
  return Object.assign(Part, { load: loadOnce });
}

export type ReloadableLazy<Props, Module = unknown> = {
  Part: Lazy<Props>;
  /** Loads the code before it is needed. */
  load: Load<Module>;
  /** React.lazy caches a failed load; this makes the next attempt load again. */
  reload: () => void;
  /** The same as `load`, for event listeners. */
  prefetch: () => void;
};

export function reloadableLazy<Module, Name extends keyof Module>(
  load: Load<Module>,
  name: Name,
): ReloadableLazy<PropsOf<Module[Name]>, Module> {
  type Component = ComponentType<PropsOf<Module[Name]>>;
  let loaded: Module | undefined;
  const loadAndKeep = async () => (loaded = await load());
  const toDefault = (module: Module) => ({ default: module[name] as Component });
  const create = () =>
    lazy(() => (loaded ? resolveNow(toDefault(loaded)) : loadAndKeep().then(toDefault)));
  return {
    Part: create(),
    load: loadAndKeep,
    reload() {
      this.Part = create();
    },
    prefetch: () => void loadAndKeep().catch(() => undefined),
  };
}

/**
 * What is loaded already shows at once. After a promise React would show the fallback first, and
 * keep it for a third of a second.
 */
const resolveNow = <T>(value: T): Promise<T> =>
  // oxlint-disable-next-line unicorn/no-thenable -- React accepts any thenable
  ({ then: (resolve: (value: T) => void) => resolve(value) }) as Promise<T>;
