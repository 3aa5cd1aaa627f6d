import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Artist } from '#contract/artists/artists.ts';
import type { Track } from '#contract/tracks.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';
import type { Visit } from '#web/router/route.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { Collage } from '#web/features/playlists/collage.tsx';
import { TrackList } from '#web/features/tracks/track-list.tsx';
import {
  trackPagesQuery,
  useTrackPages,
  type TrackPages,
} from '#web/features/tracks/track-pages.ts';
import { TrackNote, TrackRow } from '#web/features/tracks/track-row.tsx';
import { isStaff, useCurrentUser } from '#web/lib/api/current-user.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { isSheetUsual, openShareSheet } from '#web/features/sharing/share-sheet.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyPage, EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { OutsideLink } from '#web/ui/outside-link.tsx';
import { Share2 } from '#web/ui/icons.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { RowsSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import { fitTitle } from '#web/ui/title-fit.ts';

const artistQuery = (id: string) => apiQuery('GET /api/artists/:id', { params: { id } });

const tracksQuery = (artist: string) => trackPagesQuery('GET /api/tracks', { artist });

export const listQueries = ({ params: { id = '' } }: Visit) => [artistQuery(id), tracksQuery(id)];

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(artistQuery(id));
  const artist = query.data;
  const upgradePath = useUpgradePath();
  const pages = useTrackPages(tracksQuery(artist?.id ?? id));
  usePageTitle(artist?.name);
  useCurrentAddress(id, artist);
  return (
    <Loaded
      query={query}
      pageTitle="Artist"
      failed="Couldn’t load this artist"
      missing={{
        title: 'Artist not found',
        text: 'The link may be out of date, or there are no mixes by this artist yet.',
        link: { href: '/', label: 'Hear this week’s mix' },
      }}
      renderRefusal={({ status }) =>
        status === 403 && (
          <EmptyPage
            pageTitle="Artist"
            glyph="locked"
            title="These mixes are for Premium subscribers"
            text="Get them in full with Premium, along with every other mix."
            link={{ href: upgradePath, label: 'Upgrade to Premium', variant: 'primary' }}
          />
        )
      }
      skeleton={<ArtistSkeleton />}
    >
      {(loaded) => <ArtistPage artist={loaded} pages={pages} />}
    </Loaded>
  );
}

type ArtistPageProps = { artist: Artist; pages: TrackPages };

function ArtistPage({ artist, pages }: ArtistPageProps) {
  return (
    <>
      <ArtistHead artist={artist} pages={pages} />
      <section aria-labelledby="mixes" className="px-gutter pt-8">
        <SectionHead id="mixes" title="Mixes" />
        <TrackList
          label={`Mixes by ${artist.name}`}
          source={artist.name}
          pages={pages}
          renderRow={(row) => <TrackRow {...row} note={<OthersNote {...row} artist={artist} />} />}
          empty={<EmptyState title="No mixes yet" text="Mixes appear here on their release." />}
        />
      </section>
    </>
  );
}

/** The page says whose mixes these are: a row names only the others. */
function OthersNote({ track, artist }: { track: Track; artist: Artist }) {
  const others = track.artists?.filter(({ id }) => id !== artist.id);
  return <TrackNote track={{ ...track, artists: others ?? [] }} />;
}

/** Another name of the artist leads here: the address says so. */
function useCurrentAddress(id: string, artist: Artist | null | undefined): void {
  const [, navigate] = useLocation();
  const current = artist?.id ?? id;
  useEffect(() => {
    if (current !== id) navigate(`/artist/${current}`, { replace: true });
  }, [current, id, navigate]);
}

const headClass = 'grid items-end gap-x-10 gap-y-5 px-gutter pt-5 @lg/content:pt-9';
const columnsClass = '@2xl/content:grid-cols-[auto_minmax(0,1fr)]';
const pictureClass =
  'aspect-square w-[152px] @2xl/content:w-[clamp(168px,19.5cqi,max(232px,13cqi))] @2xl/content:self-start';
const nameClass =
  'mt-2.5 type-display title-fit [--title-max:3.25rem] @lg/content:[--title-max:5.5rem] @double/content:[--title-max:7rem]';

/** Has no colour of its own, as only weeks have colours: without a picture it has those of its mixes. */
function ArtistHead({ artist, pages }: ArtistPageProps) {
  const { user } = useCurrentUser();
  const { name, about, links, pictureUrl } = artist;
  const { tracks, isPending } = pages;
  const hasPicture = pictureUrl !== null || tracks.length > 0 || isPending;
  return (
    <header className={`${headClass} ${hasPicture ? columnsClass : ''}`}>
      {pictureUrl ? (
        <img src={pictureUrl} alt="" className={`${pictureClass} rounded-sleeve object-cover`} />
      ) : tracks.length > 0 ? (
        <Collage sleeves={tracks} className={pictureClass} />
      ) : (
        isPending && <Skeleton className={pictureClass} />
      )}
      <div className="@container min-w-0">
        <p className="type-kicker">Artist</p>
        <h1 style={fitTitle(name)} className={nameClass}>
          {name}
        </h1>
        {about && (
          <p className="mt-3 max-w-[62ch] type-lead break-words whitespace-pre-line">{about}</p>
        )}
        <ul className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-1">
          <li>
            <ShareButton artist={artist} />
          </li>
          {links.map((link) => (
            <li key={link} className="min-w-0">
              <OutsideLink href={link} />
            </li>
          ))}
          {isStaff(user) && (
            <li>
              <LinkButton size="sm" variant="line" href={`/admin/artists/${artist.id}`}>
                Edit artist
              </LinkButton>
            </li>
          )}
        </ul>
      </div>
    </header>
  );
}

const useShareLinkDialog = lazyOverlay(
  'dialog',
  () => import('#web/features/sharing/share-link-dialog.tsx'),
  'ShareLinkDialog',
);

function ShareButton({ artist: { id, name } }: { artist: Artist }) {
  const { buttonProps, render } = useShareLinkDialog();
  const shared = { path: `/artist/${id}`, name };
  return (
    <>
      <Button
        size="sm"
        variant="line"
        {...buttonProps}
        onClick={() => (isSheetUsual() ? void openShareSheet(shared) : buttonProps.onClick())}
      >
        <Share2 />
        Share
      </Button>
      {render({ shared })}
    </>
  );
}

function ArtistSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div className={`${headClass} ${columnsClass}`}>
        <Skeleton className={pictureClass} />
        <div className="@container min-w-0">
          <Skeleton className="h-[1lh] w-16 type-kicker" />
          <Skeleton style={fitTitle('Golden Hour')} className={`h-[1lh] w-4/5 ${nameClass}`} />
        </div>
      </div>
      <div className="px-gutter pt-8">
        <RowsSkeleton />
      </div>
    </div>
  );
}
