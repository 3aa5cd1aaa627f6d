import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { cataloguePagesQuery, type CatalogueFilter } from './api.ts';
import { useCatalogueSignals } from './use-catalogue-signals.ts';

/** The catalogue page by page, by what is asked of it. */
export function useCatalogue() {
  const [filter, setFilter] = useState<CatalogueFilter>({});
  const pages = useInfiniteQuery(cataloguePagesQuery(useDeferredValue(filter)));
  useCatalogueSignals();
  return { filter, setFilter, pages, mixes: pages.data?.pages.flatMap((page) => page.items) ?? [] };
}
