import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Preferences } from '#contract/preferences.ts';
import { Button } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import {
  changePreferencesMutation,
  preferencesQuery,
} from '#web/features/accounts/settings-api.ts';

type PreferenceSwitchProps = { name: keyof Preferences; label: string; hint?: ReactNode };

export function PreferenceSwitch({ name, label, hint }: PreferenceSwitchProps) {
  const { data, isError, refetch } = useQuery(preferencesQuery);
  const change = useMutation(changePreferencesMutation(useQueryClient()));
  // A switch that is off would say more than we know.
  if (isError && !data)
    return (
      <SettingRow label={label} hint="Couldn’t load this setting.">
        <Button variant="line" onClick={() => void refetch()}>
          Try again
        </Button>
      </SettingRow>
    );
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
