import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StagedTrack, Week } from '#contract/admin/week.ts';
import type { Release } from '#contract/track-fields.ts';
import { refreshCatalogue, saveTrack } from '#web/admin/tracks/editor/api.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { trackQuery } from '#web/features/tracks/api.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { CircleAlert, Share2 } from '#web/ui/icons.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { refreshWeek } from './api.ts';
import {
  countMails,
  describePublish,
  describePublished,
  describeSchedule,
  describeState,
  proposeRelease,
} from './release-words.ts';

type StageProps = { track: StagedTrack; week: Week };

const isOut = ({ stage, state }: StagedTrack): boolean => stage === 'out' && state === 'published';

/** The mix of the week: its state, and the one thing to do next. */
export function Stage({ track, week }: StageProps) {
  const client = useQueryClient();
  const openedAt = useOpenedAt();
  /** How many e-mails its publication here sends. */
  const [mails, setMails] = useState<number | null>(null);
  const mutationKey = ['release', track.id];
  const save = useMutation({
    mutationKey,
    mutationFn: (release: Release) => saveTrack(track.id, { release, version: track.version }),
    retry: false,
    onSuccess: (_saved, { kind }) => {
      setMails(kind === 'now' ? countMails(track.recipients, track) : null);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'track_changed')
        showToast({
          title: 'This mix has just changed',
          description: 'Nothing was published or scheduled here. This is how it is now.',
        });
      else showErrorToast(error, 'Check your connection and try again.');
    },
    onSettled: () => Promise.all([refreshWeek(client), refreshCatalogue(client)]),
  });
  const editPath = `/admin/tracks/edit/${track.id}`;
  const hasFailed = track.state === 'failed';
  return (
    <section
      data-week={track.weekNumber}
      aria-labelledby="staged"
      className="grid items-center gap-x-7 gap-y-5 bg-week-wash p-4 @2xl/content:grid-cols-[auto_minmax(0,1fr)] @3xl/content:p-[22px] @4xl/content:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <span className="type-numeral-small text-[clamp(72px,12cqi,112px)] text-week">
        <span className="sr-only">Week </span>
        {track.weekNumber}
      </span>
      <div className="min-w-0">
        <h2 id="staged" className="type-section text-28 @3xl/content:text-40">
          <Link href={editPath} className="break-words hover:underline">
            {track.title}
          </Link>
          {isOut(track) && ' is out'}
        </h2>
        <p
          role="status"
          className={`mt-1.5 max-w-[62ch] ${hasFailed ? 'flex items-start gap-1.5 text-danger' : 'text-text-2'}`}
        >
          {hasFailed && <CircleAlert className="mt-0.5 size-4 shrink-0" />}
          {mails !== null && isOut(track)
            ? describePublished(mails)
            : describeState(track, week.rhythm, openedAt)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2.5 @2xl/content:col-span-2 @4xl/content:col-span-1 @4xl/content:justify-end">
        <StageActions
          track={track}
          week={week}
          editPath={editPath}
          isBusy={save.isPending}
          onRelease={(release) => {
            // A second press may come before the button is disabled.
            if (client.isMutating({ mutationKey }) === 0) save.mutate(release);
          }}
        />
      </div>
    </section>
  );
}

type StageActionsProps = StageProps & {
  editPath: string;
  isBusy: boolean;
  onRelease: (release: Release) => void;
};

/** One button for what usually comes next, and the other possibility beside it. */
function StageActions({ track, week, editPath, isBusy, onRelease }: StageActionsProps) {
  const openedAt = useOpenedAt();
  if (track.state === 'failed')
    return (
      <LinkButton href={editPath} size="lg">
        Replace the audio
      </LinkButton>
    );
  if (isOut(track)) return <OutActions track={track} />;
  const isReady = track.state !== 'processing';
  const publish = describePublish(track.recipients, {
    isReady,
    isSubscriberOnly: track.isSubscriberOnly,
  });
  const { at, isOfWeek } = proposeRelease(track, week.rhythm, openedAt);
  const isPlanned = track.stage !== 'draft';
  const isScheduleFirst = !isPlanned && isOfWeek;
  if (track.stage === 'out') return null;
  const schedule = (
    <Button
      size="lg"
      variant={isScheduleFirst ? 'primary' : 'line'}
      disabled={isBusy}
      onClick={() => onRelease({ kind: 'at', at })}
    >
      {describeSchedule(at, openedAt)}
    </Button>
  );
  return (
    <>
      {isScheduleFirst && schedule}
      <Button
        size="lg"
        variant={isScheduleFirst || isPlanned ? 'line' : 'primary'}
        disabled={isBusy}
        onClick={() => onRelease({ kind: 'now' })}
      >
        {publish}
      </Button>
      {isPlanned ? (
        <LinkButton href={editPath} variant="quiet">
          Change the time
        </LinkButton>
      ) : (
        !isScheduleFirst && schedule
      )}
      {isReady && (
        <LinkButton href={`/admin/mails?mail=release&mix=${track.id}`} variant="quiet">
          See the e-mail
        </LinkButton>
      )}
    </>
  );
}

const useShareDialog = lazyOverlay(
  'dialog',
  () => import('#web/features/sharing/share-dialog.tsx'),
  'ShareDialog',
);

function OutActions({ track: { id } }: { track: StagedTrack }) {
  const { data: track } = useQuery(trackQuery(id));
  const { buttonProps, render } = useShareDialog();
  return (
    <>
      <Button size="lg" disabled={!track} {...buttonProps}>
        <Share2 />
        Share it
      </Button>
      <LinkButton href={`/track/${id}`} variant="quiet">
        View its page
      </LinkButton>
      {track && render({ track })}
    </>
  );
}
