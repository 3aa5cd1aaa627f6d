import { createBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderBell, renderHandDrum } from '../instruments/hand-drums.ts';
import { renderKick } from '../instruments/kick.ts';
import { createStab } from '../instruments/keys.ts';
import { createMallet, renderWhistle } from '../instruments/pluck.ts';
import { renderClap } from '../instruments/snare.ts';
import { SUNLIT } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Four on the floor under a conversation of hand drums, with a marimba that has the last word. */
export const afroHouse: Recipe = {
  swing: 0.08,
  kit: {
    kick: () =>
      renderKick({ pitch: 50, sweep: 160, sweepTime: 0.024, decay: 0.16, click: 0.1, drive: 1.8 }),
    clap: (take) => renderClap(101 + take, 1200, 0.07),
    low: (take) => renderHandDrum(150 + take * 3, 0.16, 0.2),
    mid: (take) => renderHandDrum(232 + take * 4, 0.11, 0.3),
    high: (take) => renderHandDrum(352 + take * 6, 0.07, 0.5),
    bell: (take) => renderBell(590 + take * 4, 0.06),
    shaker: (take) => renderShaker(111 + take, 0.07),
    hat: (take) => renderHat(121 + take, 0.08, 7600),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove build drop outro' }, ['9...9...9...9...']),
    drum('shaker', { gain: 0.55, pan: 0.25, in: 'intro groove build drop outro' }, [
      '5374 5374 5374 5375',
    ]),
    percussion('bell', { gain: 0.34, pan: -0.4, in: 'intro groove drop break' }, [
      '7..6 ..7. ..6. 7...',
      '7.6. 7..6 .6.7 .6..',
    ]),
    percussion('low', { gain: 0.6, pan: -0.15, in: 'intro groove drop break' }, [
      '8... ..7. ..8. ....',
      '..7. .... 8..7 ....',
    ]),
    percussion('mid', { gain: 0.5, pan: 0.3, in: 'groove build drop' }, [
      '..6. 7..6 ..6. 7.64',
      '.6.7 ..6. .7.6 ..75',
    ]),
    percussion('high', { gain: 0.42, pan: 0.5, in: 'drop break', after: 2 }, [
      '...5 .... .6.. ..75',
      '.... .5.6 .... 6.5.',
    ]),
    drum('clap', { gain: 0.45, in: 'drop' }, ['.... 7... .... 7...']),
    drum('hat', { gain: 0.36, pan: -0.1, in: 'drop' }, ['..7. ..7. ..7. ..7.']),
  ],
  bass: [
    play(
      createBass({ sub: 0.8, cutoff: 190, opening: 420, openingTime: 0.08, drive: 1.6 }),
      { lowest: 31, longest: 2, gain: 0.95, in: 'groove drop' },
      ['..1. ..1. ..1. .15.', '1..1 ..1. 1..5 ..1.', '..1. 1..1 ..1. 5.7.'],
    ),
  ],
  chords: [
    play(
      createStab({ cutoff: 500, opening: 2300, openingTime: 0.12, release: 0.14 }),
      { voicing: 'triad', lowest: 58, longest: 2, gain: 0.85, in: 'build drop' },
      ['..7. .... ..6. ....', '...7 ..6. .... ....'],
    ),
    pad(
      { cutoff: 1250, attack: 0.6, release: 0.7, motion: 0.11 },
      { voicing: 'seventh', lowest: 50, gain: 1.1 },
    ),
  ],
  leads: [
    play(createMallet(4, 0.2), { lowest: 62, longest: 2, gain: 1, in: 'build drop break' }, [
      '7.6. .7.6 ..7. 6...',
      '7..7 .6.. 7..6 .7..',
      '.7.6 7... .7.6 7.5.',
    ]),
    play(renderWhistle, { lowest: 67, longest: 10, gain: 0.45, in: 'drop break', after: 4 }, [
      '.... .... 7... .... .... .... .... ....',
    ]),
  ],
  progressions: SUNLIT,
  barsPerChord: 1,
  roll: 'mid',
  buses: { percussion: { gain: 0.72 } },
  reverbSeconds: 2,
  duckRelease: 0.12,
  drive: -4.4,
};
