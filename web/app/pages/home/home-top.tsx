import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { chartQuery } from '#web/features/charts/api.ts';
import { SectionHead } from '#web/ui/page-head.tsx';
import { Top20Rows } from '../top-20/top-20-rows.tsx';

const SHOWN = 5;

/** The first places of the chart, and the way to the rest. */
export function HomeTop() {
  const { data } = useQuery(chartQuery(null));
  const entries = data?.items.slice(0, SHOWN) ?? [];
  if (!data || entries.length === 0) return null;
  return (
    <section aria-labelledby="top" className="pt-9">
      <div className="px-gutter">
        <SectionHead
          id="top"
          title="Top 20"
          end={
            <Link
              href="/top-20"
              className="inline-flex min-h-11 items-center text-13 text-text-2 hover:text-text"
            >
              The whole chart
            </Link>
          }
        />
      </div>
      <Top20Rows entries={entries} queue={data.items.map((entry) => entry.track)} />
    </section>
  );
}
