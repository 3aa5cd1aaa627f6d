import { SkipBack, SkipForward, SlidersHorizontal } from '#web/ui/icons.ts';
import type { ReactNode } from 'react';
import { CROSSFADE_CHOICES } from '#web/player/crossfade.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import {
  Menu,
  MenuCheckboxItem,
  MenuContent,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '#web/ui/overlays/menu.tsx';
import { SleepTimerMenu } from './sleep-timer-menu.tsx';
import { PlayToggle, VolumeControl } from './player-controls.tsx';

/** On a phone these are two rows: playback controls, and settings. */
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
          <SkipBack />
        </IconButton>
        <PlayToggle size="xl" />
        <IconButton label="Next" className="[&_svg]:fill-current" onClick={player.skipToNext}>
          <SkipForward />
        </IconButton>
      </div>
      <VolumeControl className="max-md:order-4 max-md:col-span-2 md:justify-self-end" />
    </div>
  );
}

function PlaybackMenu() {
  const player = usePlayer();
  const crossfade = usePlayerState((state) => state.crossfadeSeconds);
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
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
        <MenuCheckboxItem checked={isDataSaver} onCheckedChange={player.setDataSaver}>
          Data saver (from the next mix)
        </MenuCheckboxItem>
      </MenuContent>
    </Menu>
  );
}
