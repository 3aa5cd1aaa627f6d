import { Link } from 'wouter';
import { withNext } from '#web/lib/location/next-path.ts';
import { useNext } from '#web/lib/location/use-next.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useState } from 'react';
import { boot } from '#web/lib/store/boot.ts';
import { Notice } from '#web/ui/notice.tsx';
import { EmailField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { call } from '#web/lib/api/api.ts';

export function Page() {
  const next = useNext();
  return (
    <AuthLayout
      title="Forgot password"
      lead="Enter your e-mail and we’ll send you a link to set a new password."
    >
      <ForgotPasswordForm />
      <Link
        href={withNext('/login', next)}
        className="self-start text-text underline underline-offset-4"
      >
        Back to login
      </Link>
    </AuthLayout>
  );
}

function ForgotPasswordForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo) {
    return (
      <Notice tone="success" title="Check your e-mail">
        If there’s an account for {sentTo}, a reset link is on its way. It works once and expires in
        60 minutes.
        {boot.demo && ' In demo mode you’ll find it in the outbox on the Admin Dashboard.'}
      </Notice>
    );
  }
  return (
    <AccountForm
      schema={async () =>
        (await import('#web/features/accounts/account-rules.ts')).ResetRequestBody
      }
      submitLabel="Send reset link"
      onSubmit={async (body) => {
        await call('POST /api/auth/reset-password/request', { body });
        setSentTo(body.email);
      }}
      failed="Couldn’t request the link."
    >
      {(errors) => <EmailField error={errors.email} />}
    </AccountForm>
  );
}
