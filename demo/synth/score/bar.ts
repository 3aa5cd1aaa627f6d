import { createRandom, hashSeed, type Random } from '#contract/rules/random.ts';
import { pick } from '../dsp/random.ts';
import { SAMPLE_RATE, type Sample } from '../dsp/sample.ts';
import type { Presence, Recipe } from '../genres/recipe.ts';
import type { Section, SynthTrack } from '../music/arrangement.ts';
import { STEPS_PER_BAR, type Pattern } from '../music/pattern.ts';
import { parseKey, type Scale } from '../music/scale.ts';
import { barSeconds } from '../music/song-form.ts';

/** Caches rendered sounds: a track repeats the same few hundred sounds. */
export class SampleBank {
  #samples = new Map<string, Sample>();

  get(key: string, render: () => Sample): Sample {
    let sample = this.#samples.get(key);
    if (!sample) this.#samples.set(key, (sample = render()));
    return sample;
  }
}

/** One bar of a track, with everything its parts need. */
export type Bar = {
  index: number;
  section: Section;
  recipe: Recipe;
  scale: Scale;
  isMajor: boolean;
  bank: SampleBank;
  stepSeconds: number;
  /** The frame that a step starts at, including swing. */
  frameAt: (step: number) => number;
  /** Random numbers that depend only on the track and these names. */
  chance: (...names: (string | number)[]) => Random;
};

export const frameOfStep = (bpm: number, step: number): number =>
  Math.round((step * barSeconds(bpm) * SAMPLE_RATE) / STEPS_PER_BAR);

export function openBar(
  track: SynthTrack,
  recipe: Recipe,
  bank: SampleBank,
  section: Section,
  index: number,
): Bar {
  const swung = (step: number) => (Math.floor(step) % 2 === 1 ? recipe.swing : 0);
  return {
    index,
    section,
    recipe,
    bank,
    scale: parseKey(track.key),
    isMajor: track.key.endsWith('major'),
    stepSeconds: barSeconds(track.bpm) / STEPS_PER_BAR,
    frameAt: (step) => frameOfStep(track.bpm, index * STEPS_PER_BAR + step + swung(step)),
    chance: (...names) => createRandom(hashSeed(track.seed, ...names)),
  };
}

export const barInSection = ({ index, section }: Bar): number => index - section.startBar;

export const isPresent = (bar: Bar, part: Presence): boolean =>
  (part.in?.split(' ').includes(bar.section.kind) ?? true) &&
  barInSection(bar) >= (part.after ?? 0);

/** Parts change their pattern every four chapters. */
export function choosePattern(bar: Bar, name: string, patterns: readonly Pattern[]): Pattern {
  const { song, chapter } = bar.section;
  return pick(bar.chance(name, song, chapter >> 2), patterns);
}

/** The loudness of a pattern's digit. */
export const velocity = (digit: number): number => (digit / 9) ** 1.4;
