import { type ReactNode, useState } from 'react';
import { SkipBack, SkipForward, SlidersHorizontal, Moon } from '#web/ui/icons.ts';
import { CROSSFADE_CHOICES } from '#web/player/audio/crossfade.ts';
import { useStore } from '#web/lib/store/store.ts';
import type { DataSaverChoice } from '#web/player/session/data-saver.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { chooseDataSaver, DATA_SAVER_CHOICES, dataSaverChoice } from './data-saver-choice.ts';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import {
  Menu,
  MenuContent,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
  MenuItem,
} from '#web/ui/overlays/menu.tsx';
import type { SleepTimer } from '#web/player/machine/state.ts';
import { PlayToggle, VolumeControl } from './player-controls.tsx';

type ExpandedControlsProps = { favorite: ReactNode; clip: ReactNode };

/** In a narrow player these are two rows: playback controls, and settings. */
export function ExpandedControls({ favorite, clip }: ExpandedControlsProps) {
  const player = usePlayer();
  return (
    <div className="grid shrink-0 grid-cols-[auto_1fr_auto] items-center gap-y-2 pt-3 @3xl/expanded:grid-cols-[1fr_auto_1fr] @3xl/expanded:pt-[18px]">
      <div className="flex items-center gap-2.5 @max-3xl/expanded:contents">
        {favorite}
        <span className="@max-3xl/expanded:order-3 @max-3xl/expanded:justify-self-end">
          <SleepTimerMenu />
        </span>
        <span className="flex @max-3xl/expanded:order-5 @max-3xl/expanded:justify-self-end @3xl/expanded:gap-2.5">
          {clip}
          <PlaybackMenu />
        </span>
      </div>
      <div className="flex items-center justify-center gap-5 @max-3xl/expanded:order-2 @3xl/expanded:gap-2.5">
        <IconButton
          label="Previous"
          className="[&_svg]:fill-current"
          onClick={player.skipToPrevious}
        >
          <SkipBack />
        </IconButton>
        <PlayToggle size="xl" />
        <IconButton label="Next" className="[&_svg]:fill-current" onClick={player.skipToNext}>
          <SkipForward />
        </IconButton>
      </div>
      <VolumeControl className="@max-3xl/expanded:order-4 @max-3xl/expanded:col-span-2 @3xl/expanded:justify-self-end" />
    </div>
  );
}

function PlaybackMenu() {
  const player = usePlayer();
  const crossfade = usePlayerState((state) => state.crossfadeSeconds);
  const choice = useStore(dataSaverChoice);
  return (
    <Menu>
      <MenuTrigger aria-label="Playback settings" className={iconButtonClass()}>
        <SlidersHorizontal />
      </MenuTrigger>
      <MenuContent>
        <MenuLabel>Crossfade</MenuLabel>
        <MenuRadioGroup
          value={String(crossfade)}
          onValueChange={(seconds) => player.setCrossfade(Number(seconds))}
        >
          {CROSSFADE_CHOICES.map((seconds) => (
            <MenuRadioItem key={seconds} value={String(seconds)}>
              {seconds === 0 ? 'Off' : `${seconds} seconds`}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuLabel>Data saver, from the next mix</MenuLabel>
        <MenuRadioGroup
          value={choice}
          onValueChange={(next) => chooseDataSaver(player, next as DataSaverChoice)}
        >
          {DATA_SAVER_CHOICES.map(({ value, label }) => (
            <MenuRadioItem key={value} value={value}>
              {label}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

const MINUTES = [15, 30, 45, 60];

export function describeSleepTimer(timer: SleepTimer | null, now: number): string {
  if (!timer) return 'Sleep timer';
  if (timer.kind === 'end-of-track') return 'Stops at the end of this mix';
  const minutes = Math.max(1, Math.ceil((timer.endsAt - now) / 60_000));
  return `Stops in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

function SleepTimerMenu() {
  const player = usePlayer();
  const timer = usePlayerState((state) => state.sleepTimer);
  // The text is set when the menu opens: screen readers would announce a countdown again and again.
  const [openedAt, setOpenedAt] = useState(0);
  return (
    <Menu onOpenChange={(isOpen) => isOpen && setOpenedAt(Date.now())}>
      <MenuTrigger
        aria-label={timer ? 'Sleep timer (on)' : 'Sleep timer'}
        className={iconButtonClass({ className: timer ? 'text-week [&_svg]:fill-current' : '' })}
      >
        <Moon />
      </MenuTrigger>
      <MenuContent align="center">
        <MenuLabel>{describeSleepTimer(timer, openedAt)}</MenuLabel>
        {MINUTES.map((minutes) => (
          <MenuItem key={minutes} onSelect={() => player.setSleepTimer({ minutes })}>
            {minutes} minutes
          </MenuItem>
        ))}
        <MenuItem onSelect={() => player.setSleepTimer('end-of-track')}>End of this mix</MenuItem>
        {timer && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => player.setSleepTimer(null)}>Turn off</MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}
