import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { formatCount } from '#web/lib/format/format.ts';
import { DropZone } from './drop-zone.tsx';
import { tellUnusedTracklists } from './tell-unused-tracklists.ts';
import { addFiles } from './upload-queue.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { CatalogueRowsSkeleton } from '../admin-skeletons.tsx';
import { LazyUploadDetails } from './lazy-upload-details.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads, type UploadItem } from './use-uploads.ts';

function describeItems(items: readonly UploadItem[]): string {
  const countText = formatCount(items.length, 'mix', 'mixes');
  const sending = items.filter(({ sending: own }) => own?.phase === 'sending').length;
  return sending > 0 ? `${countText}, ${sending} uploading` : countText;
}

export function Page() {
  const { items, pages, now, accept, cancel } = useUploads();
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = items.find(({ upload }) => upload?.id === editedId);
  const close = () => setEditedId(null);
  useEffect(() => LazyUploadDetails.prefetch(), []);
  return (
    <AdminFrame title="Upload" {...(items.length > 0 && { lead: describeItems(items) })}>
      <DropZone takesTracklists onFiles={(files) => tellUnusedTracklists(addFiles(files).unused)} />
      <p className="-mt-4 text-13 text-text-2">
        Only one mix? Use the{' '}
        <Link href="/admin/simple-upload" className="underline underline-offset-4">
          quick form
        </Link>
        . No JavaScript? Use the{' '}
        <a href="/admin/upload-old" className="underline underline-offset-4">
          basic form
        </a>
        .
      </p>
      {pages.error && !pages.data && (
        <Notice tone="danger" title="Couldn’t load your uploads.">
          You can still drop files here.
        </Notice>
      )}
      {pages.isPending && <CatalogueRowsSkeleton />}
      {pages.data && items.length === 0 && (
        <EmptyState title="No uploads yet" text="Drop a file above." />
      )}
      {items.length > 0 && (
        <ol aria-label="Uploads" className="-mt-4">
          {items.map(({ key, upload, sending }) => (
            <UploadRow
              now={now}
              key={key}
              upload={upload}
              sending={sending}
              onEdit={({ id }) => setEditedId(id)}
              onAccept={accept}
              onCancel={cancel}
            />
          ))}
        </ol>
      )}
      {pages.hasNextPage && (
        <Button variant="line" className="self-start" onClick={() => void pages.fetchNextPage()}>
          Show older uploads
        </Button>
      )}
      <p className="text-13 text-text-2">
        One mix with a short form:{' '}
        <Link href="/admin/simple-upload" className="underline underline-offset-4">
          Simple upload
        </Link>
        . Without scripts:{' '}
        <a href="/admin/upload-old" className="underline underline-offset-4">
          Basic upload
        </a>
        .
      </p>
      {edited?.upload && (
        <LazyUploadDetails
          open
          upload={edited.upload}
          sending={edited.sending}
          onClose={close}
          onFail={close}
        />
      )}
    </AdminFrame>
  );
}
