import { useState } from 'react';
import { Link } from 'wouter';
import { DropZone } from '#web/features/uploads/drop-zone.tsx';
import { addFiles } from '#web/features/uploads/upload-queue.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { UploadDetails } from './upload-details.tsx';
import { UploadRow } from './upload-row.tsx';
import { useUploads } from './use-uploads.ts';

/** One mix: choose the file, and say what it is while it is sent. */
export function AdminSimpleUploadPage() {
  const { items, now, keep, end } = useUploads();
  const [key, setKey] = useState<string | null>(null);
  const [isEdited, setEdited] = useState(true);
  const item = items.find(({ sending }) => sending !== null && sending.key === key);
  return (
    <AdminFrame title="Simple upload" lead="One mix in one short form.">
      {item ? (
        <ol aria-label="Uploads" className="-mt-4">
          <UploadRow
            now={now}
            upload={item.upload}
            sending={item.sending}
            onEdit={() => setEdited(true)}
            onKeep={keep}
            onEnd={(upload) => {
              setKey(null);
              end(upload);
            }}
          />
        </ol>
      ) : (
        <DropZone
          title="Drop one master here"
          isMany={false}
          onFiles={(files) => {
            setEdited(true);
            setKey(addFiles(files)[0] ?? null);
          }}
        />
      )}
      <p className="text-13 text-text-2">
        Many at once go through{' '}
        <Link href="/admin/upload" className="underline underline-offset-4">
          Uploads
        </Link>
        . Without scripting there is the{' '}
        <a href="/admin/upload-old" className="underline underline-offset-4">
          plain form
        </a>
        .
      </p>
      {item?.upload && !item.upload.track && isEdited && (
        <UploadDetails
          upload={item.upload}
          sending={item.sending}
          onClose={() => setEdited(false)}
        />
      )}
    </AdminFrame>
  );
}
