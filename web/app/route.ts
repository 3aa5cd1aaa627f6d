import type { ComponentType, ReactNode } from 'react';
import { reloadableLazy, type ReloadableLazy } from '../lib/lazy-component.ts';

export type SkeletonKind = 'stage' | 'rows' | 'form' | 'text';

export type Route = ReloadableLazy<object> & {
  path: string;
  /** Empty when the pages inside have their own titles. */
  title: string;
  /** Shown while the page's code loads. */
  skeleton: SkeletonKind | (() => ReactNode);
};

/** A page; its module exports it as `Page`. */
export const route = (
  path: string,
  title: string,
  skeleton: Route['skeleton'],
  load: () => Promise<{ Page: ComponentType }>,
): Route => ({ path, title, skeleton, ...reloadableLazy(load, 'Page') });
