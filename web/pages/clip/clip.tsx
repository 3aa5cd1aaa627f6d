import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { clipFilePath, type PublicClip } from '#contract/clips.ts';
import { joinNames } from '#contract/artists/artist-names.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { Join } from '#web/features/billing/join.tsx';
import { ClipBars } from '#web/features/sharing/clip-bars.tsx';
import { shapeWhole } from '#web/features/sharing/clip-selection.ts';
import { describeRest } from '#web/features/sharing/describe-rest.ts';
import { usePartSound } from '#web/features/sharing/use-part-sound.ts';
import { buildTrackPath } from '#web/features/sharing/share-sheet.ts';
import {
  SharedSleeve,
  SharedStage,
  sharedWaveformClass,
} from '#web/features/sharing/shared-stage.tsx';
import { plansQuery } from '#web/features/billing/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { usePageTitle } from '#web/router/use-page-title.ts';
import type { Visit } from '#web/router/route.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { StageSkeleton } from '#web/ui/stage-skeleton.tsx';
import { ClipPlay } from './clip-play.tsx';

const clipQuery = (id: string) => apiQuery('GET /api/clips/:id', { params: { id } });

export const listQueries = ({ params: { id = '' } }: Visit) => [clipQuery(id), plansQuery];

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(clipQuery(id));
  usePageTitle(query.data?.track.title);
  return (
    <Loaded
      query={query}
      pageTitle="Clip"
      failed="Couldn’t load this clip"
      missing={{
        title: 'Clip not found',
        text: 'The link may be mistyped, or the clip has been taken down.',
        link: { href: '/', label: 'Hear this week’s mix' },
      }}
      skeleton={<StageSkeleton />}
    >
      {(clip) => <LoadedClip key={clip.id} clip={clip} />}
    </Loaded>
  );
}

function LoadedClip({ clip }: { clip: PublicClip }) {
  const { id, start, seconds, chapter, track, peaks } = clip;
  const sound = usePartSound({ url: clipFilePath(id, 'audio'), seconds });
  const { title, weekNumber, year, duration, artists } = track;
  const lit = { from: start, to: start + seconds };
  const rest = Math.floor((duration - seconds) / 60);
  return (
    <div className="grid md:min-h-[calc(100dvh-var(--header))] @4xl/content:grid-cols-[minmax(0,1fr)_minmax(0,clamp(320px,30cqi,480px))]">
      <SharedStage
        week={weekNumber}
        title={title}
        lead={track.description}
        kicker={[
          `${formatCount(seconds, 'second')}, from ${formatDuration(start)}`,
          `Week ${weekNumber}, ${year}`,
          joinNames(artists),
        ]
          .filter(Boolean)
          .join(' · ')}
        art={<SharedSleeve track={track} />}
        play={
          <>
            <ClipPlay clip={clip} sound={sound} />
            {chapter && (
              <p className="type-meta @xl:ml-auto">
                Now: {[chapter.title, chapter.artist].filter(Boolean).join(', ')}
              </p>
            )}
          </>
        }
      >
        <ClipBars
          shape={(count) => shapeWhole(peaks, { lit, duration }, count)}
          played={sound.played}
          className={sharedWaveformClass}
        />
        <p className="mt-2.5 type-meta">
          The bright bars are the clip.
          {rest >= 1 && ` The rest is ${formatCount(rest, 'minute')}, in full with Premium.`}
        </p>
      </SharedStage>
      <div className="grid content-center gap-8 border-line px-gutter py-8 @4xl/content:border-l">
        <More clip={clip} />
      </div>
    </div>
  );
}

/** The whole mix, for those who can hear it; for everyone else, how they can. */
function More({ clip }: { clip: PublicClip }) {
  const { user } = useCurrentUser();
  const upgradePath = useUpgradePath();
  const { track, start, seconds } = clip;
  const title = `Hear ${describeRest(track.duration - seconds)}`;
  const path = buildTrackPath(track.id, start);
  if (!user)
    return (
      <>
        <Join title={title} next={path} />
        <p className="text-text-2">
          Already a member?{' '}
          <Link
            href={withNext('/login', path)}
            className="inline-flex min-h-11 items-center text-text underline underline-offset-4"
          >
            Log in
          </Link>
        </p>
      </>
    );
  return (
    <section aria-labelledby="more" className="flex flex-col gap-3">
      <h2 id="more" className="type-title text-[2.125rem] @lg/content:text-[2.75rem]">
        {title}
      </h2>
      {!hasFullAccess(user) && <p className="text-text-2">Premium has all of it, and every mix.</p>}
      <div className="mt-1 flex flex-col gap-3">
        {hasFullAccess(user) ? (
          <LinkButton href={path} size="lg" isBlock>
            Play from {formatDuration(start)}
          </LinkButton>
        ) : (
          <>
            <LinkButton href={upgradePath} size="lg" isBlock>
              Upgrade to Premium
            </LinkButton>
            <LinkButton href={path} variant="line" size="lg" isBlock>
              Go to mix
            </LinkButton>
          </>
        )}
      </div>
    </section>
  );
}
