import { CROSSFADE_CHOICES } from '#web/player/audio/crossfade.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { VolumeControl } from '#web/player/view/player-controls.tsx';

const qualities = [
  { value: 'best', label: 'Best' },
  { value: 'dataSaver', label: 'Data saver' },
] as const;

const crossfades = CROSSFADE_CHOICES.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'Off' : `${seconds} s`,
}));

/** The player's own settings: a change here shows in the player, and the other way round. */
export function PlaybackSettings() {
  const player = usePlayer();
  const crossfade = usePlayerState((state) => state.crossfadeSeconds);
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  return (
    <>
      <SettingRow
        label="Audio quality"
        hint="Data saver uses about a third of the data. Starts with the next mix, on this device."
      >
        <Segmented
          label="Audio quality"
          options={qualities}
          value={isDataSaver ? 'dataSaver' : 'best'}
          onValueChange={(quality) => player.setDataSaver(quality === 'dataSaver')}
        />
      </SettingRow>
      <SettingRow label="Volume" hint="Applies to this device only.">
        <VolumeControl className="w-48" />
      </SettingRow>
      <SettingRow label="Crossfade" hint="Blend the end of one mix into the next.">
        <Segmented
          label="Crossfade"
          options={crossfades}
          value={String(crossfade)}
          onValueChange={(seconds) => player.setCrossfade(Number(seconds))}
        />
      </SettingRow>
    </>
  );
}
