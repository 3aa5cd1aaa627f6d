import { useQuery } from '@tanstack/react-query';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { notificationsQuery } from '#web/features/notifications/api.ts';
import { useNotices } from '#web/features/notifications/use-notices.ts';

const HINTS = {
  yes: 'One notification on this device when a new mix is out. Nothing else, ever.',
  blocked: 'Your browser blocks notifications from this site. Allow them in its settings first.',
  no: 'This browser can’t show notifications. On an iPhone, add this site to your home screen first.',
};

export function NoticeSettings() {
  const query = useQuery(notificationsQuery);
  const { data } = query;
  const { device, isChanging, set } = useNotices();
  // Logging out ends them on the server, and the browser can end them on its own.
  const isOn = Boolean(data?.isOn && device?.isSubscribed);
  if (query.isError && !data)
    return (
      <LoadFailure query={query} failed="Couldn’t load your release notices" className="mb-4" />
    );
  return (
    <SettingRow>
      <Switch
        label="New releases on this device"
        hint={HINTS[device?.support ?? 'yes']}
        checked={isOn}
        disabled={!data || device?.support !== 'yes' || isChanging}
        onCheckedChange={set}
      />
    </SettingRow>
  );
}
