import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { ProfileBody, type User } from '#contract/accounts.ts';
import { describeRefusal } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import {
  CodeField,
  CurrentPasswordField,
  EmailField,
  UsernameField,
} from '#web/features/accounts/account-fields.tsx';
import { AccountForm } from '#web/features/accounts/account-form.tsx';
import { updateProfileMutation } from '#web/features/accounts/api.ts';
import { totpQuery } from '#web/features/accounts/settings-api.ts';

export function ProfileForm({ user }: { user: User }) {
  const update = useMutation(updateProfileMutation(useQueryClient()));
  const [typedEmail, setTypedEmail] = useState(user.email);
  const [saves, setSaves] = useState(0);
  const isNewEmail = typedEmail.trim().toLowerCase() !== user.email.toLowerCase();
  const { data: totp } = useQuery({ ...totpQuery, enabled: isNewEmail });
  return (
    <AccountForm
      schema={ProfileBody}
      submitLabel="Save changes"
      onSubmit={async ({ username, email, ...proof }) => {
        // Only the fields changed here: another tab may have changed the rest.
        const changes = {
          ...(username !== undefined && username !== user.username && { username }),
          ...(email !== undefined && email !== user.email && { email }),
        };
        if (Object.keys(changes).length > 0)
          await update.mutateAsync({ id: user.id, ...changes, ...(isNewEmail && proof) });
        showToast(
          isNewEmail
            ? { title: 'Check your e-mail', description: `Open the link we’ve sent to ${email}.` }
            : { title: 'Profile saved' },
        );
        // The address stays as it is until the link is opened, so the field shows it again.
        setTypedEmail(user.email);
        setSaves(saves + 1);
      }}
      failed={(error) => describeRefusal(error, 'Failed to update profile')}
    >
      {(errors) => (
        <Fragment key={saves}>
          <UsernameField defaultValue={user.username} error={errors.username} />
          <EmailField
            defaultValue={user.email}
            onChange={(event) => setTypedEmail(event.currentTarget.value)}
            error={errors.email}
          />
          {isNewEmail && (
            <>
              <CurrentPasswordField
                hint="A new e-mail address needs your password. We’ll send it a link to confirm it."
                error={errors.password}
              />
              {totp?.isOn && <CodeField error={errors.code} hint="Or enter a recovery code." />}
            </>
          )}
        </Fragment>
      )}
    </AccountForm>
  );
}
