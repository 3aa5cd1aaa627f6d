import { Play, Shuffle } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatHours } from '#contract/rules/duration.ts';
import type { Track } from '#contract/tracks.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { countMixes } from '#web/features/playlists/count-mixes.ts';
import { shuffle } from '#web/features/playlists/shuffle.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';

type PlaylistHeadProps = {
  /** `Playlist`, or whose it is. */
  kind: string;
  tracks: readonly Track[];
  /** The name and the description, or a form for them. */
  children: ReactNode;
  /** Behind play and shuffle. */
  actions?: ReactNode;
};

/** No colour of its own: a playlist belongs to no week, its sleeves do. */
export function PlaylistHead({ kind, tracks, children, actions }: PlaylistHeadProps) {
  const seconds = tracks.reduce((sum, track) => sum + track.duration, 0);
  const facts = [kind, countMixes(tracks.length), ...(seconds > 0 ? [formatHours(seconds)] : [])];
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

export function PlaylistWords({ name, description }: { name: string; description: string }) {
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
        <Play aria-hidden strokeWidth={1} className="fill-current" />
        Play
      </Button>
      <Button variant="line" disabled={isEmpty} onClick={() => player.playTracks(shuffle(tracks))}>
        <Shuffle aria-hidden strokeWidth={1.75} />
        Shuffle
      </Button>
    </>
  );
}
