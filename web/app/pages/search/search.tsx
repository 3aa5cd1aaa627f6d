import { Clock } from '#web/ui/icons.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { searchPath } from '#web/features/search/api.ts';
import { clearRecentSearches, listRecentSearches } from '#web/features/search/recent-searches.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useQueryParam } from '#web/lib/use-query-param.ts';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { SearchBox } from '#web/app/shell/search-box.tsx';
import { SearchResults } from './search-results.tsx';

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

/** Before the first search: recent searches, or what people can search for. */
function SearchStart() {
  const { user } = useCurrentUser();
  const [, setCleared] = useState(false);
  const recent = listRecentSearches(user?.id);
  if (!user || recent.length === 0)
    return (
      <EmptyState
        title="What are you looking for?"
        text="Search by title, week (“week 12”), genre or artist."
      />
    );
  return (
    <section aria-labelledby="recent" className="max-w-[640px]">
      <SectionHead
        id="recent"
        title="Recent searches"
        end={
          <Button
            variant="quiet"
            onClick={() => {
              clearRecentSearches(user.id);
              setCleared(true);
            }}
          >
            Clear recent searches
          </Button>
        }
      />
      <ul>
        {recent.map((text) => (
          <li key={text} className="border-t border-line first:border-0">
            <Link
              href={searchPath(text)}
              className="flex min-h-12 items-center gap-3 font-medium hover:underline hover:underline-offset-4"
            >
              <Clock className="size-[18px] shrink-0 text-text-3" />
              <span className="truncate">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
