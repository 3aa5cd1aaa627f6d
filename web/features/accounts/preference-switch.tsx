import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Preferences } from '#contract/preferences.ts';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { changePreferencesMutation, preferencesQuery } from './settings-api.ts';

type PreferenceSwitchProps = { name: keyof Preferences; label: string; hint?: ReactNode };

export function PreferenceSwitch({ name, label, hint }: PreferenceSwitchProps) {
  const { data } = useQuery(preferencesQuery);
  const change = useMutation(changePreferencesMutation(useQueryClient()));
  return (
    <SettingRow>
      <Switch
        label={label}
        hint={hint}
        checked={data?.[name] ?? false}
        disabled={!data}
        onCheckedChange={(checked) => change.mutate({ [name]: checked })}
      />
    </SettingRow>
  );
}
