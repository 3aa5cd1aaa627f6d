import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ResetRequestBody } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AccountForm } from './account-form.tsx';
import { requestResetMutation } from './api.ts';

export function ForgotPasswordForm() {
  const request = useMutation(requestResetMutation);
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo) {
    return (
      <Notice tone="success" title="Check your e-mail">
        If {sentTo} has an account, a link to choose a new password is on its way. It works once,
        for 60 minutes.
        {boot.demo && ' In demo mode it waits in the outbox on the Admin Dashboard.'}
      </Notice>
    );
  }
  return (
    <AccountForm
      schema={ResetRequestBody}
      submitLabel="Send reset link"
      onSubmit={async (body) => {
        await request.mutateAsync(body);
        setSentTo(body.email);
      }}
      describeFailure={(error) => describeFailure(error, 'The link could not be requested.')}
    >
      {(errors) => (
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          required
          error={errors.email}
        />
      )}
    </AccountForm>
  );
}
