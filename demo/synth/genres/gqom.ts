import { createBass } from '../instruments/bass.ts';
import { renderHat } from '../instruments/cymbals.ts';
import { renderSiren } from '../instruments/effects.ts';
import { renderBell, renderHandDrum } from '../instruments/hand-drums.ts';
import { createStab } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createMallet } from '../instruments/pluck.ts';
import { renderClap, renderRim, renderSnare } from '../instruments/snare.ts';
import { DARK } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Durban after midnight: broken kicks in threes, toms, a drone and a siren far away. */
export const gqom: Recipe = {
  swing: 0.04,
  kit: {
    kick: () =>
      renderKick({ pitch: 52, sweep: 210, sweepTime: 0.02, decay: 0.13, click: 0.18, drive: 2.4 }),
    clap: (take) => renderClap(61 + take, 1150, 0.08),
    snare: (take) => renderSnare(63 + take, 230, 0.06),
    rim: (take) => renderRim(1900 - take * 40),
    tom: (take) => renderHandDrum(118 + take * 9, 0.14, 0.4, 2),
    block: (take) => renderBell(690 + take * 12, 0.03),
    hat: (take) => renderHat(71 + take, 0.022, 8200),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove build drop outro' }, [
      '9..9 ..9. ..9. ....',
      '9..9 ..9. .9.. 9...',
      '9... ..9. ..9. .9..',
    ]),
    drum('clap', { gain: 0.85, in: 'groove build drop' }, [
      '.... ..8. .... ..8.',
      '.... 8... ...8 ....',
    ]),
    percussion('rim', { gain: 0.45, pan: 0.3, in: 'intro groove drop outro' }, [
      '7..7 ..7. 7..7 ..75',
      '.7.7 .7.. 7..7 ..7.',
    ]),
    percussion('tom', { gain: 0.7, pan: -0.25, in: 'groove drop break' }, [
      '.... ...6 ..7. 8.6. .... .... ..6. 7.86',
      '..6. .... 7..7 .... ..6. .... 7.66 7.8.',
    ]),
    percussion('block', { gain: 0.4, pan: -0.45, in: 'drop', after: 4 }, [
      '..5. 5..5 ..5. 5...',
      '5..5 ..5. .5.. 5.5.',
    ]),
    drum('hat', { gain: 0.75, pan: 0.12, in: 'build drop' }, [
      '..6. ..6. ..6. ..6.',
      '5.63 5.63 5.63 5.63',
    ]),
  ],
  bass: [
    play(
      createBass({ sub: 0.8, cutoff: 170, opening: 500, openingTime: 0.06, drive: 2.2 }),
      { lowest: 33, longest: 3, gain: 0.95, in: 'groove drop' },
      ['1..1 ..1. ..1. ....', '1... ..1. ..2. 1...', '1..1 .... 1.1. ..7.'],
    ),
  ],
  chords: [
    play(
      createStab({ cutoff: 450, opening: 2400, openingTime: 0.09, release: 0.09 }),
      { voicing: 'fifth', lowest: 53, longest: 2, gain: 0.9, in: 'build drop' },
      ['..7. .... ..6. .... ..7. .... .... 6.5.', '7... ..6. .... .... .... .... ..6. ....'],
    ),
    pad(
      { cutoff: 800, attack: 0.4, release: 0.5, motion: 0.13 },
      { voicing: 'fifth', lowest: 48, gain: 1.1 },
    ),
  ],
  leads: [
    play(
      createMallet(2.76, 0.16),
      { lowest: 62, longest: 2, gain: 0.8, in: 'drop break', after: 4 },
      ['7..6 ..7. ..6. ....', '..7. .6.. 7..6 ..5.'],
    ),
  ],
  textures: [
    {
      voice: (seconds, seed) => renderSiren(seconds, 620 + seed * 40),
      everyBars: 4,
      gain: 0.32,
      in: 'intro build break',
    },
  ],
  progressions: DARK,
  barsPerChord: 1,
  roll: 'tom',
  buses: { percussion: { reverb: 0.16, gain: 0.66 }, effects: { delay: 0.2, reverb: 0.4 } },
  reverbSeconds: 2.2,
  duckRelease: 0.08,
  drive: -4,
};
