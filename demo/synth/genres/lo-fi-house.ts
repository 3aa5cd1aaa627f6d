import { createBass } from '../instruments/bass.ts';
import { renderHat } from '../instruments/cymbals.ts';
import { renderCrackle } from '../instruments/effects.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createPluck } from '../instruments/pluck.ts';
import { renderClap, renderRim } from '../instruments/snare.ts';
import { SUNLIT } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** A worn tape of a good night: blunt kick, dust, chords that have lost their treble. */
export const lofiHouse: Recipe = {
  swing: 0.16,
  kit: {
    kick: () =>
      renderKick({ pitch: 50, sweep: 120, sweepTime: 0.03, decay: 0.2, click: 0.06, drive: 3 }),
    clap: (take) => renderClap(171 + take, 1000, 0.08),
    hat: (take) => renderHat(175 + take, 0.03, 6000),
    open: (take) => renderHat(179 + take, 0.14, 5600),
    rim: (take) => renderRim(1300 + take * 30),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove build drop outro' }, [
      '9...9...9...9...',
      '9... 9... 9... 9.5.',
    ]),
    drum('clap', { gain: 0.6, in: 'groove drop' }, ['.... 8... .... 8...', '.... 8... .... 8.3.']),
    drum('open', { gain: 0.36, pan: 0.12, in: 'drop outro' }, ['..7. ..7. ..7. ..7.']),
    drum('hat', { gain: 0.36, pan: -0.2, in: 'intro groove build drop' }, [
      '5.53 5.53 5.53 5.53',
      '.45. .45. .45. .455',
    ]),
    percussion('rim', { gain: 0.4, pan: 0.35, in: 'groove drop break' }, [
      '.... ..6. ...6 ....',
      '...6 .... ..6. .5..',
    ]),
  ],
  bass: [
    play(
      createBass({ sub: 0.9, cutoff: 180, opening: 300, openingTime: 0.1, drive: 2 }),
      { lowest: 31, longest: 3, gain: 0.95, in: 'groove drop' },
      ['..1. ..1. ..1. ..5.', '1..1 .... 1.5. ....', '..1. .1.. ..1. 7.5.'],
    ),
  ],
  chords: [
    play(renderElectricPiano, { voicing: 'seventh', lowest: 55, longest: 10, gain: 1 }, [
      '8... .... ..6. ....',
      '8..7 .... .7.. ....',
    ]),
    pad(
      { cutoff: 1000, attack: 0.3, release: 0.6, motion: 0.6 },
      { voicing: 'seventh', lowest: 50, gain: 1.2, in: 'intro build drop break outro' },
    ),
  ],
  leads: [
    play(createPluck(1600), { lowest: 62, longest: 4, gain: 1, in: 'drop break', after: 2 }, [
      '7... .6.. 7... ..6.',
      '..7. ..6. .... 7...',
    ]),
  ],
  textures: [{ voice: renderCrackle, everyBars: 1, gain: 0.28 }],
  progressions: SUNLIT,
  barsPerChord: 1,
  buses: { effects: { reverb: 0.02, gain: 0.16 }, pad: { duck: 0.7 }, chords: { duck: 0.6 } },
  reverbSeconds: 1.8,
  duckRelease: 0.15,
  drive: -4,
};
