import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { catalogueFacetsQuery } from './editor/api.ts';

/** The names that mixes share; each leads to its mixes. */
export const Page = () => (
  <AdminFrame title="Mixes">
    <Loaded
      query={useQuery(catalogueFacetsQuery)}
      failed="Couldn’t load the series."
      skeleton={<PanelRowsSkeleton rows={5} />}
    >
      {({ series }) =>
        series.length > 0 ? (
          <ul aria-label="Series" className="rounded-panel bg-surface">
            {series.map((name) => (
              <li key={name} className="border-t border-line first:border-0">
                <Link
                  href={`/admin/tracks?series=${encodeURIComponent(name)}`}
                  className="flex min-h-14 items-center px-3 py-2 font-semibold transition-colors hover:bg-raised @5xl/content:px-5"
                >
                  <span className="min-w-0 break-words">{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState
            glyph="nothing"
            title="No series yet"
            text="Mixes with the same name of a series form one. Press “Add to a series” when you edit a mix."
          />
        )
      }
    </Loaded>
  </AdminFrame>
);
