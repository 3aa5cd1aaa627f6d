import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProfileBody, type User } from '#contract/accounts.ts';
import { describeRefusal } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { EmailField, UsernameField } from './account-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { updateProfileMutation } from './api.ts';

export function ProfileForm({ user }: { user: User }) {
  const update = useMutation(updateProfileMutation(useQueryClient()));
  return (
    <AccountForm
      schema={ProfileBody}
      submitLabel="Save changes"
      onSubmit={async ({ username, email }) => {
        // Only the fields changed here: another tab may have changed the rest.
        const changes = {
          ...(username !== undefined && username !== user.username && { username }),
          ...(email !== undefined && email !== user.email && { email }),
        };
        if (Object.keys(changes).length > 0) await update.mutateAsync({ id: user.id, ...changes });
        showToast({ title: 'Profile saved' });
      }}
      failed={(error) => describeRefusal(error, 'Failed to update profile')}
    >
      {(errors) => (
        <>
          <UsernameField defaultValue={user.username} error={errors.username} />
          <EmailField defaultValue={user.email} error={errors.email} />
        </>
      )}
    </AccountForm>
  );
}
