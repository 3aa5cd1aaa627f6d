import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { CatalogueState } from '#contract/catalogue.ts';
import { cataloguePagesQuery, type CatalogueFilter } from './api.ts';
import { useCatalogueSignals } from './use-catalogue-signals.ts';

/** Where another page leads to some of them, the address says to which. */
function readAddress(): CatalogueFilter {
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

/** The catalogue page by page, by what is asked of it. */
export function useCatalogue() {
  const [filter, setFilter] = useState<CatalogueFilter>(readAddress);
  const pages = useInfiniteQuery(cataloguePagesQuery(useDeferredValue(filter)));
  useCatalogueSignals();
  return { filter, setFilter, pages, mixes: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}
