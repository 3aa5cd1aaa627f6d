import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { boot } from '#web/lib/boot.ts';
import { showErrorToast, showToast } from '#web/lib/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { cancelEmailChangeMutation, resendEmailLinkMutation } from './api.ts';

/** Reminds the user of the link in their mailbox, as long as they haven't opened it. */
export function EmailNotice({ user, className }: { user: User; className?: string }) {
  const client = useQueryClient();
  const resend = useMutation(resendEmailLinkMutation);
  const cancel = useMutation(cancelEmailChangeMutation(client));
  const { email, unconfirmedEmail } = user;
  if (!unconfirmedEmail) return null;
  const isChange = unconfirmedEmail !== email;
  const sendAgain = () =>
    resend.mutate(undefined, {
      onSuccess: () => showToast({ title: 'Link sent', description: `Check ${unconfirmedEmail}.` }),
      onError: (error) => showErrorToast(error, 'Couldn’t send the link. Please try again.'),
    });
  const keepAddress = () =>
    cancel.mutate(undefined, {
      onError: (error) => showErrorToast(error, 'Couldn’t cancel the change. Please try again.'),
    });
  return (
    <Notice
      tone="warning"
      title={isChange ? 'Confirm your new e-mail address' : 'Confirm your e-mail address'}
      {...(className && { className })}
      actions={
        <>
          <Button variant="line" size="sm" aria-disabled={resend.isPending} onClick={sendAgain}>
            Send the link again
          </Button>
          {isChange && (
            <Button
              variant="quiet"
              size="sm"
              aria-disabled={cancel.isPending}
              onClick={keepAddress}
            >
              Keep the old address
            </Button>
          )}
        </>
      }
    >
      <p className="wrap-anywhere">
        Open the link we’ve sent to {unconfirmedEmail}.{' '}
        {isChange
          ? `Until then, your address is still ${email}.`
          : 'Until then, receipts and e-mails about new mixes wait.'}
        {boot.demo && ' In demo mode you’ll find it in the outbox on the Admin Dashboard.'}
      </p>
    </Notice>
  );
}
