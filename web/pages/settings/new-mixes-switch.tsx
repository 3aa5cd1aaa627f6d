import { useEffect, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import type { DeviceNavigator } from '#contract/rules/connection.ts';
import {
  findNewMixSupport,
  saveNewMixes,
  useSavedFiles,
  type NewMixSupport,
} from '#web/features/downloads/offline-store.ts';
import { useBrowserFact } from '#web/lib/store/use-browser-fact.ts';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';

const OPEN = 'This browser does it when you open the site';
const APP = 'with the site installed as an app, in the background too';

/** Phones say what they’re connected with. Computers don’t, and save on every line: `findMetering`. */
export function describeSupport(support: NewMixSupport, saysLine: boolean): string {
  const onWifi = saysLine ? ' on Wi-Fi' : '';
  const never = saysLine
    ? 'Never on mobile data, and not when the device is short of space.'
    : 'It takes a phone’s hotspot for Wi-Fi. It saves nothing when the device is short of space.';
  const hints: Record<NewMixSupport, string> = {
    background: `This browser does it in the background, also while the site is closed. ${never}`,
    installed: `${OPEN}${onWifi}; ${APP}. ${never}`,
    page: `${OPEN}${onWifi}. ${never}`,
    'unknown-line':
      'This browser doesn’t say whether it’s on Wi-Fi, so it can’t wait for it. Save mixes one by one, on their pages.',
    none: 'This browser can’t save mixes.',
  };
  return hints[support];
}

const readLine = () => (navigator as DeviceNavigator).connection?.type;

/** For subscribers: this week’s mix, and each new one, without asking. */
export function NewMixesSwitch({ user }: { user: User }) {
  const { savesNewMixes } = useSavedFiles(user.id);
  const [support, setSupport] = useState<NewMixSupport | null>(null);
  const saysLine = useBrowserFact(() => readLine() !== undefined, true);
  useEffect(() => {
    findNewMixSupport().then(setSupport, () => setSupport('page'));
  }, []);
  const isPossible = support !== null && support !== 'none' && support !== 'unknown-line';
  return (
    <SettingRow>
      <Switch
        label="Save new mixes when I’m on Wi-Fi"
        hint={
          <span className="block min-h-[3lh] @2xl/content:min-h-[2lh]">
            {describeSupport(support ?? 'page', saysLine)}
          </span>
        }
        checked={savesNewMixes === true}
        disabled={!isPossible || savesNewMixes === null}
        onCheckedChange={(isOn) => void saveNewMixes(user.id, isOn)}
      />
    </SettingRow>
  );
}
