import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { CatalogueState } from '#contract/admin/catalogue.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { cataloguePagesQuery, TRACKS_PATH, type CatalogueFilter } from './api.ts';

/** Shows changes of uploads and tracks as they happen. */
export const useCatalogueSignals = (): void =>
  useRefreshOn('admin:tracks', '/api/admin/uploads', TRACKS_PATH);

/** Links from other pages can set filters. */
function parseAddress(): CatalogueFilter {
  const query = new URLSearchParams(window.location.search);
  const { data: state } = CatalogueState.safeParse(query.get('state'));
  const q = query.get('q');
  const year = Number(query.get('year'));
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(Number.isInteger(year) && year > 0 && { year }),
  };
}

export function useCatalogue() {
  const [filter, setFilter] = useState<CatalogueFilter>(parseAddress);
  const pages = useInfiniteQuery(cataloguePagesQuery(useDeferredValue(filter)));
  useCatalogueSignals();
  return {
    filter,
    setFilter,
    pages,
    tracks: pages.data?.pages.flatMap((page) => page.items) ?? [],
  };
}
