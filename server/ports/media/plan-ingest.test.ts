import { describe, expect, it } from 'vitest';
import { planIngest } from './plan-ingest.ts';
import { createProbe } from './testing/samples.ts';

const summarise = (changes: Parameters<typeof createProbe>[0]) =>
  planIngest(createProbe(changes)).map(({ stage, renditions }) => [stage, ...renditions].join(' '));

describe('the plan of an ingest', () => {
  it('offers FLAC for a lossless master and shares decodes', () => {
    expect(summarise({ hasCover: true })).toEqual([
      'probe',
      'analysis',
      'cover',
      'preview preview',
      'stream stream dataSaver',
      'downloads mp3 flac',
    ]);
  });

  it('offers no FLAC of a lossy master and skips a cover that is not there', () => {
    expect(summarise({ container: 'm4a', codec: 'aac', isLossless: false })).toEqual([
      'probe',
      'analysis',
      'preview preview',
      'stream stream dataSaver',
      'downloads mp3',
    ]);
  });

  it('divides the whole work', () => {
    const shares = planIngest(createProbe()).map(({ share }) => share);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });
});
