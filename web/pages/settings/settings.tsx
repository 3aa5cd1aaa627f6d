import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
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
import { SettingRow, showIfLinked } from '#web/ui/forms/settings.tsx';
import { LinkButton } from '#web/ui/button.tsx';
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

const SECTIONS = [
  { id: 'listening', title: 'Listening' },
  { id: 'elsewhere', title: 'Elsewhere' },
  { id: 'tell-me', title: 'Tell me' },
  { id: 'account', title: 'Account' },
] as const;

export function Page() {
  const theme = useStore(themeStore);
  const { user } = useCurrentUser();
  const [, navigate] = useLocation();
  if (!user) return null;
  return (
    <>
      <PageHead title="Settings" lead="Changes save automatically." />
      <div className="@3xl/content:grid @3xl/content:grid-cols-[152px_minmax(0,1fr)] @5xl/content:gap-x-8">
        <SectionsNav />
        <div className="@double/content:columns-2 @double/content:gap-16">
          <Section id="listening">
            <SettingRow label="Theme" hint="Applies to this device only.">
              <Segmented label="Theme" options={themes} value={theme} onValueChange={setTheme} />
            </SettingRow>
            <PlaybackSettings />
          </Section>
          <Section id="elsewhere">
            <section aria-label="Podcast app">
              <PodcastSettings />
            </section>
            <section aria-label="Music apps">
              <AppPasswordSettings />
            </section>
            <section aria-label="Scrobbling">
              <ScrobblingSettings />
            </section>
          </Section>
          <Section id="tell-me">
            <EmailNotice user={user} className="mb-3" />
            <NoticeSettings />
            <EmailSettings />
          </Section>
          <Section id="account">
            <SettingRow label="Name, picture and e-mail" hint={`${user.username}, ${user.email}`}>
              <LinkButton href="/profile" variant="line">
                Edit profile
              </LinkButton>
            </SettingRow>
            <section
              aria-label="Security"
              id="security"
              ref={showIfLinked}
              className="scroll-mt-20"
            >
              <SecuritySettings />
            </section>
            <PrivacySettings onLeave={() => navigate('/')} />
          </Section>
        </div>
      </div>
    </>
  );
}

/** Beside the sections where there is room, and above them as a row of chips where there isn’t. */
function SectionsNav() {
  const shown = useSectionInView();
  return (
    <nav
      aria-label="Sections"
      className="flex flex-wrap gap-1.5 px-gutter pt-6 @3xl/content:sticky @3xl/content:top-16 @3xl/content:flex-col @3xl/content:gap-0 @3xl/content:self-start @3xl/content:pr-0 @3xl/content:pt-10"
    >
      {SECTIONS.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === shown || undefined}
          className="inline-flex min-h-11 items-center rounded-pill px-3 font-semibold text-text-2 hover:text-text aria-current:bg-raised aria-current:text-text @max-3xl/content:shadow-[inset_0_0_0_1px_var(--line-strong)] @3xl/content:-ml-3 @3xl/content:min-h-9"
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The one that someone reads: a link to it is marked. */
function useSectionInView(): string | null {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) setShown(target.id);
      },
      // A line below the header.
      { rootMargin: '-25% 0px -75%' },
    );
    for (const { id } of SECTIONS) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, []);
  return shown;
}

type SectionProps = { id: (typeof SECTIONS)[number]['id']; children: ReactNode };

function Section({ id, children }: SectionProps) {
  const title = SECTIONS.find((section) => section.id === id)?.title;
  return (
    <section
      id={id}
      ref={showIfLinked}
      aria-labelledby={`${id}-title`}
      className="max-w-[60rem] scroll-mt-16 break-inside-avoid px-gutter pt-10"
    >
      <h2 id={`${id}-title`} className="mb-3 type-section">
        {title}
      </h2>
      <div className="border-b border-line">{children}</div>
    </section>
  );
}

function EmailSettings() {
  return (
    <>
      <PreferenceSwitch
        name="releaseMails"
        label="New releases by e-mail"
        hint="When a new mix is out. You can unsubscribe from any of them."
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
