import { formatCount } from '#web/lib/format.ts';
import { Play, Shuffle } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { formatHours } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { shuffle } from '#web/features/playlists/reorder.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';

type PlaylistHeadProps = {
  /** `Playlist`, or `Playlist by` its owner. */
  kind: string;
  tracks: readonly Track[];
  /** The title and description, or a form to edit them. */
  children: ReactNode;
  /** After Play and Shuffle. */
  actions?: ReactNode;
};

/** Has no colour of its own: only weeks have colours. */
export function PlaylistHead({ kind, tracks, children, actions }: PlaylistHeadProps) {
  const seconds = tracks.reduce((sum, track) => sum + track.duration, 0);
  const facts = [
    kind,
    formatCount(tracks.length, 'mix', 'mixes'),
    ...(seconds > 0 ? [formatHours(seconds)] : []),
  ];
  return (
    <header className="grid items-end gap-x-10 gap-y-5 px-gutter pt-5 md:grid-cols-[232px_minmax(0,1fr)] md:pt-9">
      <Collage sleeves={tracks.slice(0, 4)} className="max-md:w-[152px] md:self-start" />
      <div className="min-w-0">
        <p className="type-kicker">{facts.join(' · ')}</p>
        {children}
        <div className="mt-5 flex flex-wrap items-center gap-2">
          <PlayButtons tracks={tracks} />
          {actions}
        </div>
      </div>
    </header>
  );
}

export function PlaylistTitle({ name, description }: { name: string; description: string }) {
  return (
    <>
      <h1 className="mt-2.5 type-display text-[52px] break-words md:text-[72px]">{name}</h1>
      {description && (
        <p className="mt-3 max-w-[62ch] type-lead break-words whitespace-pre-line">{description}</p>
      )}
    </>
  );
}

function PlayButtons({ tracks }: { tracks: readonly Track[] }) {
  const player = usePlayer();
  const isEmpty = tracks.length === 0;
  return (
    <>
      <Button disabled={isEmpty} onClick={() => player.playTracks(tracks)}>
        <Play strokeWidth={1} className="fill-current" />
        Play
      </Button>
      <Button variant="line" disabled={isEmpty} onClick={() => player.playTracks(shuffle(tracks))}>
        <Shuffle />
        Shuffle
      </Button>
    </>
  );
}
