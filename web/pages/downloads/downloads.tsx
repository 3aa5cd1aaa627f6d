import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { FileEndsNotice } from '#web/features/downloads/file-ends-notice.tsx';
import { readOffers } from '#web/lib/store/boot.ts';
import { PageHead, SectionHead } from '#web/ui/page-head.tsx';
import { downloadsQuery } from '#web/features/downloads/api.ts';
import type { Visit } from '#web/router/route.ts';
import { DownloadList } from './download-list.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { NothingSaved, SavedList } from './saved-list.tsx';

export const listQueries = ({ user }: Visit) =>
  hasFullAccess(user) && readOffers().mp3 ? [downloadsQuery] : [];

export function Page() {
  const { user } = useCurrentUser();
  // Administrators have full access too.
  if (!user || !hasFullAccess(user)) return <PremiumOnly />;
  const { mp3, saving } = readOffers();
  if (!mp3 && !saving) return <StreamingOnly />;
  return (
    <>
      <PageHead title={mp3 ? 'Downloads' : 'Saved offline'} lead={describeLists(mp3, saving)} />
      <div className="px-gutter pt-8">
        <FileEndsNotice />
        <SavedList user={user} />
        {mp3 ? (
          <section aria-labelledby="files">
            <SectionHead id="files" title="Files" />
            <DownloadList />
          </section>
        ) : (
          <NothingSaved user={user} />
        )}
      </div>
    </>
  );
}

const describeLists = (hasFiles: boolean, hasSaved: boolean): string =>
  !hasFiles
    ? 'Mixes saved in this browser, to play without a connection.'
    : hasSaved
      ? 'Mixes saved in this browser, and files you’ve downloaded.'
      : 'Files you’ve downloaded.';

const StreamingOnly = () => (
  <EmptyPage
    pageTitle="Downloads"
    glyph="nothing"
    title="Mixes are here to stream"
    text="This site gives no files to keep. Everything plays here, and in your podcast and music apps."
    link={{ href: '/library', label: 'Open the library' }}
  />
);

function PremiumOnly() {
  const { mp3, flac, saving } = readOffers();
  if (!mp3 && !saving) return <StreamingOnly />;
  if (!mp3)
    return (
      <EmptyPage
        pageTitle="Saved offline"
        glyph="locked"
        title="Saving mixes comes with Premium"
        text="Subscribers can save mixes in the app and play them without a connection."
        link={{ href: '/pricing', label: 'Upgrade to Premium', variant: 'primary' }}
      />
    );
  return (
    <EmptyPage
      pageTitle="Downloads"
      glyph="locked"
      title="Downloads come with Premium"
      text={`Subscribers can download every mix as MP3${flac ? ' or FLAC' : ''}.`}
      link={{ href: '/pricing', label: 'Upgrade to Premium', variant: 'primary' }}
    />
  );
}
