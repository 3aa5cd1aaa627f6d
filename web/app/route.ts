import type { ComponentType } from 'react';
import { reloadableLazy, type ReloadableLazy } from '../lib/reloadable-lazy.ts';

type PageModule = Record<string, ComponentType>;
export type SkeletonKind = 'stage' | 'rows' | 'form' | 'text';

export type Route = ReloadableLazy<object> & {
  path: string;
  /** Empty where the pages within it have titles of their own. */
  title: string;
  /** Shown in the page's place while its code arrives. */
  skeleton: SkeletonKind;
};

export function route<M extends PageModule>(
  path: string,
  title: string,
  skeleton: SkeletonKind,
  load: () => Promise<M>,
  name: keyof M & string,
): Route {
  const lazily = reloadableLazy(async () => {
    const page = (await load())[name];
    if (!page) throw new Error(`The page module for ${path} has no ${name}.`);
    return page;
  });
  return { path, title, skeleton, ...lazily };
}
