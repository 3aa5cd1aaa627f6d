import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { CatalogueDetail } from '#contract/catalogue.ts';
import { formatFileSize } from '#contract/rules/file-size.ts';
import { refreshCatalogue, reprocessTrack } from '#web/features/catalogue/api.ts';
import {
  describeFiles,
  describeFigures,
  describeTrackState,
} from '#web/features/catalogue/state-words.ts';
import { DropZone } from '#web/features/uploads/drop-zone.tsx';
import { addFiles, sendings } from '#web/features/uploads/upload-queue.ts';
import { describeFailure } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useStore } from '#web/lib/store.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Beside the fields: how the mix stands, and its sound. */
export function TrackTools({ mix }: { mix: CatalogueDetail }) {
  const client = useQueryClient();
  const own = useStore(sendings).findLast(
    ({ phase }) => phase === 'sending' || phase === 'waiting',
  );
  async function reprocess() {
    try {
      await reprocessTrack(mix.id);
      await refreshCatalogue(client);
      showToast({ title: 'Everything is made again from the original' });
    } catch (error) {
      showToast({
        title: describeFailure(error, 'This could not be started.'),
        variant: 'destructive',
      });
    }
  }
  const isWorking = mix.progress < 100 && mix.state !== 'failed';
  return (
    <div className="flex flex-col gap-6">
      {mix.failure && <Notice tone="danger" title={mix.failure} />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4 lg:grid-cols-2">
        {describeFigures(mix).map(({ label, value }) => (
          <div key={label}>
            <dt className="text-13 text-text-3">{label}</dt>
            <dd className="text-28 font-semibold tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-1 text-13 text-text-2">
        <p className="text-14 font-semibold text-text">{describeTrackState(mix, boot.timeZone)}</p>
        {isWorking && mix.state !== 'processing' && <p>New sound on its way, {mix.progress}%</p>}
        <p>{describeFiles(mix) || 'No files yet'}</p>
        <p>Original: {mix.masterSize === null ? 'not kept' : formatFileSize(mix.masterSize)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link href={`/track/${mix.id}`} className={buttonClass({ variant: 'line' })}>
          Preview the public page
        </Link>
        <Button variant="line" disabled={mix.masterSize === null} onClick={() => void reprocess()}>
          Process again
        </Button>
      </div>
      <section aria-labelledby="replace" className="grid gap-3">
        <h2 id="replace" className="type-section">
          Replace the audio
        </h2>
        <p className="max-w-[52ch] text-13 text-text-2">
          Plays, favorites and the address stay. People hear the old sound until the new one is
          ready.
        </p>
        <DropZone
          title="Drop the new master here"
          isMany={false}
          onFiles={(files) => {
            addFiles(files, { replaces: mix.id });
            showToast({ title: 'Uploading the new sound' });
          }}
        />
        {own && (
          <p className="text-13 text-text-2" role="status">
            {own.fileName}: {formatFileSize(own.sent)} of {formatFileSize(own.size)}
          </p>
        )}
      </section>
    </div>
  );
}
