import { describe, expect, it } from 'vitest';
import {
  buildNormaliseFilters,
  correctGain,
  isSilent,
  parseLoudness,
  planNormalisation,
} from './loudness.ts';

const SUMMARY = `[Parsed_ebur128_1 @ 0x1] Summary:

  Integrated loudness:
    I:         -15.3 LUFS
    Threshold: -25.3 LUFS

  Loudness range:
    LRA:         1.2 LU
    Threshold: -35.2 LUFS
    LRA low:   -16.1 LUFS
    LRA high:  -14.9 LUFS

  True peak:
    Peak:       -2.1 dBFS`;

const createLoudness = (integrated: number, truePeak: number) => ({
  integrated,
  truePeak,
  range: 5,
  threshold: integrated - 10,
});

describe('loudness', () => {
  it('is parsed from the summary', () => {
    expect(parseLoudness(SUMMARY)).toEqual({
      integrated: -15.3,
      truePeak: -2.1,
      range: 1.2,
      threshold: -25.3,
    });
  });

  it('detects silence', () => {
    const silence = SUMMARY.replace('-15.3', '-70.0').replace('-2.1 dBFS', '-inf dBFS');
    expect(isSilent(parseLoudness(silence))).toBe(true);
    expect(isSilent(parseLoudness(SUMMARY))).toBe(false);
  });

  it('fails without a summary', () => {
    expect(() => parseLoudness('nothing')).toThrow('did not report');
  });

  it.each([
    ['a loud club mix is turned down', -8, 0.4, -6, false],
    ['a quiet mix with room is turned up', -20, -12, 6, false],
    ['a quiet mix with peaks is limited', -20, -6, 6, true],
    ['a peak at the very ceiling is limited, the encoder overshoots', -14, -1.5, 0, true],
    ['a whisper is not blown up without end', -59, -40, 30, false],
  ])('%s', (_, integrated, truePeak, gainDb, isLimited) => {
    expect(planNormalisation(createLoudness(integrated, truePeak))).toEqual({ gainDb, isLimited });
  });

  it('adds back the loudness that the limiter removes', () => {
    const plan = { gainDb: 6, isLimited: true };
    expect(correctGain(plan, createLoudness(-15.2, -2))).toEqual({ gainDb: 7.2, isLimited: true });
  });

  it('uses only gain when that is enough', () => {
    expect(buildNormaliseFilters({ gainDb: -3.25, isLimited: false }, 44_100, 'exact')).toEqual([
      'volume=-3.25dB',
    ]);
  });
});
