import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from '#web/features/settings/api.ts';
import { SettingsForm } from '#web/features/settings/settings-form.tsx';
import { TestMail } from '#web/features/settings/test-mail.tsx';
import { describeFailure } from '#web/lib/api.ts';
import { Notice } from '#web/ui/notice.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function Page() {
  const { data, error } = useQuery(siteSettingsQuery);
  return (
    <AdminFrame title="Site settings" lead="Changes take effect immediately for everyone.">
      {error && !data && (
        <Notice tone="danger" title={describeFailure(error, 'Couldn’t load settings.')} />
      )}
      {!data && !error && <RowsSkeleton />}
      {data && <SettingsForm key={data.version} settings={data} />}
      {data && <TestMail mailFrom={data.mailFrom} />}
    </AdminFrame>
  );
}
