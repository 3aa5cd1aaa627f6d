import { useQuery, useQueryClient } from '@tanstack/react-query';
import { deletedPlaylistsQuery } from '#web/features/playlists/api.ts';
import { restorePlaylistMutation, runMutation } from '#web/features/playlists/mutations.ts';
import { formatWeekday, formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';

/** Deleted playlists can be restored for a week. */
export function DeletedPlaylists() {
  const client = useQueryClient();
  const query = useQuery(deletedPlaylistsQuery);
  const items = query.data?.items ?? [];
  if (items.length === 0)
    return (
      <LoadFailure
        query={query}
        look="line"
        failed="Couldn’t load the playlists you deleted."
        className="mt-12"
      />
    );
  return (
    <section aria-labelledby="deleted" className="mt-12 max-w-[640px]">
      <SectionHead id="deleted" title="Recently deleted" />
      <p className="mb-2 text-text-2">Deleted playlists are kept for seven days.</p>
      <ul aria-labelledby="deleted">
        {items.map((playlist) => (
          <li
            key={playlist.id}
            className="flex min-h-16 items-center gap-3.5 border-t border-line first:border-0"
          >
            <div className="min-w-0 flex-1">
              <strong className="block truncate font-semibold">{playlist.name}</strong>
              <span className="type-meta">
                {formatCount(playlist.trackCount, 'mix', 'mixes')} · Deleted on{' '}
                {formatWeekday(playlist.deletedAt)}
              </span>
            </div>
            <Button
              variant="line"
              size="sm"
              aria-label={`Restore ${playlist.name}`}
              onClick={() =>
                runMutation(client, restorePlaylistMutation(client, playlist), undefined)
              }
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
