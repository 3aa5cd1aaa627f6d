import { useQuery, useMutation } from '@tanstack/react-query';
import { siteSettingsQuery } from './api.ts';
import { SettingsForm } from './settings-form.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';

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

function TestMail({ mailFrom }: { mailFrom: string | null }) {
  const send = useMutation({
    mutationFn: () => call('POST /api/admin/settings/test-mail'),
    retry: false,
  });
  return (
    <section
      aria-labelledby="mail"
      className="grid *:min-w-0 gap-x-10 gap-y-4 border-t border-line pt-9 @3xl/content:grid-cols-[200px_minmax(0,520px)]"
    >
      <h2 id="mail" className="type-section">
        E-mail
      </h2>
      <div className="flex flex-col items-start gap-4">
        <p className="text-text-2">
          {mailFrom === null
            ? 'No mail server configured. E-mails go to the outbox instead.'
            : `E-mails are sent from ${mailFrom}.`}
        </p>
        <Button
          variant="line"
          className="h-auto max-w-full whitespace-normal"
          disabled={send.isPending}
          onClick={() => send.mutate()}
        >
          Send a test message
        </Button>
        {send.data && (
          <Notice
            tone="success"
            title={
              send.data.isSent
                ? `Test message sent to ${send.data.to}.`
                : `Test message to ${send.data.to} is in the outbox.`
            }
          />
        )}
        {send.error && (
          <Notice tone="danger" title={describeFailure(send.error, 'Couldn’t send the message.')} />
        )}
      </div>
    </section>
  );
}
