import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never;
type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

/** A component whose code loads when it is first shown: `lazyComponent(() => import('./x.tsx'), 'X')`. */
export const lazyComponent = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Lazy<PropsOf<Module[Name]>> =>
  lazy(async () => ({
    default: (await load())[name] as ComponentType<PropsOf<Module[Name]>>,
  }));

export type ReloadableLazy<Props> = {
  Part: Lazy<Props>;
  /** React.lazy caches a failed load; this makes the next attempt load again. */
  reload: () => void;
  /** Starts loading the code before it is needed. */
  prefetch: () => void;
};

export function reloadableLazy<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ReloadableLazy<PropsOf<Module[Name]>> {
  return {
    Part: lazyComponent(load, name),
    reload() {
      this.Part = lazyComponent(load, name);
    },
    prefetch: () => void load().catch(() => undefined),
  };
}
