import { Link } from 'wouter';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from './empty-page.tsx';

export function DownloadsPage() {
  const { user } = useCurrentUser();
  const empty = user?.isSubscriber
    ? {
        title: 'Nothing downloaded yet',
        children: 'Mixes you download are listed here, in MP3 and, where the master allows, FLAC.',
        action: (
          <Link href="/library" className={buttonClass({ variant: 'line' })}>
            Open the library
          </Link>
        ),
      }
    : {
        glyph: 'locked' as const,
        title: 'Downloads are Premium',
        children: 'Subscribers keep MP3 and FLAC copies of every week.',
        action: (
          <Link href="/pricing" className={buttonClass()}>
            Upgrade to Premium
          </Link>
        ),
      };
  return <EmptyPage title="Downloads" empty={empty} />;
}
