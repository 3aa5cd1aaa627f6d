import { bytesPerHour, describeData } from '#contract/rules/data-use.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useStore } from '#web/lib/store/store.ts';
import { CROSSFADE_CHOICES } from '#web/player/audio/crossfade.ts';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import {
  chooseDataSaver,
  DATA_SAVER_CHOICES,
  dataSaverChoice,
} from '#web/player/view/data-saver-choice.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { VolumeControl } from '#web/player/view/player-controls.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { BrowserLimits } from './browser-limits.tsx';
import { DataUseRow } from './data-use.tsx';
import { NewMixesSwitch } from './new-mixes-switch.tsx';

const anHour = (file: 'stream' | 'dataSaver'): string =>
  describeData(bytesPerHour(file), boot.dataPrice);

const crossfades = CROSSFADE_CHOICES.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'Off' : `${seconds} s`,
}));

/** The player's own settings: a change here shows in the player, and the other way round. */
export function PlaybackSettings() {
  const player = usePlayer();
  const { user } = useCurrentUser();
  const crossfade = usePlayerState((state) => state.crossfadeSeconds);
  const choice = useStore(dataSaverChoice);
  return (
    <>
      <SettingRow
        label="Data saver"
        hint={
          <>
            An hour uses {anHour('dataSaver')}; in best quality {anHour('stream')}. Automatic saves
            data on mobile data and slow connections, and when your browser asks for it. Safari and
            Firefox don’t say what you’re connected with: there, choose Always while on mobile data.
            A change applies from the next mix, on this device only.
          </>
        }
      >
        <Segmented
          label="Data saver"
          options={DATA_SAVER_CHOICES}
          value={choice}
          onValueChange={(next) => chooseDataSaver(player, next)}
        />
      </SettingRow>
      {user && user.offlineUntil !== null && <NewMixesSwitch user={user} />}
      <DataUseRow />
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
      <BrowserLimits />
    </>
  );
}
