import { renderRumble } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderHandDrum } from '../instruments/hand-drums.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderStab } from '../instruments/keys.ts';
import { renderPad } from '../instruments/pad.ts';
import { renderPluck } from '../instruments/pluck.ts';
import { renderClap } from '../instruments/snare.ts';
import { DARK } from './progressions.ts';
import type { Recipe } from './recipe.ts';

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
    {
      sound: 'kick',
      patterns: ['9...9...9...9...'],
      gain: 1,
      in: ['intro', 'groove', 'build', 'drop', 'outro'],
    },
    {
      sound: 'open',
      patterns: ['..8. ..8. ..8. ..8.'],
      gain: 0.42,
      pan: 0.05,
      in: ['groove', 'drop'],
    },
    {
      sound: 'hat',
      patterns: ['5356 5356 5356 5356', '6454 6454 6454 6455'],
      gain: 0.32,
      pan: -0.25,
      in: ['intro', 'groove', 'build', 'drop', 'outro'],
      after: 2,
    },
    {
      sound: 'clap',
      patterns: ['.... 7... .... 7...', '.... .... .... 7...'],
      gain: 0.5,
      in: ['drop', 'build'],
    },
    {
      sound: 'shaker',
      patterns: ['3534 3534 3534 3534'],
      gain: 0.4,
      pan: 0.3,
      in: ['drop', 'break'],
    },
    {
      sound: 'tom',
      patterns: ['...6 ..6. .6.. ..6.', '..6. .6.. 6..6 ....'],
      gain: 0.5,
      pan: 0.2,
      bus: 'percussion',
      in: ['groove', 'drop', 'break'],
    },
  ],
  bass: [
    {
      voice: renderRumble,
      patterns: ['.111 .111 .111 .111', '..11 ..11 ..11 ..18'],
      lowest: 33,
      longest: 1,
      gain: 0.85,
      in: ['intro', 'groove', 'drop'],
      after: 2,
    },
  ],
  chords: [
    {
      voice: (notes, seconds) =>
        renderStab(notes, seconds, {
          cutoff: 420,
          opening: 2600,
          openingTime: 0.07,
          release: 0.07,
        }),
      patterns: [
        '...7 .... ..6. .... .... ..7. .... ....',
        '..7. .... .... 6... ..7. .... .6.. ....',
      ],
      voicing: 'triad',
      lowest: 57,
      longest: 1,
      gain: 1,
      in: ['groove', 'build', 'drop', 'break', 'outro'],
    },
    {
      voice: (notes, seconds) =>
        renderPad(notes, seconds, { cutoff: 700, attack: 0.8, release: 0.8, motion: 0.09 }),
      patterns: ['9...............'],
      voicing: 'fifth',
      lowest: 50,
      longest: 16,
      gain: 1,
      bus: 'pad',
      in: ['intro', 'build', 'break', 'drop'],
    },
  ],
  leads: [
    {
      voice: (frequency, seconds) => renderPluck(frequency, seconds, 1900),
      patterns: ['6.66 .6.6 6.66 .6.6', '66.6 6.66 .66. 6.66'],
      lowest: 52,
      longest: 1,
      gain: 0.75,
      in: ['drop', 'build'],
      after: 4,
    },
  ],
  progressions: DARK,
  barsPerChord: 2,
  roll: 'clap',
  buses: { chords: { delay: 0.4, reverb: 0.3 }, bass: { duck: 0.8 } },
  reverbSeconds: 2.6,
  duckRelease: 0.09,
  drive: -3.8,
};
