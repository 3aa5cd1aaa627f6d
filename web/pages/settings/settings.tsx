import { Link, useLocation } from 'wouter';
import { EmailNotice } from '#web/features/accounts/email-address.tsx';
import { PrivacySettings } from './privacy-settings.tsx';
import { SecuritySettings } from './security/security-settings.tsx';
import { AppPasswordSettings } from './connections/app-password-settings.tsx';
import { PlaybackSettings } from './playback-settings.tsx';
import { PodcastSettings } from './connections/podcast-settings.tsx';
import { ScrobblingSettings } from './connections/scrobbling-settings.tsx';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { useStore } from '#web/lib/store/store.ts';
import { setTheme, themeStore, type Theme } from '#web/lib/store/theme.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { SettingRow, SettingsColumns, SettingsSection } from '#web/ui/forms/settings.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { PreferenceSwitch } from './preference-switch.tsx';
import { useQuery } from '@tanstack/react-query';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { notificationsQuery } from '#web/features/notifications/api.ts';
import { useNotices } from '#web/features/notifications/use-notices.ts';

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

function EmailSettings() {
  return (
    <>
      <PreferenceSwitch
        name="releaseMails"
        label="New releases"
        hint="Get an e-mail when a new mix is out. You can unsubscribe from any of them."
      />
      <PreferenceSwitch
        name="newsMails"
        label="Product news"
        hint="Letters from us now and then, by e-mail: where we play, what’s coming, what changed."
      />
      <SettingRow>
        <Switch
          label="Payments and security"
          hint="Receipts, failed payments and account changes. Always on."
          checked
          disabled
          onCheckedChange={() => undefined}
        />
      </SettingRow>
    </>
  );
}

const HINTS = {
  yes: 'One notification on this device when a new mix is out. Nothing else, ever.',
  blocked: 'Your browser blocks notifications from this site. Allow them in its settings first.',
  no: 'This browser can’t show notifications. On an iPhone, add this site to your home screen first.',
};

function NoticeSettings() {
  const query = useQuery(notificationsQuery);
  const { data } = query;
  const { device, isChanging, set } = useNotices();
  // Logging out ends them on the server, and the browser can end them on its own.
  const isOn = Boolean(data?.isOn && device?.isSubscribed);
  if (query.isError && !data)
    return (
      <LoadFailure query={query} failed="Couldn’t load your release notices" className="mb-4" />
    );
  return (
    <SettingRow>
      <Switch
        label="New releases on this device"
        hint={HINTS[device?.support ?? 'yes']}
        checked={isOn}
        disabled={!data || device?.support !== 'yes' || isChanging}
        onCheckedChange={set}
      />
    </SettingRow>
  );
}
