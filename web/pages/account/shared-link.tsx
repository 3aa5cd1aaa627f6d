import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { findSharedSubject, type SharedSubject } from '#contract/rules/shared-links.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { ListTeaser } from '#contract/shared-links.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { currentUserQuery, hasFullAccess } from '#web/lib/api/current-user.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { describeRest } from '#web/features/sharing/describe-rest.ts';
import { parseStartSecond } from '#web/features/sharing/share-link.ts';
import { SharedList } from '#web/features/sharing/shared-list.tsx';
import { SharedTrack } from '#web/features/sharing/shared-track.tsx';
import { peaksQuery, trackQuery } from '#web/features/tracks/api.ts';
import { continuePreview } from '#web/player/session/play-once-full.ts';
import { usePlayer } from '#web/player/use-player.ts';
import type { PageQuery, Visit } from '#web/router/route.ts';

const teaserQuery = ({ kind, id }: SharedSubject) =>
  kind === 'artist'
    ? apiQuery('GET /api/artists/:id/teaser', { params: { id } })
    : apiQuery('GET /api/shared-playlists/:token/teaser', { params: { token: id } });

/** What the login page asks for about the link that led there. */
export function listSharedQueries(next: string, read: Visit['read']): PageQuery[] {
  const subject = findSharedSubject(next);
  if (!subject) return [];
  if (subject.kind === 'track') return [trackQuery(subject.id), peaksQuery(subject.id)];
  const teaser = teaserQuery(subject);
  const first = read<ListTeaser | null>(teaser.queryKey)?.first;
  return first ? [teaser, peaksQuery(first.id)] : [teaser];
}

export type SharedLink = {
  /** What the link is about, and can be heard here. */
  stage: (heading: 'h1' | 'h2') => ReactNode;
  /** What an account is for: `Hear the other 59 minutes`. */
  invitation: string;
};

/** What a visitor was about to open, if that is something that visitors may hear. */
export function useSharedLink(next: string): SharedLink | null {
  const subject = findSharedSubject(next);
  const isTrack = subject?.kind === 'track';
  const track = useQuery({ ...trackQuery(subject?.id ?? ''), enabled: isTrack }).data;
  const list = useQuery({
    ...teaserQuery(subject ?? { kind: 'playlist', id: '' }),
    enabled: subject !== null && !isTrack,
  }).data;
  const heard = isTrack ? track : list?.first;
  useContinuedPlayback(heard?.id);
  if (subject === null) return null;
  if (isTrack) return track ? describeTrack(track, next) : null;
  return list ? describeList(subject.kind, list) : null;
}

function describeTrack(track: TrackDetail, next: string): SharedLink {
  const second = parseStartSecond(new URLSearchParams(next.split('?', 2)[1]).get('t'));
  return {
    invitation: `Hear ${describeRest(track.duration - PREVIEW_SECONDS)}`,
    stage: (heading) => <StageOfTrack track={track} second={second} heading={heading} />,
  };
}

function describeList(kind: SharedSubject['kind'], list: ListTeaser): SharedLink | null {
  const { first, trackCount } = list;
  if (!first || kind === 'track') return null;
  return {
    invitation:
      trackCount === 1 ? 'Hear all of it' : `Hear all ${formatCount(trackCount, 'mix', 'mixes')}`,
    stage: (heading) => <SharedList kind={kind} list={{ ...list, first }} heading={heading} />,
  };
}

type StageOfTrackProps = { track: TrackDetail; second: number | null; heading: 'h1' | 'h2' };

function StageOfTrack({ track, second, heading }: StageOfTrackProps) {
  const [path, navigate] = useLocation();
  const forgetSecond = () => navigate(withNext(path, `/track/${track.id}`), { replace: true });
  return (
    <SharedTrack track={track} second={second} heading={heading} onStartFromLink={forgetSecond} />
  );
}

/** A preview that has ended continues in full when its listener leaves this page as a subscriber. */
function useContinuedPlayback(trackId: string | undefined): void {
  const player = usePlayer();
  const client = useQueryClient();
  useEffect(() => {
    if (trackId === undefined) return;
    return () => {
      const user = client.getQueryData(currentUserQuery.queryKey);
      if (hasFullAccess(user ?? null)) continuePreview(player, trackId);
    };
  }, [client, player, trackId]);
}
