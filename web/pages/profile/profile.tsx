import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { ProfileForm } from './profile-form.tsx';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { LinkButton, Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow, SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeEvent } from 'react';
import { AVATAR_MAX_BYTES, type User } from '#contract/accounts.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { replaceAvatarMutation } from '#web/features/accounts/api.ts';

export function Page() {
  const { user } = useCurrentUser();
  if (!user) return null;
  const isPremium = hasFullAccess(user);
  return (
    <>
      <PageHead title="Profile" lead="Your name, picture and e-mail address." />
      <SettingsColumns>
        <SettingsSection title="Avatar">
          <SettingRow>
            <AvatarPicker user={user} />
          </SettingRow>
        </SettingsSection>
        <SettingsSection title="Name and e-mail">
          <SettingRow>
            <div className="flex max-w-[420px] flex-col gap-5 py-2">
              <EmailNotice user={user} />
              <ProfileForm key={user.id} user={user} />
            </div>
          </SettingRow>
        </SettingsSection>
        <SettingsSection title="Your account">
          <SettingRow
            label={isPremium ? 'Premium' : 'Free'}
            hint={isPremium ? 'Full access to all content' : `You’re hearing ${PREVIEW_TEXT}s.`}
          >
            <LinkButton href="/subscription" variant="line">
              Subscription
            </LinkButton>
          </SettingRow>
          <SettingRow label="Password, devices and privacy" hint="Manage these in Settings.">
            <LinkButton href="/settings" variant="line">
              Settings
            </LinkButton>
          </SettingRow>
        </SettingsSection>
      </SettingsColumns>
    </>
  );
}

const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

function AvatarPicker({ user }: { user: User }) {
  const replace = useMutation({
    ...replaceAvatarMutation(useQueryClient()),
    onError: (error) => showError(describeFailure(error, 'Couldn’t save the picture.')),
  });

  function pick(event: ChangeEvent<HTMLInputElement>) {
    const image = event.target.files?.[0];
    event.target.value = '';
    if (!image) return;
    if (image.size > AVATAR_MAX_BYTES) showError('Choose a picture under 5 MB.');
    else replace.mutate({ id: user.id, image });
  }

  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar user={user} className="size-24 text-28" />
      <label
        className={buttonClass({
          variant: 'line',
          className: 'has-focus-visible:outline-2 has-focus-visible:outline-focus',
        })}
      >
        {replace.isPending ? 'Saving…' : 'Choose a picture'}
        <input
          type="file"
          accept={ACCEPT}
          className="sr-only"
          disabled={replace.isPending}
          onChange={pick}
        />
      </label>
      {user.avatarUrl && (
        <Button variant="quiet" onClick={() => replace.mutate({ id: user.id, image: null })}>
          Remove picture
        </Button>
      )}
    </div>
  );
}

const showError = (description: string) =>
  showToast({ title: 'Error', description, variant: 'destructive' });
