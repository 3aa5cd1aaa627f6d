import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { downloadsQuery } from '#web/features/downloads/api.ts';
import type { Visit } from '#web/router/route.ts';
import { DownloadList } from './download-list.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { SavedList } from './saved-list.tsx';

export const listQueries = ({ user }: Visit) => (hasFullAccess(user) ? [downloadsQuery] : []);

export function Page() {
  const { user } = useCurrentUser();
  // Administrators have full access too.
  if (!user || !hasFullAccess(user)) return <PremiumOnly />;
  return (
    <>
      <PageHead
        title="Downloads"
        lead="Mixes saved in this browser, and files you’ve downloaded."
      />
      <div className="px-gutter pt-8">
        <SavedList user={user} />
        <section aria-labelledby="files">
          <SectionHead id="files" title="Files" />
          <DownloadList />
        </section>
      </div>
    </>
  );
}

function PremiumOnly() {
  return (
    <EmptyPage
      pageTitle="Downloads"
      glyph="locked"
      title="Downloads come with Premium"
      text="Subscribers can download every mix as MP3 or FLAC."
      link={{ href: '/pricing', label: 'Upgrade to Premium', variant: 'primary' }}
    />
  );
}
