import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from '#web/features/settings/api.ts';
import { SettingsForm } from '#web/features/settings/settings-form.tsx';
import { TestMail } from '#web/features/settings/test-mail.tsx';
import { describeFailure } from '#web/lib/api.ts';
import { RetryNotice } from '#web/ui/notice.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { SettingsSkeleton } from './admin-skeletons.tsx';

export function Page() {
  const { data, error, refetch } = useQuery(siteSettingsQuery);
  return (
    <AdminFrame title="Site settings" lead="Changes take effect immediately for everyone.">
      {error && !data && (
        <RetryNotice
          title={describeFailure(error, 'Couldn’t load settings.')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <SettingsSkeleton />}
      {data && <SettingsForm key={data.version} settings={data} />}
      {data && <TestMail mailFrom={data.mailFrom} />}
    </AdminFrame>
  );
}
