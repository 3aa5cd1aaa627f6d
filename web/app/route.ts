import type { ComponentType } from 'react';
import { reloadableLazy, type ReloadableLazy } from '../lib/reloadable-lazy.ts';

export type SkeletonKind = 'stage' | 'rows' | 'form' | 'text';

export type Route = ReloadableLazy<object> & {
  path: string;
  /** Empty when the pages inside have their own titles. */
  title: string;
  /** Shown while the page's code loads. */
  skeleton: SkeletonKind;
};

export function route<Name extends string>(
  path: string,
  title: string,
  skeleton: SkeletonKind,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Route {
  return { path, title, skeleton, ...reloadableLazy(async () => (await load())[name]) };
}
