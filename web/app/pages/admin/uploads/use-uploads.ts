import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Upload } from '#contract/uploads.ts';
import { useCatalogueSignals } from '#web/features/catalogue/use-catalogue.ts';
import {
  endUpload,
  keepUpload,
  refreshUploads,
  uploadPagesQuery,
} from '#web/features/uploads/api.ts';
import { isSending, sendings, type Sending } from '#web/features/uploads/upload-queue.ts';
import { describeFailure } from '#web/lib/api.ts';
import { useStore } from '#web/lib/store.ts';
import { showToast } from '#web/lib/toasts.ts';

export type UploadItem = { key: string; upload: Upload | null; sending: Sending | null };

/** What this tab sends and what the server knows, each file once. */
function join(uploads: readonly Upload[], sending: readonly Sending[]): UploadItem[] {
  const known = new Set(uploads.map(({ id }) => id));
  const own = sending.filter(({ uploadId }) => !uploadId || !known.has(uploadId));
  return [
    ...own.map((item) => ({ key: item.uploadId ?? item.key, upload: null, sending: item })),
    ...uploads.map((upload) => ({
      key: upload.id,
      upload,
      sending: sending.findLast((item) => item.uploadId === upload.id) ?? null,
    })),
  ];
}

function useLeavingWarning() {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isSending()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
}

export function useUploads() {
  const client = useQueryClient();
  const pages = useInfiniteQuery(uploadPagesQuery);
  const sending = useStore(sendings);
  const [openedAt] = useState(() => Date.now());
  useCatalogueSignals();
  useLeavingWarning();
  const uploads = pages.data?.pages.flatMap((page) => page.items) ?? [];

  const run = async (act: () => Promise<unknown>, failed: string) => {
    try {
      await act();
      await refreshUploads(client);
    } catch (error) {
      showToast({ title: describeFailure(error, failed), variant: 'destructive' });
    }
  };

  return {
    items: join(uploads, sending),
    pages,
    now: Math.max(openedAt, pages.dataUpdatedAt),
    keep: (upload: Upload) => void run(() => keepUpload(upload.id), 'This file could not be kept.'),
    end: (upload: Upload) => void run(() => endUpload(upload.id), 'This could not be ended.'),
  };
}
