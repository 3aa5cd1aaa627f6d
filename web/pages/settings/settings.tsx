import { Link, useLocation } from 'wouter';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { EmailSettings } from './email-settings.tsx';
import { PrivacySettings } from './privacy-settings.tsx';
import { SecuritySettings } from './security/security-settings.tsx';
import { AppPasswordSettings } from './connections/app-password-settings.tsx';
import { NoticeSettings } from './notice-settings.tsx';
import { PlaybackSettings } from './playback-settings.tsx';
import { PodcastSettings } from './connections/podcast-settings.tsx';
import { ScrobblingSettings } from './connections/scrobbling-settings.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useStore } from '#web/lib/store/store.ts';
import { setTheme, themeStore, type Theme } from '#web/lib/store/theme.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { SettingRow, SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

const themes: { value: Theme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
];

export function Page() {
  const theme = useStore(themeStore);
  const { user } = useCurrentUser();
  const [, navigate] = useLocation();
  return (
    <>
      <PageHead
        title="Settings"
        lead={
          <>
            Changes save automatically. Your name, picture and{' '}
            <span className="whitespace-nowrap">e-mail</span> are on your{' '}
            <Link href="/profile" className="text-text underline underline-offset-4">
              profile
            </Link>
            .
          </>
        }
      />
      <SettingsColumns>
        <SettingsSection title="Appearance">
          <SettingRow label="Theme" hint="Applies to this device only.">
            <Segmented label="Theme" options={themes} value={theme} onValueChange={setTheme} />
          </SettingRow>
        </SettingsSection>
        <SettingsSection title="Playback">
          <PlaybackSettings />
        </SettingsSection>
        <SettingsSection title="Podcast app">
          <PodcastSettings />
        </SettingsSection>
        <SettingsSection title="Music apps">
          <AppPasswordSettings />
        </SettingsSection>
        <SettingsSection title="Scrobbling">
          <ScrobblingSettings />
        </SettingsSection>
        <SettingsSection title="Release notices">
          <NoticeSettings />
        </SettingsSection>
        <SettingsSection title="E-mail">
          {user && <EmailNotice user={user} className="mb-3" />}
          <EmailSettings />
        </SettingsSection>
        <SettingsSection title="Privacy">
          <PrivacySettings onLeave={() => navigate('/')} />
        </SettingsSection>
        <SettingsSection title="Security" anchor="security">
          <SecuritySettings />
        </SettingsSection>
      </SettingsColumns>
    </>
  );
}
