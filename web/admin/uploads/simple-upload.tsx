import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { DropZone } from './drop-zone.tsx';
import { tellUnusedTracklists } from './tell-unused-tracklists.ts';
import { addFiles } from './upload-queue.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { LazyUploadDetails } from './lazy-upload-details.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads } from './use-uploads.ts';

/** One file: choose it, and fill in the details while it uploads. */
export function Page() {
  const { items, now, accept, cancel } = useUploads();
  const [key, setKey] = useState<string | null>(null);
  const [isEdited, setEdited] = useState(true);
  useEffect(() => LazyUploadDetails.prefetch(), []);
  const item = items.find(({ sending }) => sending !== null && sending.key === key);
  return (
    <AdminFrame title="Simple upload" lead="Upload one mix with a short form.">
      {item ? (
        <ol aria-label="Uploads" className="-mt-4">
          <UploadRow
            now={now}
            upload={item.upload}
            sending={item.sending}
            onEdit={() => setEdited(true)}
            onAccept={accept}
            onCancel={(upload) => {
              setKey(null);
              cancel(upload);
            }}
          />
        </ol>
      ) : (
        <DropZone
          title="Drop one audio file here"
          isMultiple={false}
          takesTracklists
          onFiles={(files) => {
            const { keys, unused } = addFiles(files);
            setEdited(true);
            setKey(keys[0] ?? null);
            tellUnusedTracklists(unused);
          }}
        />
      )}
      <p className="text-13 text-text-2">
        Uploading several? Use{' '}
        <Link href="/admin/upload" className="underline underline-offset-4">
          Uploads
        </Link>
        . No JavaScript? Use the{' '}
        <a href="/admin/upload-old" className="underline underline-offset-4">
          basic form
        </a>
        .
      </p>
      {item?.upload && isEdited && (
        <LazyUploadDetails
          open
          upload={item.upload}
          sending={item.sending}
          onClose={() => setEdited(false)}
          onFail={() => setEdited(false)}
        />
      )}
    </AdminFrame>
  );
}
