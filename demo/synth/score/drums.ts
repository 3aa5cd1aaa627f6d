import { between } from '../dsp/random.ts';
import { toFrames, type Sample } from '../dsp/sample.ts';
import type { SoundEvent } from '../mix/voices.ts';
import { hitsInBar, STEPS_PER_BAR } from '../music/pattern.ts';
import { barInSection, choosePattern, isPresent, velocity, type Bar } from './bar.ts';

const TAKES = 3;

/** Hits alternate between takes, so that no two in a row sound the same. */
export function hitDrum(bar: Bar, sound: string, hit: number): Sample {
  const render = bar.recipe.kit[sound];
  if (!render) throw new Error(`The kit has no sound named "${sound}".`);
  const take = hit % TAKES;
  return bar.bank.get(`${sound}/${take}`, () => render(take));
}

/** The kick is silent in the last half bar before a drop. */
const isBeforeDrop = (bar: Bar, step: number): boolean =>
  bar.section.next === 'drop' &&
  barInSection(bar) === bar.section.bars - 1 &&
  step >= STEPS_PER_BAR / 2;

export function playDrums(bar: Bar): SoundEvent[] {
  return bar.recipe.drums.flatMap((part, n) => {
    if (!isPresent(bar, part)) return [];
    const isKick = part.sound === 'kick';
    const random = bar.chance('drums', n, bar.index);
    const pattern = choosePattern(bar, `drums ${n}`, part.patterns);
    return hitsInBar(pattern, bar.index)
      .filter(({ step }) => !(isKick && isBeforeDrop(bar, step)))
      .map(({ step, value }, hit): SoundEvent => {
        const late = isKick ? 0 : toFrames(random() * 0.004);
        return {
          frame: bar.frameAt(step) + late,
          sample: hitDrum(bar, part.sound, isKick ? 0 : hit),
          gain: part.gain * velocity(value) * (isKick ? 1 : between(random, 0.86, 1.04)),
          pan: part.pan ?? 0,
          bus: part.bus ?? (isKick ? 'kick' : 'drums'),
        };
      });
  });
}
