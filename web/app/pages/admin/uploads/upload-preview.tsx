import { useQuery } from '@tanstack/react-query';
import type { Upload } from '#contract/uploads.ts';
import { mixPeaksQuery } from '#web/features/catalogue/api.ts';
import { readLocalPeaks } from '#web/features/uploads/local-peaks.ts';
import { findFile, type Sending } from '#web/features/uploads/upload-queue.ts';
import { PreviewPicker } from '../tracks/preview-picker.tsx';

type UploadPreviewProps = {
  upload: Upload;
  sending: Sending | null;
  start: number | null;
  onStart: (seconds: number) => void;
};

const HOW = 'Click or drag on the waveform to choose where it begins.';

/** Nothing can be picked yet, and why. */
function NotYet({ children }: { children: string }) {
  return (
    <div className="grid gap-1">
      <span className="font-medium">Preview</span>
      <p className="text-13 text-text-3">{children}</p>
    </div>
  );
}

/** Where the preview begins, picked while the file is on its way: its waveform is drawn here. */
export function UploadPreview({ upload, sending, start, onStart }: UploadPreviewProps) {
  const file = sending && findFile(sending.key);
  const { track } = upload;
  const isAnalysed = track?.stages.includes('analysis') ?? false;
  const local = useQuery({
    queryKey: ['local-peaks', sending?.key],
    queryFn: ({ signal }) => (file ? readLocalPeaks(file, signal) : null),
    enabled: file !== null && !isAnalysed,
    staleTime: Infinity,
    retry: false,
  });
  const remote = useQuery({
    ...mixPeaksQuery(track?.id ?? '', track?.updatedAt ?? 0),
    enabled: isAnalysed,
  });
  if (track && isAnalysed)
    return (
      <PreviewPicker
        peaks={remote.data?.peaks}
        duration={track.duration}
        start={start}
        note={HOW}
        onStart={onStart}
      />
    );
  if (!file)
    return (
      <NotYet>
        The loudest 20 seconds. This file was chosen in another window: its waveform is drawn here
        once it has arrived and was analysed.
      </NotYet>
    );
  if (local.isPending) return <NotYet>Drawing the waveform from your file …</NotYet>;
  if (!local.data)
    return (
      <NotYet>
        The loudest 20 seconds. This browser cannot draw a file of this kind and size: pick the
        preview once the file has arrived and was analysed.
      </NotYet>
    );
  const { peaks, duration } = local.data;
  return (
    <PreviewPicker peaks={peaks} duration={duration} start={start} note={HOW} onStart={onStart} />
  );
}
