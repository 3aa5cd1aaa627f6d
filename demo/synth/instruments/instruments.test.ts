import { describe, expect, it } from 'vitest';
import type { Sample } from '../dsp/sample.ts';
import type { Recipe } from '../genres/recipe.ts';
import { RECIPES, STYLES } from '../genres/styles.ts';
import { renderCrash } from './cymbals.ts';
import { renderFall, renderRiser } from './effects.ts';

/** Every sound of a genre. */
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

/** The problems of a sound. */
function faultsOf([name, { left, right }]: [string, Sample]): string[] {
  const peakOf = (side: Float32Array) => side.reduce((high, x) => Math.max(high, Math.abs(x)), 0);
  const faults = [left, right].flatMap((side) => [
    ...(side.every(Number.isFinite) ? [] : [`${name} contains invalid numbers`]),
    ...(Math.abs(side[0] ?? 1) < 0.02 ? [] : [`${name} starts with a click`]),
    ...(Math.abs(side.at(-1) ?? 1) < 0.001 ? [] : [`${name} stops with a click`]),
  ]);
  const isNormal = Math.abs(Math.max(peakOf(left), peakOf(right)) - 1) < 1e-5;
  return isNormal ? faults : [...faults, `${name} does not peak at one`];
}

describe('instruments', () => {
  it.each(STYLES)('of %s start and end in silence and peak at one', (style) => {
    expect(soundsOf(RECIPES[style]).flatMap(faultsOf)).toEqual([]);
  });

  it('for transitions do so too', () => {
    const sounds: [string, Sample][] = [
      ['riser', renderRiser(1, 1)],
      ['fall', renderFall(1, 1)],
      ['crash', renderCrash(1)],
    ];
    expect(sounds.flatMap(faultsOf)).toEqual([]);
  });
});
