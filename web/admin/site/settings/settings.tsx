import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from './api.ts';
import { SettingsForm } from './settings-form.tsx';
import { TestMail } from './test-mail.tsx';
import { describeFailure } from '#web/lib/api/api.ts';
import { RetryNotice } from '#web/ui/notice.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsSkeleton } from '#web/admin/admin-skeletons.tsx';

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
