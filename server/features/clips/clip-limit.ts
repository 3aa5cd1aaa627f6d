import { countBeyond, joinSpans, previewSpan, type Span } from '#contract/rules/clips.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { CountedSpan } from './queries.ts';

/** What of a track decides how much of it its clips give away. */
export type LimitedTrack = Pick<
  TracksTable,
  'preview_start_ms' | 'duration_ms' | 'is_subscriber_only'
> & {
  audioKey: string | undefined;
  /** Where the file of the preview starts; null if there is none. */
  previewFileMs: number | null;
};

const toSpan = ({ start_s, seconds }: Pick<CountedSpan, 'start_s' | 'seconds'>): Span => ({
  from: start_s,
  to: start_s + seconds,
});

/**
 * What everyone can hear without a clip. While a preview that was moved is cut again, that is only
 * what the file has now and will still have then: the cut may fail.
 */
function previewOf(track: LimitedTrack): Span[] {
  const { is_subscriber_only, previewFileMs, preview_start_ms, duration_ms } = track;
  if (is_subscriber_only || previewFileMs === null) return [];
  const [cut, chosen] = [previewFileMs, preview_start_ms ?? previewFileMs].map((start) =>
    previewSpan(start / 1000, duration_ms / 1000),
  ) as [Span, Span];
  return joinSpans([{ from: Math.max(cut.from, chosen.from), to: Math.min(cut.to, chosen.to) }]);
}

/** Seconds that a new clip of the present audio may have without giving away more. */
export const listFree = (track: LimitedTrack, clips: readonly CountedSpan[]): Span[] => [
  ...clips.filter(({ audio_key }) => audio_key === track.audioKey).map(toSpan),
  ...previewOf(track),
];

/**
 * How many seconds were given away beyond the preview. The same second of two clips is one, but new
 * audio is something else to hear: what its clips give away is added to that of the audio before.
 */
export function countUsed(track: LimitedTrack, clips: readonly CountedSpan[]): number {
  const byAudio = Map.groupBy(clips, ({ audio_key }) => audio_key);
  return [...byAudio].reduce(
    (sum, [key, ofAudio]) =>
      sum + countBeyond(ofAudio.map(toSpan), key === track.audioKey ? previewOf(track) : []),
    0,
  );
}
