import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import {
  cancelEmailChangeMutation,
  confirmEmailMutation,
  resendEmailLinkMutation,
  undoEmailChangeMutation,
} from './api.ts';

/** For the address that the user still has to confirm, or should confirm again. */
export function SendLinkAgain({
  email,
  size = 'md',
  label = 'Send the link again',
}: {
  email: string;
  size?: 'sm' | 'md';
  label?: string;
}) {
  const resend = useMutation(resendEmailLinkMutation);
  const sendAgain = () =>
    resend.mutate(undefined, {
      onSuccess: () => showToast({ title: 'Link sent', description: `Check ${email}.` }),
      onError: (error) => showErrorToast(error, 'Couldn’t send the link. Please try again.'),
    });
  return (
    <Button variant="line" size={size} aria-disabled={resend.isPending} onClick={sendAgain}>
      {label}
    </Button>
  );
}

/** Reminds the user of the link in their mailbox until they open it, or says that no mail arrives. */
export function EmailNotice({ user, className }: { user: User; className?: string }) {
  const client = useQueryClient();
  const cancel = useMutation(cancelEmailChangeMutation(client));
  const { email, unconfirmedEmail, isEmailRefused } = user;
  if (!unconfirmedEmail && isEmailRefused)
    return (
      <Notice
        tone="warning"
        title="Our e-mails don’t reach you"
        {...(className && { className })}
        actions={<SendLinkAgain email={email} size="sm" label="Send a link" />}
      >
        <p className="wrap-anywhere">
          They come back from {email}, so we’ve stopped sending them, receipts too. If the address
          is right, open the link in a new e-mail; if not, change it in your profile.
        </p>
      </Notice>
    );
  if (!unconfirmedEmail) return null;
  const isChange = unconfirmedEmail !== email;
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
          <SendLinkAgain email={unconfirmedEmail} size="sm" />
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

/** A button, because mail programs open links on their own. */
export function ConfirmEmail({ token }: { token: string }) {
  const confirm = useMutation(confirmEmailMutation(useQueryClient()));
  if (confirm.data)
    return (
      <>
        <Notice tone="success" title="Thank you">
          <span className="wrap-anywhere">{confirm.data.email}</span> is confirmed.
        </Notice>
        <LinkButton href="/" size="lg" isBlock>
          Continue
        </LinkButton>
      </>
    );
  return (
    <>
      {confirm.error && (
        <Notice
          tone="danger"
          title={describeFailure(confirm.error, 'Couldn’t confirm the address. Please try again.')}
        />
      )}
      <Button
        size="lg"
        isBlock
        aria-disabled={confirm.isPending}
        onClick={() => !confirm.isPending && confirm.mutate(token)}
      >
        Confirm my e-mail address
      </Button>
    </>
  );
}

type UndoEmailChangeProps = { token: string; onDone: (resetToken: string) => void };

export function UndoEmailChange({ token, onDone }: UndoEmailChangeProps) {
  const undo = useMutation(undoEmailChangeMutation(useQueryClient(), onDone));
  return (
    <>
      {undo.error && (
        <Notice
          tone="danger"
          title={describeFailure(undo.error, 'Couldn’t undo the change. Please try again.')}
        />
      )}
      <Button
        size="lg"
        isBlock
        aria-disabled={undo.isPending}
        onClick={() => !undo.isPending && undo.mutate(token)}
      >
        Take my account back
      </Button>
    </>
  );
}
