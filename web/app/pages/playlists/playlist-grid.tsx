import { Link } from 'wouter';
import type { Playlist } from '#contract/playlists.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { countMixes } from '#web/features/playlists/count-mixes.ts';

export function PlaylistGrid({ playlists }: { playlists: readonly Playlist[] }) {
  return (
    <ul
      aria-label="Your playlists"
      className="grid grid-cols-2 gap-x-3.5 gap-y-7 md:grid-cols-[repeat(auto-fill,minmax(188px,1fr))] md:gap-x-5"
    >
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
              {countMixes(playlist.trackCount)}
              {playlist.isShared && ' · Shared'}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
