import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AdminArtist } from '#contract/admin/artists.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { pagedQuery } from '#web/lib/api/api-query.ts';

/** `3 mixes`, and other names. */
export function describeArtist({ tracks, aliases }: AdminArtist): string {
  const count = tracks === 0 ? 'No mixes' : formatCount(tracks, 'mix', 'mixes');
  const names = aliases.map(({ name }) => name).join(', ');
  return names ? `${count}, also ${names}` : count;
}

function ArtistRow({ artist }: { artist: AdminArtist }) {
  const { id, name, pictureUrl } = artist;
  return (
    <li className="border-t border-line first:border-0">
      <Link
        href={`/admin/artists/${id}`}
        className="flex min-h-16 items-center gap-3.5 px-3 py-2 transition-colors hover:bg-raised @5xl/content:px-5"
      >
        <Avatar user={{ username: name, avatarUrl: pictureUrl }} />
        <span className="min-w-0">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block truncate text-13 text-text-2">{describeArtist(artist)}</span>
        </span>
      </Link>
    </li>
  );
}

export function ArtistList({ q }: { q: string }) {
  return (
    <PagedList
      label="Artists"
      query={useInfiniteQuery(
        pagedQuery('GET /api/admin/artists', { query: { limit: 50, ...(q && { q }) } }),
      )}
      failed="Couldn’t load artists."
      skeleton={<PanelRowsSkeleton rows={5} hasPicture />}
      empty={
        <EmptyState
          glyph="nothing"
          title={q ? 'No artists found' : 'No artists yet'}
          text={
            q
              ? 'No name matches.'
              : 'Artists appear here once a mix names them: choose “Add a guest DJ” when you edit a mix.'
          }
        />
      }
      renderItem={(artist) => <ArtistRow key={artist.id} artist={artist} />}
    />
  );
}
