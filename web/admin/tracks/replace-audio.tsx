import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatFileSize } from '#contract/rules/format.ts';
import { uploadPagesQuery } from '#web/admin/uploads/api.ts';
import { DropZone } from '#web/admin/uploads/drop-zone.tsx';
import { tellUnusedTracklists } from '#web/admin/uploads/tell-unused-tracklists.ts';
import { addFiles, sendings } from '#web/admin/uploads/upload-queue.ts';
import { useStore } from '#web/lib/store/store.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Notice } from '#web/ui/notice.tsx';

/** How far the new audio of this mix is, and why it can't be used. */
function Replacement({ trackId }: { trackId: string }) {
  const pages = useInfiniteQuery(uploadPagesQuery);
  const sending = useStore(sendings).findLast(({ replaces }) => replaces === trackId);
  const uploads = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const upload = uploads.find(({ replaces }) => replaces?.id === trackId);
  if (sending?.phase === 'sending' || sending?.phase === 'waiting')
    return (
      <p className="text-13 text-text-2" role="status">
        {sending.fileName}: {formatFileSize(sending.sent)} of {formatFileSize(sending.size)}
      </p>
    );
  const isDuplicate = upload?.state === 'duplicate';
  const problem = isDuplicate ? 'Another mix has the same audio.' : upload?.failure;
  const title = problem ?? sending?.failure;
  if (!title) return null;
  return (
    <Notice tone="danger" title={title}>
      Listeners still hear the current audio. Drop another file
      {isDuplicate && (
        <>
          , or open <Link href="/admin/upload">Upload</Link> to use this one anyway
        </>
      )}
      .
    </Notice>
  );
}

export function ReplaceAudio({ trackId }: { trackId: string }) {
  return (
    <section aria-labelledby="replace" className="grid gap-3">
      <h2 id="replace" className="type-section">
        Replace the audio
      </h2>
      <p className="max-w-[52ch] text-13 text-text-2">
        Plays, favorites and the link stay the same. Listeners hear the current audio until the new
        file is ready.
      </p>
      <DropZone
        title="Drop the new master here"
        isMultiple={false}
        onFiles={(files) => {
          const { keys, unused } = addFiles(files, { replaces: trackId });
          if (keys.length > 0) showToast({ title: 'Uploading new audio' });
          tellUnusedTracklists(unused);
        }}
      />
      <Replacement trackId={trackId} />
    </section>
  );
}
