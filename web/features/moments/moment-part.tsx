import type { Track } from '#contract/tracks.ts';
import { MomentList } from './moment-list.tsx';
import { MomentMarks } from './moment-marks.tsx';
import { MomentRow } from './moment-row.tsx';

const parts = { marks: MomentMarks, row: MomentRow, list: MomentList };

/**
 * `marks` under the waveform, a `row` with the line that passes and the way to leave one, and the
 * `list` of all.
 */
export type MomentPartName = keyof typeof parts;

export function MomentPart({ part, track }: { part: MomentPartName; track: Track }) {
  const Part = parts[part];
  return <Part track={track} />;
}
