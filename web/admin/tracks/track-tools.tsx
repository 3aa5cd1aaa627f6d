import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import { refreshCatalogue, reprocessTrack } from './editor/api.ts';
import { describeFiles, describeFigures, describeTrackState } from './editor/describe-track.ts';
import { TrackPlayButton } from '#web/player/view/track-play-button.tsx';
import { trackQuery } from '#web/features/tracks/api.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatNumber } from '#web/lib/format/format.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';

// Their code loads after the page: few visits are about new audio or a complaint.
const TakeDown = lazyPanel(() => import('./take-down-panel.tsx'), 'TakeDownPanel');
const ReplaceAudio = lazyPanel(() => import('./replace-audio.tsx'), 'ReplaceAudio');

/** The state of a mix, and a button that plays all of it, released or not. */
export function TrackListen({ track }: { track: CatalogueDetail }) {
  const isPlayable = !['processing', 'failed', 'deleted'].includes(track.state);
  const { data, isLoading } = useQuery({ ...trackQuery(track.id), enabled: isPlayable });
  const isHidden = ['draft', 'scheduled', 'takenDown'].includes(track.state);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {isPlayable && data && (
        <TrackPlayButton track={data} queue={[data]} size="lg" name={track.title} />
      )}
      {isLoading && <Skeleton className="size-[60px] rounded-pill" />}
      <div className="grid min-w-0 justify-items-start gap-1">
        {isHidden ? (
          <Tag isWeek>{describeTrackState(track, boot.timeZone)}</Tag>
        ) : (
          <strong className="font-semibold">{describeTrackState(track, boot.timeZone)}</strong>
        )}
        {isHidden && (
          <span className="text-13 text-text-2">Only administrators can hear it now.</span>
        )}
      </div>
    </div>
  );
}

export function TrackTools({ track }: { track: CatalogueDetail }) {
  const client = useQueryClient();
  const [canTakeDown, setCanTakeDown] = useState(true);
  const [canReplace, setCanReplace] = useState(true);
  async function reprocess() {
    try {
      await reprocessTrack(track.id);
      await refreshCatalogue(client);
      showToast({ title: 'Reprocessing from the original' });
    } catch (error) {
      showToast({
        title: describeFailure(error, 'Couldn’t start.'),
        variant: 'destructive',
      });
    }
  }
  const isWorking = track.progress < 100 && track.state !== 'failed';
  return (
    <div className="flex flex-col gap-6">
      {track.failure && <Notice tone="danger" title={track.failure} />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 @xl/content:@max-4xl/content:grid-cols-4">
        {describeFigures(track).map(({ label, value }) => (
          <div key={label}>
            <dt className="text-13 text-text-3">{label}</dt>
            <dd className="text-28 font-semibold tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-1 text-13 text-text-2">
        {isWorking && track.state !== 'processing' && (
          <p>New audio processing, {track.progress}%</p>
        )}
        <p>{describeFiles(track) || 'No files yet'}</p>
        <p>
          Original: {track.masterSize === null ? 'not stored' : formatFileSize(track.masterSize)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton href={`/track/${track.id}`} variant="line">
          {track.state === 'published' ? 'View public page' : 'View its page'}
        </LinkButton>
        <LinkButton href={`/admin/tracks/${track.id}/rights`} variant="line">
          What was played
        </LinkButton>
        <Button
          variant="line"
          disabled={track.masterSize === null}
          onClick={() => void reprocess()}
        >
          Reprocess
        </Button>
      </div>
      <TakeDown track={track} open={canTakeDown} onFail={() => setCanTakeDown(false)} />
      {!track.takeDown && (
        <ReplaceAudio trackId={track.id} open={canReplace} onFail={() => setCanReplace(false)} />
      )}
    </div>
  );
}
