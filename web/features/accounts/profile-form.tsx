import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProfileBody, type User } from '#contract/accounts.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Field } from '#web/ui/field.tsx';
import { AccountForm } from './account-form.tsx';
import { failureMessage, updateProfileMutation } from './api.ts';

export function ProfileForm({ user }: { user: User }) {
  const update = useMutation(updateProfileMutation(useQueryClient()));
  return (
    <AccountForm
      schema={ProfileBody}
      submitLabel="Save changes"
      onSubmit={async ({ username, email }) => {
        await update.mutateAsync({
          id: user.id,
          ...(username !== undefined && { username }),
          ...(email !== undefined && { email }),
        });
        showToast({ title: 'Profile saved' });
      }}
      describeFailure={(error) => failureMessage(error, 'Failed to update profile')}
    >
      {(errors) => (
        <>
          <Field
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={user.username}
            required
            error={errors.username}
          />
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={user.email}
            required
            error={errors.email}
          />
        </>
      )}
    </AccountForm>
  );
}
