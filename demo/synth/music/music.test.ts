import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STYLES } from '../genres/styles.ts';
import { arrange, barsIn, type SynthTrack } from './arrangement.ts';
import { hitsInBar } from './pattern.ts';
import { chordNotes, parseKey, toFrequency } from './scale.ts';
import { BARS_PER_PHRASE, barSeconds, layOutChapters } from './song-form.ts';

const bpm = fc.integer({ min: 60, max: 180 });
const seconds = fc.integer({ min: 60, max: 2000 });
const chapterCount = fc.integer({ min: 5, max: 9 });

describe('hitsInBar', () => {
  it('parses sixteenths, each lasting until the next hit', () => {
    expect(hitsInBar('9... .... 5.7. ....', 3)).toEqual([
      { step: 0, value: 9, length: 8 },
      { step: 8, value: 5, length: 2 },
      { step: 10, value: 7, length: 6 },
    ]);
  });

  it('alternates between the bars of a longer pattern', () => {
    const pattern = `1${'.'.repeat(15)}..2${'.'.repeat(13)}`;
    expect(hitsInBar(pattern, 4).map(({ step }) => step)).toEqual([0]);
    expect(hitsInBar(pattern, 5).map(({ step }) => step)).toEqual([2]);
  });

  it.each(['', '9...', '9..x............'])('rejects %j', (pattern) => {
    expect(() => hitsInBar(pattern, 0)).toThrow('does not consist of bars');
  });
});

describe('scales and chords', () => {
  it('have the right notes', () => {
    expect(toFrequency(69)).toBe(440);
    const names = chordNotes(parseKey('A minor'), 1, 'triad', 57);
    expect(names).toEqual([57, 60, 64]);
    expect(chordNotes(parseKey('C major'), 5, 'seventh', 60)).toEqual([62, 65, 67, 71]);
  });

  it('reject an unknown key', () => {
    expect(() => parseKey('H dorian')).toThrow('"H dorian" is not a key');
  });
});

describe('layOutChapters', () => {
  it('starts every chapter on a phrase, in order, within about the requested duration', () => {
    fc.assert(
      fc.property(bpm, seconds, chapterCount, (tempo, wanted, count) => {
        const { starts, duration } = layOutChapters(tempo, wanted, count);
        const phrase = BARS_PER_PHRASE * barSeconds(tempo);
        expect(starts).toHaveLength(count);
        expect(starts[0]).toBe(0);
        starts.forEach((start, n) => {
          expect(Math.abs(start / phrase - Math.round(start / phrase))).toBeLessThan(0.001);
          expect(start).toBeLessThan((starts[n + 1] ?? duration) - phrase + 0.01);
        });
        expect(duration).toBeLessThan(Math.max(wanted, count * phrase) + phrase + 3);
      }),
    );
  });
});

describe('arrange', () => {
  it('fills every bar once and starts a section with every chapter', () => {
    fc.assert(
      fc.property(bpm, seconds, chapterCount, (tempo, wanted, count) => {
        const { starts, duration } = layOutChapters(tempo, wanted, count);
        const chapters = starts.map((at) => ({ at }));
        const [genre] = STYLES;
        if (!genre) throw new Error('There are no genres.');
        const track: SynthTrack = {
          seed: 1,
          genre,
          bpm: tempo,
          key: 'A minor',
          duration,
          chapters,
        };
        const sections = arrange(track);
        let bar = 0;
        for (const { startBar, bars } of sections) {
          expect(startBar).toBe(bar);
          expect(bars).toBeGreaterThan(0);
          bar += bars;
        }
        expect(bar).toBe(barsIn(track));
        const firstBars = new Set(sections.map(({ startBar }) => startBar));
        for (const start of starts)
          expect(firstBars).toContain(Math.round(start / barSeconds(tempo)));
        expect(sections[0]?.kind).toBe('intro');
        expect(sections.at(-1)?.kind).toBe('outro');
      }),
    );
  });
});
