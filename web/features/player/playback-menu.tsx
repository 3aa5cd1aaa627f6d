import { SlidersHorizontal } from '#web/ui/icons.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
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
import { CROSSFADES } from './crossfade-choices.ts';

export function PlaybackMenu() {
  const player = usePlayer();
  const crossfade = usePlayerState((state) => state.crossfadeSeconds);
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  return (
    <Menu>
      <MenuTrigger aria-label="Playback settings" className={iconButtonClass()}>
        <SlidersHorizontal aria-hidden strokeWidth={1.75} />
      </MenuTrigger>
      <MenuContent>
        <MenuLabel>Crossfade between full tracks</MenuLabel>
        <MenuRadioGroup
          value={String(crossfade)}
          onValueChange={(seconds) => player.setCrossfade(Number(seconds))}
        >
          {CROSSFADES.map((seconds) => (
            <MenuRadioItem key={seconds} value={String(seconds)}>
              {seconds === 0 ? 'Off' : `${seconds} seconds`}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuCheckboxItem checked={isDataSaver} onCheckedChange={player.setDataSaver}>
          Data saver, from the next track
        </MenuCheckboxItem>
      </MenuContent>
    </Menu>
  );
}
