import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Loaded } from './loaded.tsx';
import { PanelRowsSkeleton } from './panel-skeleton.tsx';

type PagedListProps<Item> = {
  /** The name of the list, for screen readers. */
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly Item[] }>>;
  failed: string;
  empty: ReactNode;
  /** Unless five rows of text look like the list. */
  skeleton?: ReactNode;
  className?: string;
  /** Returns an `<li>` with a key. */
  renderItem: (item: Item) => ReactNode;
};

/** A list on a panel, with its loading, empty and error states and a button for the next page. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const { label, query, failed, empty, skeleton, className = '', renderItem } = props;
  return (
    <Loaded query={query} failed={failed} skeleton={skeleton ?? <PanelRowsSkeleton rows={5} />}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0)
          return typeof empty === 'string' ? <p className="text-text-2">{empty}</p> : empty;
        return (
          <div className="flex flex-col items-start gap-4">
            <ol aria-label={label} className={`w-full rounded-panel bg-surface ${className}`}>
              {items.map(renderItem)}
            </ol>
            {query.hasNextPage && (
              <Button
                variant="line"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
