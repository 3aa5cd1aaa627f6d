import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { CatalogueState } from '#contract/admin/catalogue.ts';
import { watchSignals } from '#web/lib/api/live.ts';
import { cataloguePagesQuery, type CatalogueFilter } from './api.ts';

/** Shows changes of uploads and tracks as they happen. */
export function useCatalogueSignals(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      watchSignals((topic) => {
        if (topic !== 'admin:tracks' && topic !== 'all') return;
        void client.invalidateQueries({ queryKey: ['/api/admin/uploads'] });
        void client.invalidateQueries({ queryKey: ['/api/admin/tracks'] });
      }),
    [client],
  );
}

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
