import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { SearchBox } from '#web/shell/search-box.tsx';
import type { Visit } from '#web/router/route.ts';
import { SearchResults, searchQuery } from './search-results.tsx';
import { SearchStart, startQueries } from './search-start.tsx';

const MAX_LENGTH = 200;

export function listQueries({ search }: Visit) {
  const query = parseSearch(search.get('q'));
  return query ? [searchQuery(query)] : startQueries;
}

const parseSearch = (text: string | null) => text?.trim().slice(0, MAX_LENGTH).trim();

export function Page() {
  const query = parseSearch(useQueryParam('q'));
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
