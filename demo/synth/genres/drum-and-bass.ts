import { renderReese } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createPluck } from '../instruments/pluck.ts';
import { renderRim, renderSnare } from '../instruments/snare.ts';
import { SUNLIT } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Fast drums over slow chords: the hurry is all in the feet. */
export const drumAndBass: Recipe = {
  swing: 0.06,
  kit: {
    kick: () =>
      renderKick({ pitch: 55, sweep: 190, sweepTime: 0.016, decay: 0.1, click: 0.2, drive: 2 }),
    snare: (take) => renderSnare(201 + take, 200, 0.1),
    ghost: (take) => renderSnare(205 + take, 240, 0.04),
    hat: (take) => renderHat(209 + take, 0.022, 7800),
    ride: (take) => renderHat(213 + take, 0.16, 6600),
    shaker: (take) => renderShaker(217 + take, 0.045),
    rim: (take) => renderRim(1750 + take * 30),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove drop outro' }, [
      '9... .... ..9. ....',
      '9... .... ..9. .... 9..7 .... ..9. .6..',
    ]),
    drum('snare', { gain: 0.85, in: 'groove drop outro' }, ['.... 9... .... 9...']),
    drum('ghost', { gain: 0.6, in: 'drop' }, ['.... ..3. .4.. ..3.', '.... ...3 .4.. .3.4']),
    drum('hat', { gain: 0.42, pan: -0.12, in: 'intro groove build drop outro' }, [
      '7.5. 7.5. 7.5. 7.5.',
      '7.57 5.7. 7.57 5.75',
    ]),
    drum('ride', { gain: 0.3, pan: 0.2, in: 'drop', after: 8 }, ['6... 6... 6... 6...']),
    drum('shaker', { gain: 0.4, pan: 0.3, in: 'groove build drop break' }, ['3434 3434 3434 3434']),
    percussion('rim', { gain: 0.4, pan: 0.35, in: 'intro build break' }, [
      '...6 ..6. .... ....',
      '..6. .... .6.. 6...',
    ]),
  ],
  bass: [
    play(renderReese, { lowest: 33, longest: 9, gain: 0.9, in: 'groove drop' }, [
      '1... .... ..1. .... ..1. .... 5.7. ....',
      '1... ..1. .... .... 1... .... ..8. 7...',
    ]),
  ],
  chords: [
    play(renderElectricPiano, { voicing: 'ninth', lowest: 57, longest: 14, gain: 0.9 }, [
      '8... .... ..6. .... .... .... .... ....',
      '8... ..7. .... .... .... ..6. .... ....',
    ]),
    pad(
      { cutoff: 1700, attack: 0.5, release: 0.7, motion: 0.2 },
      { voicing: 'seventh', lowest: 52, gain: 1.1, bars: 2 },
    ),
  ],
  leads: [
    play(createPluck(2800), { lowest: 64, longest: 5, gain: 1, in: 'build drop break' }, [
      '7... ..6. ..7. .... 6... .... .... ....',
      '..7. 6... .... ..7. .... 6... .... ....',
    ]),
  ],
  progressions: SUNLIT,
  barsPerChord: 2,
  roll: 'ghost',
  buses: { pad: { duck: 0.35 }, bass: { duck: 0.4 } },
  reverbSeconds: 2.2,
  duckRelease: 0.08,
  drive: -5,
};
