import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { peaksQuery } from '#web/features/tracks/api.ts';
import { isTimed } from './current-chapter.ts';
import type { PreviewScale, WaveformSource } from './waveform-shape.ts';

const NONE: readonly never[] = [];

type Options = {
  chapters?: readonly Chapter[] | undefined;
  /** Only the preview may be played, and the track is longer. */
  isLocked: boolean;
  scale?: PreviewScale;
};

export function useWaveformSource(
  track: Track,
  { chapters, isLocked, scale = 'preview' }: Options,
): WaveformSource {
  const { data } = useQuery(peaksQuery(track.id));
  const peaks = data?.peaks ?? NONE;
  const { duration, access, previewStart } = track;
  return useMemo(
    () => ({
      peaks,
      duration,
      chapters: chapters?.filter(isTimed).map((chapter) => chapter.at) ?? NONE,
      scale,
      preview: isLocked
        ? { from: access === 'preview' ? previewStart : 0, seconds: PREVIEW_SECONDS }
        : null,
    }),
    [peaks, duration, chapters, scale, isLocked, access, previewStart],
  );
}
