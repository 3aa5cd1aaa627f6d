import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from '#web/ui/icons.ts';
import { Link, useLocation } from 'wouter';
import type { Playlist } from '#contract/playlists.ts';
import { deletedPlaylistsQuery, playlistPagesQuery } from '#web/features/playlists/api.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { formatCount, formatWeekday } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded, LoadFailure } from '#web/ui/loaded.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { SleevesSkeleton } from '#web/ui/skeleton.tsx';
import { useNewPlaylist } from '#web/features/playlists/use-new-playlist.ts';
import { usePages, type Pages } from '#web/features/tracks/track-pages.ts';
import { ListEnd } from '#web/features/tracks/list-end.tsx';
import { restorePlaylistMutation, runMutation } from '#web/features/playlists/mutations.ts';

export const listQueries = () => [playlistPagesQuery, deletedPlaylistsQuery];

export function Page() {
  return (
    <>
      <PageHead
        title="Playlists"
        lead="Your playlists, most recently edited first."
        end={<NewPlaylistButton />}
      />
      <div className="px-gutter pt-8">
        <Playlists />
        <DeletedPlaylists />
      </div>
    </>
  );
}

function Playlists() {
  const query = useInfiniteQuery(playlistPagesQuery);
  const pages = usePages(query);
  return (
    <Loaded
      query={query}
      look="section"
      failed="Couldn’t load this list"
      skeleton={
        <div role="status" aria-label="Loading: Your playlists">
          <SleevesSkeleton grid={gridClass} />
        </div>
      }
    >
      {(data) => <PlaylistPages items={data.pages.flatMap((page) => page.items)} pages={pages} />}
    </Loaded>
  );
}

function PlaylistPages({ items, pages }: { items: readonly Playlist[]; pages: Pages }) {
  // A playlist edited while the pages loaded may appear twice: it moved to the top.
  const playlists = [...new Map(items.map((playlist) => [playlist.id, playlist])).values()];
  if (playlists.length === 0)
    return (
      <EmptyState
        title="No playlists yet"
        text="Create one here, or choose “Add to playlist…” from any mix’s menu."
      />
    );
  return (
    <>
      <PlaylistGrid playlists={playlists} />
      <ListEnd pages={pages} />
    </>
  );
}

function NewPlaylistButton() {
  const { buttonProps, render } = useNewPlaylist();
  const [, navigate] = useLocation();
  return (
    <>
      <Button {...buttonProps}>
        <Plus />
        New playlist
      </Button>
      {render({ onCreated: ({ id }) => navigate(`/playlist/${id}`) })}
    </>
  );
}

const gridClass =
  'grid grid-cols-2 gap-x-3.5 gap-y-7 @lg/content:grid-cols-3 @2xl/content:grid-cols-[repeat(auto-fill,minmax(188px,1fr))] @2xl/content:gap-x-5 @double/content:grid-cols-[repeat(auto-fill,minmax(240px,1fr))]';

function PlaylistGrid({ playlists }: { playlists: readonly Playlist[] }) {
  return (
    <ul aria-label="Your playlists" className={gridClass}>
      {playlists.map((playlist) => (
        <li key={playlist.id} className="min-w-0">
          <Link href={`/playlist/${playlist.id}`} className="group block">
            <Collage
              sleeves={playlist.sleeves}
              className="transition-transform duration-(--t-3) ease-out group-hover:-translate-y-1"
            />
            <strong className="mt-3 line-clamp-2 leading-tight font-semibold break-words">
              {playlist.name}
            </strong>
            <span className="mt-0.5 block type-meta">
              {formatCount(playlist.trackCount, 'mix', 'mixes')}
              {playlist.isShared && (
                <>
                  <Dot />
                  Shared
                </>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Deleted playlists can be restored for a week. */
function DeletedPlaylists() {
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
