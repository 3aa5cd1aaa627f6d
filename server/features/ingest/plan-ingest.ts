import type { RenditionName } from '../../db/types/tables.ts';
import type { MediaProbe } from '../../ports/media/media.ts';

/** Stages in the order they run. Each can be repeated on its own. */
type IngestStage = 'probe' | 'analysis' | 'cover' | 'preview' | 'stream' | 'downloads';

export type IngestStep = {
  stage: IngestStage;
  /** What one `encode` call writes; empty if the stage writes no audio. */
  renditions: RenditionName[];
  /** Share of the whole work, for the progress bar; all shares add up to 1. */
  share: number;
};

/** CPU seconds per minute of audio, relative to one another, as measured. */
const COSTS = { analysis: 0.95, mp3: 0.68, dataSaver: 0.75, flac: 0.19, copy: 0.02, fixed: 0.02 };

/** The stages for a master: the preview comes early, so that pages have something to play. */
export function planIngest(probe: MediaProbe): IngestStep[] {
  const hasFlac = probe.isLossless;
  const downloadCost =
    (probe.container === 'mp3' ? COSTS.copy : COSTS.mp3) +
    (hasFlac ? (probe.container === 'flac' ? COSTS.copy : COSTS.flac) : 0);
  const steps: IngestStep[] = [
    { stage: 'probe', renditions: [], share: COSTS.fixed },
    { stage: 'analysis', renditions: [], share: COSTS.analysis },
    ...(probe.hasCover ? [{ stage: 'cover' as const, renditions: [], share: COSTS.fixed }] : []),
    { stage: 'preview', renditions: ['preview'], share: COSTS.fixed },
    { stage: 'stream', renditions: ['stream', 'dataSaver'], share: COSTS.mp3 + COSTS.dataSaver },
    {
      stage: 'downloads',
      renditions: hasFlac ? ['mp3', 'flac'] : ['mp3'],
      share: downloadCost,
    },
  ];
  const total = steps.reduce((sum, { share }) => sum + share, 0);
  return steps.map((step) => ({ ...step, share: step.share / total }));
}
