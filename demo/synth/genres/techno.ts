import { renderRumble } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderHandDrum } from '../instruments/hand-drums.ts';
import { renderKick } from '../instruments/kick.ts';
import { createStab } from '../instruments/keys.ts';
import { createPluck } from '../instruments/pluck.ts';
import { renderClap } from '../instruments/snare.ts';
import { DARK } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** One kick, one rumble, one chord and a great deal of echo. */
export const techno: Recipe = {
  swing: 0,
  kit: {
    kick: () =>
      renderKick({ pitch: 46, sweep: 230, sweepTime: 0.018, decay: 0.16, click: 0.2, drive: 2.6 }),
    clap: (take) => renderClap(181 + take, 1500, 0.07),
    hat: (take) => renderHat(185 + take, 0.02, 8000),
    open: (take) => renderHat(189 + take, 0.09, 7400),
    shaker: (take) => renderShaker(193 + take, 0.05),
    tom: (take) => renderHandDrum(96 + take * 10, 0.15, 0.3, 2.2),
  },
  drums: [
    drum('kick', { gain: 1, in: 'intro groove build drop outro' }, ['9...9...9...9...']),
    drum('open', { gain: 0.42, pan: 0.05, in: 'groove drop' }, ['..8. ..8. ..8. ..8.']),
    drum('hat', { gain: 0.32, pan: -0.25, in: 'intro groove build drop outro', after: 2 }, [
      '5356 5356 5356 5356',
      '6454 6454 6454 6455',
    ]),
    drum('clap', { gain: 0.5, in: 'build drop' }, ['.... 7... .... 7...', '.... .... .... 7...']),
    drum('shaker', { gain: 0.4, pan: 0.3, in: 'drop break' }, ['3534 3534 3534 3534']),
    percussion('tom', { gain: 0.5, pan: 0.2, in: 'groove drop break' }, [
      '...6 ..6. .6.. ..6.',
      '..6. .6.. 6..6 ....',
    ]),
  ],
  bass: [
    play(renderRumble, { lowest: 33, longest: 1, gain: 0.85, in: 'intro groove drop', after: 2 }, [
      '.111 .111 .111 .111',
      '..11 ..11 ..11 ..18',
    ]),
  ],
  chords: [
    play(
      createStab({ cutoff: 420, opening: 2600, openingTime: 0.07, release: 0.07 }),
      { voicing: 'triad', lowest: 57, longest: 1, gain: 1, in: 'groove build drop break outro' },
      ['...7 .... ..6. .... .... ..7. .... ....', '..7. .... .... 6... ..7. .... .6.. ....'],
    ),
    pad(
      { cutoff: 700, attack: 0.8, release: 0.8, motion: 0.09 },
      { voicing: 'fifth', lowest: 50, gain: 1, in: 'intro build drop break' },
    ),
  ],
  leads: [
    play(createPluck(1900), { lowest: 52, longest: 1, gain: 0.75, in: 'build drop', after: 4 }, [
      '6.66 .6.6 6.66 .6.6',
      '66.6 6.66 .66. 6.66',
    ]),
  ],
  progressions: DARK,
  barsPerChord: 2,
  roll: 'clap',
  buses: { chords: { delay: 0.4, reverb: 0.3 }, bass: { duck: 0.8 } },
  reverbSeconds: 2.6,
  duckRelease: 0.09,
  drive: -3.8,
};
