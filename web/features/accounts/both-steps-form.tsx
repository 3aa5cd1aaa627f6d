import type { ComponentProps } from 'react';
import { BothStepsBody } from '#contract/security.ts';
import { PasswordField } from '#web/ui/forms/field.tsx';
import { AccountForm } from './account-form.tsx';
import { CodeField } from './code-field.tsx';

type BothStepsFormProps = Omit<
  ComponentProps<typeof AccountForm<typeof BothStepsBody>>,
  'schema' | 'children'
>;

/** Asks again for everything a login asks for. */
export const BothStepsForm = (props: BothStepsFormProps) => (
  <AccountForm {...props} schema={BothStepsBody}>
    {(errors) => (
      <>
        <PasswordField
          label="Current password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        <CodeField error={errors.code} hint="Or one of the recovery codes you kept." />
      </>
    )}
  </AccountForm>
);
