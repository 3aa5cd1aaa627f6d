import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from './api.ts';
import { SettingsForm } from './settings-form.tsx';
import { TestMail } from './test-mail.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingsSkeleton } from '#web/admin/admin-skeletons.tsx';

export function Page() {
  return (
    <AdminFrame title="Site settings" lead="Changes take effect immediately for everyone.">
      <Loaded
        query={useQuery(siteSettingsQuery)}
        failed="Couldn’t load settings."
        skeleton={<SettingsSkeleton />}
      >
        {(settings) => (
          <>
            <SettingsForm key={settings.version} settings={settings} />
            <TestMail mailFrom={settings.mailFrom} />
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}
