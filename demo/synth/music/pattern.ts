export const STEPS_PER_BAR = 16;

/**
 * A bar has sixteen characters, one per sixteenth: `.` is a rest, `1` to `9` a hit. For drums, chords
 * and leads the digit is the loudness, for bass lines the scale step above the chord's root (1 is the
 * root, 5 the fifth, 8 the octave). Blanks are ignored. A pattern can have several bars.
 */
export type Pattern = string;

type PatternHit = { step: number; value: number; length: number };

const cache = new Map<Pattern, readonly PatternHit[][]>();

function parsePattern(pattern: Pattern): readonly PatternHit[][] {
  const steps = pattern.replaceAll(' ', '');
  if (steps.length === 0 || steps.length % STEPS_PER_BAR !== 0 || /[^.1-9]/.test(steps)) {
    throw new Error(`The pattern "${pattern}" does not consist of bars of ${STEPS_PER_BAR} steps.`);
  }
  const bars = Array.from({ length: steps.length / STEPS_PER_BAR }, (): PatternHit[] => []);
  for (const { index, 0: digit } of steps.matchAll(/[1-9]/g)) {
    const rest = steps.slice(index + 1).search(/[1-9]/);
    const length = rest === -1 ? steps.length - index : rest + 1;
    bars[Math.floor(index / STEPS_PER_BAR)]?.push({
      step: index % STEPS_PER_BAR,
      value: Number(digit),
      length,
    });
  }
  return bars;
}

/** The hits in bar `bar` of a repeating pattern; each lasts until the next hit. */
export function hitsInBar(pattern: Pattern, bar: number): readonly PatternHit[] {
  let bars = cache.get(pattern);
  if (!bars) cache.set(pattern, (bars = parsePattern(pattern)));
  return bars[bar % bars.length] ?? [];
}
