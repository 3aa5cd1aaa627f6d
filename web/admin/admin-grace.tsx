import type { User } from '#contract/accounts.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

const toSettings = (
  <LinkButton href="/settings#security" variant="line" size="sm">
    Open security settings
  </LinkButton>
);

type Grace = NonNullable<User['adminGrace']>;

/** To an administrator who has logged in with only a password for a week. */
export function AdminClosed({ grace }: { grace: Grace }) {
  const day = formatDate(grace.until);
  return (
    <>
      <PageHead title="Admin Dashboard" />
      <div className="px-gutter pt-6">
        <Notice
          tone="warning"
          title={
            grace.hasPasskey
              ? 'Log in with your passkey to continue'
              : 'Set up two-step login or a passkey to continue'
          }
          actions={toSettings}
        >
          Administrators need more than a password.{' '}
          {grace.hasPasskey
            ? 'Log out, and log in with your passkey; or set up two-step login in your settings.'
            : `The admin pages have been closed for you since ${day}, and open again as soon as you have set one of them up.`}
        </Notice>
      </div>
    </>
  );
}

/** Until then. */
export function GraceNotice({ grace }: { grace: Grace }) {
  const day = formatDate(grace.until);
  const title = grace.hasPasskey
    ? `Log in with your passkey from ${day} on`
    : `Set up two-step login or a passkey by ${day}`;
  return (
    <div className="px-gutter pt-6 print:hidden">
      <Notice tone="warning" title={title} actions={toSettings}>
        Administrators need more than a password. After that day, the admin pages stay closed for
        you{' '}
        {grace.hasPasskey
          ? 'when you log in with the password alone.'
          : 'until you have set one of them up.'}
      </Notice>
    </div>
  );
}
