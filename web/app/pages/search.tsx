import { useQueryParam } from '#web/lib/query-params.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { SearchBox } from '../shell/search-box.tsx';

export function SearchPage() {
  const query = useQueryParam('q')?.trim();
  return (
    <>
      <PageHead title="Search" />
      <div className="flex flex-col gap-8 px-gutter pt-6">
        <div className="md:hidden">
          <SearchBox id="page-search" />
        </div>
        {query ? (
          <EmptyState glyph="nothing" title={`Nothing for “${query}”`}>
            Search does not look into the catalogue yet. The newest mixes stand on Home.
          </EmptyState>
        ) : (
          <EmptyState title="What are you looking for?">
            Titles, weeks, genres and tracklists get their place here. The newest mixes stand on
            Home.
          </EmptyState>
        )}
      </div>
    </>
  );
}
