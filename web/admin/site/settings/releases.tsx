import { useMutation, useQuery } from '@tanstack/react-query';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { changeBoot } from '#web/lib/store/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { siteSettingsQuery } from './api.ts';
import { MailEstimate } from './mail-estimate.tsx';
import { groupClass, SettingsPanel } from './settings-panel.tsx';

export function Page() {
  return (
    <AdminFrame
      title="Releases and mail"
      lead="When mixes come out, and how e-mails leave. Changes apply at once."
    >
      <SettingsPanel
        page="releases"
        onSaved={({ values }) => changeBoot({ hasClips: values.clipSeconds > 0 })}
        below={{ mailsPerHour: <MailEstimate /> }}
      />
      <TestMail />
    </AdminFrame>
  );
}

function TestMail() {
  const settings = useQuery(siteSettingsQuery).data;
  const send = useMutation({
    mutationFn: () => call('POST /api/admin/settings/test-mail'),
    retry: false,
  });
  if (!settings) return null;
  const { mailFrom } = settings;
  return (
    <section aria-labelledby="test-mail" className={groupClass}>
      <h2 id="test-mail" className="type-section">
        Mail server
      </h2>
      <div className="flex min-w-0 flex-col items-start gap-4">
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
