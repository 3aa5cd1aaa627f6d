import { createBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderHandDrum } from '../instruments/hand-drums.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createPluck } from '../instruments/pluck.ts';
import { renderRim, renderSnare } from '../instruments/snare.ts';
import { JAZZY } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** A drummer who avoids the obvious beat and a bass player who knows where it went. */
export const brokenBeat: Recipe = {
  swing: 0.24,
  kit: {
    kick: () =>
      renderKick({ pitch: 53, sweep: 150, sweepTime: 0.02, decay: 0.13, click: 0.16, drive: 1.6 }),
    snare: (take) => renderSnare(151 + take, 190, 0.1),
    rim: (take) => renderRim(1600 + take * 35),
    hat: (take) => renderHat(161 + take, 0.028),
    open: (take) => renderHat(165 + take, 0.12, 7200),
    shaker: (take) => renderShaker(169 + take, 0.055),
    tom: (take) => renderHandDrum(140 + take * 14, 0.13, 0.3),
  },
  drums: [
    drum('kick', { gain: 1, in: 'groove build drop outro' }, [
      '9... ..9. .9.. .... 9..7 .... .9.. ..6.',
      '9..8 .... ..9. .7.. 9... ..8. .9.. ....',
    ]),
    drum('snare', { gain: 0.65, in: 'groove build drop' }, [
      '.... 8..3 .3.. 8..4',
      '.... 8... .4.3 8.3.',
    ]),
    percussion('rim', { gain: 0.4, pan: 0.35, in: 'intro groove drop break outro' }, [
      '..6. .... 6..5 ....',
      '...6 ..5. ..6. ...5',
    ]),
    drum('hat', { gain: 0.38, pan: -0.2, in: 'intro groove drop outro' }, [
      '6364 6364 6364 6364',
      '6.74 6.74 63.4 6374',
    ]),
    drum('open', { gain: 0.36, pan: 0.1, in: 'drop' }, [
      '.... .... .... ..6.',
      '..5. .... .... ..6.',
    ]),
    drum('shaker', { gain: 0.45, pan: 0.3, in: 'build drop break' }, ['3.63 3.63 3.63 3.63']),
    percussion('tom', { gain: 0.5, pan: -0.3, in: 'drop' }, [
      '.... .... .... .... .... .... ..6. 7.5.',
    ]),
  ],
  bass: [
    play(
      createBass({
        sub: 0.7,
        cutoff: 240,
        opening: 900,
        openingTime: 0.12,
        resonance: 1.4,
        drive: 1.6,
      }),
      { lowest: 33, longest: 3, gain: 0.9, in: 'groove drop' },
      ['1..1 ..8. .7.5 .... 1... 5.7. .1.. ..3.', '1.8. ..1. .5.. 7... 1..1 .... 5.7. 8...'],
    ),
  ],
  chords: [
    play(renderElectricPiano, { voicing: 'ninth', lowest: 58, longest: 5, gain: 1 }, [
      '8..6 ..7. .... 6...',
      '..8. .... 7..6 ....',
      '7... .6.. ..7. ..5.',
    ]),
    pad(
      { cutoff: 1600, attack: 0.3, release: 0.5, motion: 0.23 },
      { voicing: 'seventh', lowest: 52, gain: 0.9, in: 'intro build drop break' },
    ),
  ],
  leads: [
    play(createPluck(3000), { lowest: 64, longest: 3, gain: 0.9, in: 'drop break', after: 2 }, [
      '7.6. .7.. 6... .7.6 .... .... .... ....',
      '..7. 6.7. .... ..6. 7... .... .... ....',
    ]),
  ],
  progressions: JAZZY,
  barsPerChord: 1,
  roll: 'snare',
  reverbSeconds: 1.6,
  duckRelease: 0.08,
  drive: -3.8,
};
