import { SkipBack, SkipForward } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { usePlayer } from '#web/player/use-player.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PlayToggle } from './play-toggle.tsx';
import { PlaybackMenu } from './playback-menu.tsx';
import { SleepTimerMenu } from './sleep-timer-menu.tsx';
import { VolumeControl } from './volume-control.tsx';

/** Two rows on a phone: what moves the music, and what is set once. */
export function ExpandedControls({ favorite }: { favorite: ReactNode }) {
  const player = usePlayer();
  return (
    <div className="grid shrink-0 grid-cols-[auto_1fr_auto] items-center gap-y-2 pt-3 md:grid-cols-[1fr_auto_1fr] md:pt-[18px]">
      <div className="flex items-center gap-2.5 max-md:contents">
        {favorite}
        <span className="max-md:order-3 max-md:justify-self-end">
          <SleepTimerMenu />
        </span>
        <span className="max-md:order-5 max-md:justify-self-end">
          <PlaybackMenu />
        </span>
      </div>
      <div className="flex items-center justify-center gap-5 max-md:order-2 md:gap-2.5">
        <IconButton
          label="Previous"
          className="[&_svg]:fill-current"
          onClick={player.skipToPrevious}
        >
          <SkipBack aria-hidden strokeWidth={1.75} />
        </IconButton>
        <PlayToggle size="xl" />
        <IconButton label="Next" className="[&_svg]:fill-current" onClick={player.skipToNext}>
          <SkipForward aria-hidden strokeWidth={1.75} />
        </IconButton>
      </div>
      <VolumeControl className="max-md:order-4 max-md:col-span-2 md:justify-self-end" />
    </div>
  );
}
