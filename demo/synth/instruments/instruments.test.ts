import { describe, expect, it } from 'vitest';
import type { Sample } from '../dsp/sample.ts';
import type { Recipe } from '../genres/recipe.ts';
import { RECIPES, STYLES } from '../genres/styles.ts';
import { renderCrash } from './cymbals.ts';
import { renderFall, renderRiser } from './effects.ts';

/** Every sound a genre can make. */
function soundsOf(recipe: Recipe): [string, Sample][] {
  const chord = [220, 277.18, 329.63];
  return [
    ...Object.entries(recipe.kit).map(([name, render]): [string, Sample] => [name, render(0)]),
    ...recipe.bass.map(({ voice }): [string, Sample] => ['bass', voice(55, 0.25)]),
    ...recipe.chords.map(({ voice }): [string, Sample] => ['chords', voice(chord, 0.4)]),
    ...recipe.leads.map(({ voice }): [string, Sample] => ['lead', voice(440, 0.25)]),
    ...(recipe.textures ?? []).map(({ voice }): [string, Sample] => ['texture', voice(1, 3)]),
  ];
}

function expectClean(name: string, { left, right }: Sample): void {
  for (const side of [left, right]) {
    expect(side.every(Number.isFinite), `${name} is made of numbers`).toBe(true);
    expect(Math.abs(side[0] ?? 1), `${name} starts without a click`).toBeLessThan(0.02);
    expect(Math.abs(side.at(-1) ?? 1), `${name} stops without a click`).toBeLessThan(0.001);
  }
  const peak = Math.max(
    ...[left, right].map((side) => side.reduce((a, x) => Math.max(a, Math.abs(x)), 0)),
  );
  expect(peak, `${name} enters the mixer at a known level`).toBeCloseTo(1, 5);
}

describe('instruments', () => {
  it.each(STYLES)('of %s start and end in silence and peak at one', (style) => {
    for (const [name, sample] of soundsOf(RECIPES[style])) expectClean(name, sample);
  });

  it('between sections do so too', () => {
    expectClean('riser', renderRiser(1, 1));
    expectClean('fall', renderFall(1, 1));
    expectClean('crash', renderCrash(1));
  });
});
