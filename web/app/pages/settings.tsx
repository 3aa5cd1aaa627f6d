import { Link } from 'wouter';
import { useStore } from '#web/lib/store.ts';
import { setTheme, themeStore, type Theme } from '#web/lib/theme.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { Segmented } from '#web/ui/segmented.tsx';

const themes: { value: Theme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
];

export function SettingsPage() {
  const theme = useStore(themeStore);
  return (
    <>
      <PageHead title="Settings" />
      <section className="px-gutter pt-8">
        <SectionHead title="Theme" />
        <Segmented label="Theme" options={themes} value={theme} onValueChange={setTheme} />
      </section>
      <section className="px-gutter pt-8">
        <SectionHead title="Account" />
        <Link href="/profile" className={buttonClass({ variant: 'line' })}>
          Edit profile
        </Link>
      </section>
    </>
  );
}
