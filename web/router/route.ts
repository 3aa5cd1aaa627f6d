import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import type { PagePath } from '#contract/page-paths.ts';
import { reloadableLazy, type ReloadableLazy } from '../lib/schedule/lazy-component.ts';

export type SkeletonKind = 'stage' | 'rows' | 'form' | 'text';

/** A page that someone is about to open. */
export type Visit = {
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  user: User | null;
  /** What the cache has, for queries that depend on other data. */
  read: QueryClient['getQueryData'];
};

export type PageQuery = { queryKey: QueryKey; enabled?: unknown };

export type PageModule = {
  Page: ComponentType;
  /** Everything the page asks for when it opens, to load it ahead. A test compares it with the page. */
  listQueries?: (visit: Visit) => PageQuery[];
  /** Lazy components that the page shows as soon as it opens. */
  parts?: readonly { load: () => Promise<unknown> }[];
  /** A page that is a table of others. */
  routes?: readonly Route[];
};

/** A page's own path, or that of a table of pages. */
type RoutePath = PagePath | '/admin/*?' | '*';

export type Route = ReloadableLazy<object, PageModule> & {
  path: RoutePath;
  /** Empty when the pages inside have their own titles. */
  title: string;
  /** Shown while the page's code loads. */
  skeleton: SkeletonKind | (() => ReactNode);
};

/** A page; its module exports it as `Page`. */
export const route = (
  path: RoutePath,
  title: string,
  skeleton: Route['skeleton'],
  load: () => Promise<PageModule>,
): Route => ({ path, title, skeleton, ...reloadableLazy(load, 'Page') });
