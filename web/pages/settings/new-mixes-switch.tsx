import { useEffect, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import {
  findNewMixSupport,
  saveNewMixes,
  useSavedFiles,
  type NewMixSupport,
} from '#web/features/downloads/offline-store.ts';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';

const NEVER = 'Never on mobile data, and not when the device is short of space.';

const HINTS: Record<NewMixSupport, string> = {
  background: `This browser does it in the background, also while the site is closed. ${NEVER}`,
  installed: `This browser does it when you open the site on Wi-Fi; with the site installed as an app, in the background too. ${NEVER}`,
  page: `This browser does it when you open the site on Wi-Fi. ${NEVER}`,
  'unknown-line':
    'This browser doesn’t say whether it’s on Wi-Fi, so it can’t wait for it. Save mixes one by one, on their pages.',
  none: 'This browser can’t save mixes.',
};

/** For subscribers: this week’s mix, and each new one, without asking. */
export function NewMixesSwitch({ user }: { user: User }) {
  const { savesNewMixes } = useSavedFiles(user.id);
  const [support, setSupport] = useState<NewMixSupport | null>(null);
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
            {HINTS[support ?? 'page']}
          </span>
        }
        checked={savesNewMixes === true}
        disabled={!isPossible || savesNewMixes === null}
        onCheckedChange={(isOn) => void saveNewMixes(user.id, isOn)}
      />
    </SettingRow>
  );
}
