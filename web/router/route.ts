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
  /** A page that is a table of others. */
  routes?: readonly Route[];
};

/** A page's own path, or that of a table of pages. */
type RoutePath = PagePath | '/admin/*?' | '*';

/**
 * Visitors are those who aren't logged in; only they open the pages for logging in. Who reads the About
 * page is up to the operator.
 */
type Access = 'everyone' | 'visitors' | 'members' | 'admins' | 'readers';

export type Route = ReloadableLazy<object, PageModule> & {
  path: RoutePath;
  /** Empty when the pages inside have their own titles. */
  title: string;
  access: Access;
  /** Shown while the page's code loads. */
  skeleton: SkeletonKind | (() => ReactNode);
};

/** A page; its module exports it as `Page`. */
export const route = (
  path: RoutePath,
  title: string,
  access: Access,
  skeleton: Route['skeleton'],
  load: () => Promise<PageModule>,
): Route => ({ path, title, access, skeleton, ...reloadableLazy(load, 'Page') });
