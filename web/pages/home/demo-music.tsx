import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';

const POLL_MS = 4_000;

/** Shown while the demo generates its music. Lists refresh as mixes become ready. */
export function DemoMusic() {
  const client = useQueryClient();
  const { data } = useQuery({
    ...apiQuery('GET /api/demo/progress'),
    refetchInterval: ({ state: { data: last } }) =>
      last && last.ready < last.total ? POLL_MS : false,
  });
  const ready = data?.ready;
  const lastReady = useRef(ready);
  useEffect(() => {
    if (lastReady.current !== undefined && lastReady.current !== ready)
      void refreshPaths(client, '/api/tracks');
    lastReady.current = ready;
  }, [client, ready]);
  if (!data || data.ready >= data.total) return null;
  return (
    <section
      aria-label="Demo music"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line px-gutter py-4"
    >
      <p className="min-w-0">
        <strong className="font-semibold">The demo is generating its own music.</strong>{' '}
        <span className="tabular text-text-2">
          {data.ready} of {data.total} mixes ready; the rest appear as they finish.
        </span>
      </p>
      <div
        role="progressbar"
        aria-label="Mixes ready"
        aria-valuemin={0}
        aria-valuemax={data.total}
        aria-valuenow={data.ready}
        className="h-1.5 min-w-40 flex-1 overflow-hidden rounded-pill bg-line"
      >
        <div className="h-full bg-text" style={{ width: `${(data.ready / data.total) * 100}%` }} />
      </div>
    </section>
  );
}
