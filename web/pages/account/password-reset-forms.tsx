import { useState } from 'react';
import { boot } from '#web/lib/store/boot.ts';
import { Notice } from '#web/ui/notice.tsx';
import { EmailField, NewPasswordField } from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { call } from '#web/lib/api/api.ts';

export function ForgotPasswordForm() {
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

async function loadNewPasswordRules() {
  const { ResetConfirmBody } = await import('#web/features/accounts/account-rules.ts');
  return ResetConfirmBody.pick({ password: true });
}

export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <AccountForm
      schema={loadNewPasswordRules}
      submitLabel="Set new password"
      onSubmit={async ({ password }) => {
        await call('POST /api/auth/reset-password/confirm', { body: { token, password } });
        onDone();
      }}
      failed="Couldn’t change your password."
    >
      {(errors) => (
        <NewPasswordField
          hint="8 to 128 characters. You’ll be logged out on every device."
          error={errors.password}
        />
      )}
    </AccountForm>
  );
}
