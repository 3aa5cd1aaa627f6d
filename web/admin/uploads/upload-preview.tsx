import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import { adminPeaksQuery } from '#web/admin/tracks/editor/api.ts';
import { computeLocalPeaks } from './local-peaks.ts';
import { findFile, type Sending } from './upload-queue.ts';
import { PreviewPicker } from '../tracks/preview-picker.tsx';

type UploadPreviewProps = {
  upload: Upload;
  sending: Sending | null;
  start: number | null;
  onStart: (seconds: number) => void;
};

const streamOf = ({ id }: { id: string }): string => `/media/tracks/${id}/stream`;

const HINT = 'Click or drag on the waveform to choose where it starts.';

function PreviewUnavailable({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <span className="font-medium">Preview</span>
      <p className="text-13 text-text-3">{children}</p>
    </div>
  );
}

/** Picks the start of the preview during the upload, on a waveform drawn from the local file. */
export function UploadPreview({ upload, sending, start, onStart }: UploadPreviewProps) {
  const file = sending && findFile(sending.key);
  const { track } = upload;
  const isAnalysed = track?.stages.includes('analysis') ?? false;
  const local = useQuery({
    queryKey: ['local-peaks', sending?.key],
    queryFn: ({ signal }) => (file ? computeLocalPeaks(file, signal) : null),
    enabled: file !== null && !isAnalysed,
    staleTime: Infinity,
    retry: false,
  });
  const remote = useQuery({
    ...adminPeaksQuery(track?.id ?? ''),
    enabled: isAnalysed,
  });
  if (track && isAnalysed)
    return (
      <PreviewPicker
        peaks={remote.data?.peaks}
        duration={track.duration}
        start={start}
        note={HINT}
        sound={file ?? (track.files.some(({ name }) => name === 'stream') ? streamOf(track) : null)}
        onStart={onStart}
      />
    );
  if (!file)
    return (
      <PreviewUnavailable>
        The loudest {PREVIEW_LENGTH_TEXT}. This file was added in another window. Its waveform
        appears once it’s uploaded and analysed.
      </PreviewUnavailable>
    );
  if (local.isPending) return <PreviewUnavailable>Drawing the waveform…</PreviewUnavailable>;
  if (!local.data)
    return (
      <PreviewUnavailable>
        The loudest {PREVIEW_LENGTH_TEXT}. This browser can’t draw this file. Pick the preview once
        it’s uploaded and analysed.
      </PreviewUnavailable>
    );
  const { peaks, duration } = local.data;
  return <PreviewPicker {...{ peaks, duration, start, onStart }} note={HINT} sound={file} />;
}
