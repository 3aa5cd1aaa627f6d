import { describe, expect, it } from 'vitest';
import { planIngest } from './plan-ingest.ts';
import { createProbe } from '../../ports/media/testing/samples.ts';

const summarise = (changes: Parameters<typeof createProbe>[0]) =>
  planIngest(createProbe(changes)).map(({ stage, renditions }) => [stage, ...renditions].join(' '));

describe('the plan of an ingest', () => {
  it('includes FLAC for a lossless master and shares decodes', () => {
    expect(summarise({ hasCover: true })).toEqual([
      'probe',
      'analysis',
      'cover',
      'preview preview',
      'stream stream dataSaver',
      'downloads mp3 flac',
    ]);
  });

  it('has no FLAC for a lossy master and no cover stage without a cover', () => {
    expect(summarise({ container: 'm4a', codec: 'aac', isLossless: false })).toEqual([
      'probe',
      'analysis',
      'preview preview',
      'stream stream dataSaver',
      'downloads mp3',
    ]);
  });

  it('has shares that add up to 1', () => {
    const shares = planIngest(createProbe()).map(({ share }) => share);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });
});
