import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { RouteOutput } from '#contract/route.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { figureListQuery, type FigureChoice } from './api.ts';
import { formatUnit } from './format-figure.ts';
import { RowsTable } from './rows-table.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** A figure, its definition, and one row for everything it counted. */
export function FigureList({ choice }: { choice: FigureChoice }) {
  const query = useInfiniteQuery(figureListQuery(choice));
  return (
    <Loaded
      query={query}
      failed="Couldn’t load this list."
      skeleton={<PanelRowsSkeleton rows={8} />}
    >
      {({ pages }) => <FigurePages pages={pages} query={query} />}
    </Loaded>
  );
}

type FigurePagesProps = {
  pages: readonly RouteOutput<Api['GET /api/admin/reports/:name/:figure']>[];
  query: UseInfiniteQueryResult;
};

function FigurePages({ pages, query }: FigurePagesProps) {
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const [first] = pages;
  if (!first) return null;
  const { figure, report, columns, from, to } = first;
  const rows = pages.flatMap(({ items }) => items);
  const title = report === figure.label ? report : `${report}: ${figure.label}`;
  return (
    <section aria-labelledby="figure-title" className="flex flex-col gap-5">
      <div>
        <h2 id="figure-title" className="type-section">
          {title}
        </h2>
        <p className="mt-3 type-figure text-56 leading-none">
          {formatUnit(figure.value, figure.unit)}
        </p>
        <p className="mt-3 max-w-[72ch] text-13 text-text-3">
          {figure.definition} {formatDate(from)} to {formatDate(to)}.
        </p>
      </div>
      {rows.length === 0 ? (
        <EmptyState
          glyph="nothing"
          headingLevel={3}
          title="Nothing to show"
          text="No entries for this period."
        />
      ) : (
        <div className="flex flex-col items-start gap-4">
          <div className="w-full rounded-panel bg-surface p-3 @3xl/content:px-5">
            <ScrollBox label={`${title}, as a list`}>
              <RowsTable columns={columns} rows={rows} />
            </ScrollBox>
          </div>
          {hasNextPage && (
            <Button
              variant="line"
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
