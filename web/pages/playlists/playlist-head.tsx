import { formatCount } from '#web/lib/format/format.ts';
import { Play, Shuffle } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { formatHours } from '#contract/rules/format.ts';
import type { Track } from '#contract/tracks.ts';
import { playTracksFrom } from '#web/player/view/use-track-playback.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { usePlayer } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

type PlaylistHeadProps = {
  /** `Playlist`, or `Playlist by` its owner. */
  kind: string;
  name: string;
  tracks: readonly Track[];
  /** The title and description, or a form to edit them. */
  children: ReactNode;
  /** After Play and Shuffle. */
  actions?: ReactNode;
};

/** Has no colour of its own: only weeks have colours. */
export function PlaylistHead({ kind, name, tracks, children, actions }: PlaylistHeadProps) {
  const seconds = tracks.reduce((sum, track) => sum + track.duration, 0);
  const facts = [
    kind,
    formatCount(tracks.length, 'mix', 'mixes'),
    ...(seconds > 0 ? [formatHours(seconds)] : []),
  ];
  return (
    <header className="grid items-end gap-x-10 gap-y-5 px-gutter pt-5 @lg/content:pt-9 @2xl/content:grid-cols-[clamp(168px,19.5cqi,max(232px,13cqi))_minmax(0,1fr)]">
      <Collage
        sleeves={tracks.slice(0, 4)}
        className="@max-2xl/content:w-[152px] @2xl/content:self-start"
      />
      <div className="@container min-w-0">
        <p className="type-kicker">
          <Facts>{facts}</Facts>
        </p>
        {children}
        <div className="mt-5 flex flex-wrap items-center gap-2">
          <PlayButtons name={name} tracks={tracks} />
          {actions}
        </div>
      </div>
    </header>
  );
}

export function PlaylistTitle({ name, description }: { name: string; description: string }) {
  return (
    <>
      <h1
        style={fitTitle(name)}
        className="mt-2.5 type-display title-fit [--title-max:3.25rem] @lg/content:[--title-max:4.5rem]"
      >
        {name}
      </h1>
      {description && (
        <p className="mt-3 max-w-[62ch] type-lead break-words whitespace-pre-line">{description}</p>
      )}
    </>
  );
}

function PlayButtons({ name, tracks }: Pick<PlaylistHeadProps, 'name' | 'tracks'>) {
  const player = usePlayer();
  const isEmpty = tracks.length === 0;
  const play = (list: readonly Track[]) => playTracksFrom(player, { tracks: list, source: name });
  return (
    <>
      <Button disabled={isEmpty} onClick={() => play(tracks)}>
        <Play strokeWidth={1} className="fill-current" />
        Play
      </Button>
      <Button variant="line" disabled={isEmpty} onClick={() => play(shuffle(tracks))}>
        <Shuffle />
        Shuffle
      </Button>
    </>
  );
}

/** Every order is equally likely. */
export function shuffle<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[pick]] = [shuffled[pick] as T, shuffled[last] as T];
  }
  return shuffled;
}
