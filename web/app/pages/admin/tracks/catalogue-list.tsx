import type { ReactNode } from 'react';
import type { CatalogueTrack } from '#contract/catalogue.ts';
import { CatalogueFilters } from '#web/features/catalogue/catalogue-filters.tsx';
import type { useCatalogue } from '#web/features/catalogue/use-catalogue.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';

type CatalogueListProps = {
  catalogue: ReturnType<typeof useCatalogue>;
  children: (mix: CatalogueTrack) => ReactNode;
};

/** Filters, rows and what stands there instead of rows. */
export function CatalogueList({ catalogue, children }: CatalogueListProps) {
  const { filter, setFilter, pages, mixes } = catalogue;
  const isFiltered = Object.keys(filter).some((name) => name !== 'sort');
  return (
    <>
      <CatalogueFilters filter={filter} onChange={setFilter} />
      {pages.error && <Notice tone="danger" title="The catalogue could not be read." />}
      {pages.isPending && <TextSkeleton />}
      {pages.data && mixes.length === 0 && (
        <EmptyState title={isFiltered ? 'No mix fits' : 'The catalogue is empty'}>
          {isFiltered
            ? 'Nothing has this title, state, year and genre.'
            : 'Every mix stands here with its figures and files once one has been uploaded.'}
        </EmptyState>
      )}
      {mixes.length > 0 && (
        <ol aria-label="Mixes" className="-mt-4">
          {mixes.map(children)}
        </ol>
      )}
      {pages.hasNextPage && (
        <Button variant="line" className="self-start" onClick={() => void pages.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
