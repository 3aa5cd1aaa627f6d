import { Clock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { searchPath } from '#web/features/search/api.ts';
import { forgetSearches, readRecent } from '#web/features/search/recent-searches.ts';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';

/** The page before anything was asked: what was looked for lately, or what can be. */
export function SearchStart() {
  const { user } = useCurrentUser();
  const [, setForgotten] = useState(false);
  const recent = readRecent(user?.id);
  if (!user || recent.length === 0)
    return (
      <EmptyState title="What are you looking for?">
        A title, a week like “week 12”, a genre, or an artist in a tracklist.
      </EmptyState>
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
              forgetSearches(user.id);
              setForgotten(true);
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
              <Clock aria-hidden className="size-[18px] shrink-0 text-text-3" strokeWidth={1.75} />
              <span className="truncate">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
