import { useQueryParam } from '#web/lib/use-query-param.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { SearchBox } from '#web/app/shell/search-box.tsx';
import { SearchResults } from './search-results.tsx';
import { SearchStart } from './search-start.tsx';

const MAX_LENGTH = 200;

export function Page() {
  const query = useQueryParam('q')?.trim().slice(0, MAX_LENGTH).trim();
  return (
    <>
      <PageHead title="Search" />
      <div className="flex flex-col gap-6 px-gutter pt-6 pb-8">
        <div className="md:hidden">
          <SearchBox id="page-search" />
        </div>
        {query ? <SearchResults key={query} query={query} /> : <SearchStart />}
      </div>
    </>
  );
}
