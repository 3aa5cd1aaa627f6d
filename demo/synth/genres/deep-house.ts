import { createBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderElectricPiano, renderOrgan } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createMallet } from '../instruments/pluck.ts';
import { renderClap, renderRim } from '../instruments/snare.ts';
import { JAZZY } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Ninth chords, a round bass and hats that hurry for nobody. */
export const deepHouse: Recipe = {
  swing: 0.18,
  kit: {
    kick: () =>
      renderKick({ pitch: 47, sweep: 170, sweepTime: 0.022, decay: 0.17, click: 0.12, drive: 1.6 }),
    clap: (take) => renderClap(81 + take, 1400, 0.1),
    hat: (take) => renderHat(91 + take, 0.024),
    open: (take) => renderHat(95 + take, 0.11, 7000),
    shaker: (take) => renderShaker(99 + take, 0.06),
    rim: (take) => renderRim(1500 + take * 25),
  },
  drums: [
    drum('kick', { gain: 1, in: 'intro groove build drop outro' }, ['9...9...9...9...']),
    drum('clap', { gain: 0.55, in: 'groove build drop' }, [
      '.... 8... .... 8...',
      '.... 8... .... 8..4',
    ]),
    drum('open', { gain: 0.4, pan: 0.1, in: 'groove drop outro' }, ['..7. ..7. ..7. ..7.']),
    drum('hat', { gain: 0.34, pan: -0.2, in: 'build drop' }, [
      '6454 6454 6454 6454',
      '5.64 5.64 5364 5.64',
    ]),
    drum('shaker', { gain: 0.5, pan: 0.3, in: 'intro groove drop outro', after: 2 }, [
      '3263 3263 3263 3264',
    ]),
    percussion('rim', { gain: 0.4, pan: -0.35, in: 'groove drop break' }, [
      '...6 .... ..6. ....',
      '.... ..5. .6.. ..5.',
    ]),
  ],
  bass: [
    play(
      createBass({
        wave: 'square',
        sub: 0.75,
        cutoff: 220,
        opening: 520,
        openingTime: 0.09,
        drive: 1.5,
      }),
      { lowest: 31, longest: 3, gain: 0.95, in: 'groove drop' },
      ['1..1 ..1. ...5 ..7.', '..1. .1.. ..1. 5.8.', '1... ..1. .1.. 7.5.'],
    ),
  ],
  chords: [
    play(renderElectricPiano, { voicing: 'ninth', lowest: 57, longest: 9, gain: 1 }, [
      '8... ..7. .... ....',
      '...8 .... ..7. ....',
      '8..6 .... ..7. ....',
    ]),
    play(
      renderOrgan,
      { voicing: 'seventh', lowest: 62, longest: 1, gain: 0.6, in: 'drop', after: 4 },
      ['..6. .... ..6. .... ..6. .... .... .6..', '.... ..6. .... ..5.'],
    ),
    pad(
      { cutoff: 1300, attack: 0.5, release: 0.6, motion: 0.17 },
      { voicing: 'seventh', lowest: 52, gain: 1, in: 'intro build drop break outro' },
    ),
  ],
  leads: [
    play(
      createMallet(4, 0.28),
      { lowest: 64, longest: 4, gain: 0.9, in: 'drop break outro', after: 2 },
      ['7... ..6. .... 6... .... .... .... ....', '..7. .... 6..7 .... .... ..6. .... ....'],
    ),
  ],
  progressions: JAZZY,
  barsPerChord: 1,
  reverbSeconds: 2.1,
  duckRelease: 0.13,
  drive: -4,
};
