import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderHandDrum } from '../instruments/hand-drums.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderLogDrum } from '../instruments/log-drum.ts';
import { createPluck, renderWhistle } from '../instruments/pluck.ts';
import { renderClap, renderRim, renderSnare } from '../instruments/snare.ts';
import { JAZZY } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Walking pace, shakers in front, and a log drum that answers instead of leading. */
export const amapiano: Recipe = {
  swing: 0.14,
  kit: {
    kick: () =>
      renderKick({ pitch: 49, sweep: 150, sweepTime: 0.026, decay: 0.15, click: 0.1, drive: 1.5 }),
    shaker: (take) => renderShaker(21 + take, 0.075),
    hat: (take) => renderHat(31 + take, 0.03),
    rim: (take) => renderRim(1650 + take * 30),
    clap: (take) => renderClap(41 + take, 1300, 0.075),
    snare: (take) => renderSnare(51 + take, 205, 0.08),
    conga: (take) => renderHandDrum(235 + take * 4, 0.1, 0.25),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove build drop outro' }, ['9...9...9...9...']),
    drum('shaker', { gain: 0.62, pan: 0.18, in: 'intro groove build drop outro' }, [
      '4384 4384 4384 4385',
      '5376 4386 5376 4387',
    ]),
    drum('hat', { gain: 0.42, pan: -0.15, in: 'build drop' }, ['..7. ..7. ..7. ..75']),
    percussion('rim', { gain: 0.55, pan: -0.3, in: 'intro groove drop break', after: 2 }, [
      '...7 ..6. ...7 .5..',
      '..7. .7.. ..7. .6.4',
      '...6 ..7. ..6. 7...',
    ]),
    drum('clap', { gain: 0.55, in: 'groove build drop' }, ['.... 8... .... 8...']),
    drum('snare', { gain: 0.5, pan: 0.1, in: 'drop' }, [
      '.... .... .... ..6. .... .... .... .645',
      '.... ...5 .... .... .... ...5 .... 5.65',
    ]),
    percussion('conga', { gain: 0.5, pan: 0.35, in: 'groove drop', after: 4 }, [
      '..6. ..4. .6.. 5.7.',
      '6... 4.6. ..6. 4..6',
    ]),
  ],
  bass: [
    play(renderLogDrum, { lowest: 31, longest: 4, gain: 1, in: 'drop' }, [
      '...1 ..1. ..1. 5.1. ...1 ..1. 8.7. 5.3.',
      '1... ..1. .1.. 5.8. ...1 ..5. .1.1 ..7.',
      '..1. .1.. 1..5 ..1. ..1. .8.. 7..5 ..1.',
    ]),
    play(renderLogDrum, { lowest: 31, longest: 6, gain: 0.75, in: 'groove build' }, [
      '.... .... ...1 ..1.',
      '1... .... .... 5...',
    ]),
  ],
  chords: [
    play(renderElectricPiano, { voicing: 'ninth', lowest: 57, longest: 7, gain: 1 }, [
      '8... ..6. ..7. ....',
      '..8. ..6. .... 7...',
      '7... .7.. .... 6...',
    ]),
    pad(
      { cutoff: 1500, attack: 0.35, release: 0.5, motion: 0.21 },
      { voicing: 'seventh', lowest: 52, gain: 1, in: 'intro build drop break' },
    ),
  ],
  leads: [
    play(createPluck(2600), { lowest: 64, longest: 3, gain: 0.9, in: 'drop', after: 4 }, [
      '..7. .6.. 7... ..6.',
      '7..6 ..7. .... ....',
      '.... ..6. 7.6. 7...',
    ]),
    play(renderWhistle, { lowest: 69, longest: 8, gain: 0.5, in: 'groove break' }, [
      '7... .... ..6. .... .... .... .... ....',
    ]),
  ],
  progressions: JAZZY,
  barsPerChord: 1,
  roll: 'snare',
  reverbSeconds: 1.7,
  duckRelease: 0.11,
  drive: -4.4,
};
