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
            No mixes are published yet. Once they are, titles, weeks, genres and tracklists are
            found here.
          </EmptyState>
        ) : (
          <EmptyState title="What are you looking for?">
            A title, a genre, or a week: “week 12”, “w12” and “12” all find the same one.
          </EmptyState>
        )}
      </div>
    </>
  );
}
