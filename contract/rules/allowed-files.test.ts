import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_ON,
  findAllowedFiles,
  NO_ENDS,
  type AllowedFiles,
  type FileEnds,
  type TrackSwitches,
} from './allowed-files.ts';

const NOTHING: AllowedFiles = { mp3: false, flac: false, saving: false };

const time = fc.integer({ min: 0, max: 1000 });
const end = fc.option(time, { nil: null });
const site = fc.record({ downloadsEnd: end, losslessEnd: end, savingEnd: end });
const flag = fc.constantFrom(0 as const, 1 as const);
const mix = fc.record({ has_downloads: flag, has_lossless: flag, has_saving: flag });

const countAllowed = (allowed: AllowedFiles) => Object.values(allowed).filter(Boolean).length;

describe('what members may take with them', () => {
  it('is everything until an operator turns something off', () => {
    expect(findAllowedFiles(NO_ENDS, ALL_ON, 0)).toEqual({ mp3: true, flac: true, saving: true });
  });

  it('ends at its time, not before', () => {
    const ends = { ...NO_ENDS, downloadsEnd: 100 };
    expect(findAllowedFiles(ends, ALL_ON, 99).mp3).toBe(true);
    expect(findAllowedFiles(ends, ALL_ON, 100)).toEqual({ ...NOTHING, saving: true });
  });

  it('can lose lossless files or saving alone', () => {
    const without = (change: Partial<TrackSwitches>) =>
      findAllowedFiles(NO_ENDS, { ...ALL_ON, ...change }, 0);
    expect(without({ has_lossless: 0 })).toEqual({ mp3: true, flac: false, saving: true });
    expect(without({ has_saving: 0 })).toEqual({ mp3: true, flac: true, saving: false });
    expect(without({ has_downloads: 0 })).toEqual({ ...NOTHING, saving: true });
  });

  it('needs the site and the mix, and has lossless files only with downloads', () => {
    expect(Object.keys(findAllowedFiles(NO_ENDS, ALL_ON, 0))).toEqual(['mp3', 'flac', 'saving']);
    fc.assert(
      fc.property(site, mix, time, (ends, switches, now) => {
        const allowed = findAllowedFiles(ends, switches, now);
        const bySite = findAllowedFiles(ends, ALL_ON, now);
        const byMix = findAllowedFiles(NO_ENDS, switches, now);
        for (const name of ['mp3', 'flac', 'saving'] as const)
          expect(allowed[name]).toBe(bySite[name] && byMix[name]);
        if (allowed.flac) expect(allowed.mp3).toBe(true);
      }),
    );
  });

  it('never grows as time passes', () => {
    expect(countAllowed(findAllowedFiles(NO_ENDS, ALL_ON, 0))).toBe(3);
    fc.assert(
      fc.property(site, mix, time, time, (ends, switches, one, other) => {
        const [before, after] = [Math.min(one, other), Math.max(one, other)];
        const [was, is] = [before, after].map((now) => findAllowedFiles(ends, switches, now));
        if (was && is) expect(countAllowed(is)).toBeLessThanOrEqual(countAllowed(was));
      }),
    );
  });

  it('is nothing where a time or a switch can’t be read', () => {
    const broken = { downloadsEnd: NaN, losslessEnd: NaN, savingEnd: NaN };
    expect(findAllowedFiles(broken, ALL_ON, 0)).toEqual(NOTHING);
    const missing = { downloadsEnd: undefined } as unknown as FileEnds;
    expect(findAllowedFiles({ ...broken, ...missing }, ALL_ON, 0)).toEqual(NOTHING);
    expect(findAllowedFiles(NO_ENDS, {} as TrackSwitches, 0)).toEqual(NOTHING);
    expect(findAllowedFiles(NO_ENDS, ALL_ON, NaN)).toMatchObject({ mp3: true });
  });
});
