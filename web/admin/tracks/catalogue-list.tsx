import type { ReactNode } from 'react';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import { CatalogueFilters } from './editor/catalogue-filters.tsx';
import type { useCatalogue } from './editor/use-catalogue.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { CatalogueRowsSkeleton } from '../admin-skeletons.tsx';

type CatalogueListProps = {
  catalogue: ReturnType<typeof useCatalogue>;
  /** Above the rows, if there are any. */
  head?: ReactNode;
  children: (track: CatalogueTrack) => ReactNode;
};

export function CatalogueList({ catalogue, head, children }: CatalogueListProps) {
  const { filter, setFilter, pages, tracks } = catalogue;
  const isFiltered = Object.keys(filter).some((name) => name !== 'sort');
  return (
    <>
      <CatalogueFilters filter={filter} onChange={setFilter} />
      {tracks.length > 0 && head}
      <Loaded
        query={pages}
        failed="Couldn’t load the catalogue."
        skeleton={<CatalogueRowsSkeleton />}
      >
        {() =>
          tracks.length > 0 ? (
            <ol
              aria-label="Mixes"
              className="-mt-4 @double/content:grid @double/content:grid-cols-2 @double/content:gap-x-14"
            >
              {tracks.map(children)}
            </ol>
          ) : (
            <EmptyState
              title={isFiltered ? 'No mixes match' : 'The catalogue is empty'}
              text={
                isFiltered
                  ? 'No mixes match these filters.'
                  : 'Mixes you upload appear here with their stats and files.'
              }
            />
          )
        }
      </Loaded>
      {pages.hasNextPage && (
        <Button variant="line" className="self-start" onClick={() => void pages.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
