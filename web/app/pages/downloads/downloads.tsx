import { Link } from 'wouter';
import { useCurrentUser } from '#web/lib/current-user.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { DownloadList } from './download-list.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { KeptList } from './kept-list.tsx';

export function DownloadsPage() {
  const { user } = useCurrentUser();
  // Whoever runs the site hears everything, and may keep it.
  if (!user?.isSubscriber && !user?.isAdmin) return <PremiumOnly />;
  return (
    <>
      <PageHead title="Downloads" lead="Your copies of the mixes: in this browser, and as files." />
      <div className="px-gutter pt-8">
        <KeptList user={user} />
        <section aria-labelledby="files">
          <SectionHead id="files" title="Downloaded" />
          <DownloadList />
        </section>
      </div>
    </>
  );
}

function PremiumOnly() {
  return (
    <EmptyPage
      title="Downloads"
      empty={{
        glyph: 'locked',
        title: 'Downloads are Premium',
        children: 'Subscribers keep MP3 and FLAC copies of every week.',
        action: (
          <Link href="/pricing" className={buttonClass()}>
            Upgrade to Premium
          </Link>
        ),
      }}
    />
  );
}
