import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Upload } from '#contract/admin/uploads.ts';
import { useCatalogueSignals } from '#web/admin/tracks/editor/use-catalogue-signals.ts';
import { cancelUpload, acceptUpload, refreshUploads, uploadPagesQuery } from './api.ts';
import { hasUnsavedTracklist, isSending, sendings, type Sending } from './upload-queue.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { useStore } from '#web/lib/store/store.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { useUnloadWarning } from '#web/ui/forms/unsaved-changes.tsx';

export type UploadItem = { key: string; upload: Upload | null; sending: Sending | null };

/** The uploads of this tab and of the server, each file once. */
function mergeUploads(uploads: readonly Upload[], sending: readonly Sending[]): UploadItem[] {
  const ids = new Set(uploads.map(({ id }) => id));
  const own = sending.filter(({ uploadId }) => !uploadId || !ids.has(uploadId));
  return [
    ...own.map((item) => ({ key: item.uploadId ?? item.key, upload: null, sending: item })),
    ...uploads.map((upload) => ({
      key: upload.id,
      upload,
      sending: sending.findLast((item) => item.uploadId === upload.id) ?? null,
    })),
  ];
}

export function useUploads() {
  const client = useQueryClient();
  const pages = useInfiniteQuery(uploadPagesQuery);
  const sending = useStore(sendings);
  const [openedAt] = useState(() => Date.now());
  useCatalogueSignals();
  useUnloadWarning(() => isSending() || hasUnsavedTracklist());
  const uploads = pages.data?.pages.flatMap((page) => page.items) ?? [];

  const run = async (action: () => Promise<unknown>, failed: string) => {
    try {
      await action();
      await refreshUploads(client);
    } catch (error) {
      showToast({ title: describeFailure(error, failed), variant: 'destructive' });
    }
  };

  return {
    items: mergeUploads(uploads, sending),
    pages,
    now: Math.max(openedAt, pages.dataUpdatedAt),
    accept: (upload: Upload) => void run(() => acceptUpload(upload.id), 'Couldn’t keep this file.'),
    cancel: (upload: Upload) =>
      void run(() => cancelUpload(upload.id), 'Couldn’t cancel the upload.'),
  };
}
