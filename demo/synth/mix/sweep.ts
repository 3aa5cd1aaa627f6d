import type { Section } from '../music/arrangement.ts';
import type { SectionKind } from '../music/song-form.ts';

/** The values at the start and the end of a section. The high-pass applies to all buses. */
type Automation = {
  lowpass: readonly [number, number];
  highpass: readonly [number, number];
  level: readonly [number, number];
};

const AUTOMATION: Record<SectionKind, Automation> = {
  intro: { lowpass: [900, 4200], highpass: [24, 24], level: [0.66, 0.78] },
  groove: { lowpass: [4500, 9000], highpass: [24, 24], level: [0.84, 0.88] },
  build: { lowpass: [1800, 14_000], highpass: [24, 190], level: [0.78, 0.9] },
  drop: { lowpass: [17_000, 17_000], highpass: [24, 24], level: [1, 1] },
  break: { lowpass: [9000, 2600], highpass: [24, 45], level: [0.66, 0.74] },
  outro: { lowpass: [7000, 700], highpass: [24, 24], level: [0.84, 0.5] },
};

export type Sweep = { lowpass: number; highpass: number; level: number };

/** Geometric, so that a sweep sounds even. */
const glide = ([from, to]: readonly [number, number], t: number): number => from * (to / from) ** t;

export function sweepAt(section: Section, bar: number): Sweep {
  const { lowpass, highpass, level } = AUTOMATION[section.kind];
  const t = Math.min(1, Math.max(0, (bar - section.startBar) / section.bars));
  // A build loses its low end only in its last quarter.
  const late = Math.max(0, t * 4 - 3);
  return { lowpass: glide(lowpass, t), highpass: glide(highpass, late), level: glide(level, t) };
}
