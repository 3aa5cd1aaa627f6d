import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { CatalogueState } from '#contract/admin/catalogue.ts';
import { cataloguePagesQuery, type CatalogueFilter } from './api.ts';
import { useCatalogueSignals } from './use-catalogue-signals.ts';

/** Links from other pages can set filters. */
function parseAddress(): CatalogueFilter {
  const query = new URLSearchParams(window.location.search);
  const { data: state } = CatalogueState.safeParse(query.get('state'));
  const q = query.get('q');
  const series = query.get('series');
  const year = Number(query.get('year'));
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(series && { series }),
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
