import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { AvatarPicker } from './avatar-picker.tsx';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { ProfileForm } from './profile-form.tsx';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { SettingRow, SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

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
