import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { call } from '#web/lib/api/api.ts';
import { formatShortDate } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { refreshSubscriber } from './api.ts';

const HOW = {
  server: 'The mail server refused it',
  bounce: 'An e-mail came back',
  webhook: 'The mail provider reported it',
};

/** Whether our e-mails reach the member; nothing as long as they do. */
export function MailState({ page: { mail, subscriber } }: { page: SubscriberPage }) {
  const { stopped, reports } = mail;
  return (
    <>
      {stopped && (
        <Notice
          tone="warning"
          title={`E-mails stopped on ${formatShortDate(stopped.at)}: they don’t arrive`}
          actions={<SendAgain {...subscriber} />}
        >
          <p className="wrap-anywhere">
            {HOW[stopped.source]}: {stopped.reason}
          </p>
          <p>They start again when the member opens a confirmation link at this address.</p>
        </Notice>
      )}
      {reports.map(({ kind, reason, at }) => (
        <Notice
          key={kind}
          tone="warning"
          title={
            kind === 'complaint'
              ? `Called an e-mail spam on ${formatShortDate(at)}`
              : `An e-mail didn’t arrive on ${formatShortDate(at)}`
          }
        >
          <p className="wrap-anywhere">
            {kind === 'complaint'
              ? 'E-mails about new mixes and news are off; receipts still go out.'
              : `${reason}. The next ones are sent as usual.`}
          </p>
        </Notice>
      ))}
    </>
  );
}

function SendAgain({ id, username }: { id: string; username: string }) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => call('DELETE /api/admin/subscribers/:id/refused-mail', { params: { id } }),
    onSuccess: async () => {
      await refreshSubscriber(client);
      showToast({ title: `E-mails go to ${username} again` });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t start e-mails again.'),
  });
  return (
    <Button variant="line" size="sm" disabled={send.isPending} onClick={() => send.mutate()}>
      Send e-mails again
    </Button>
  );
}
