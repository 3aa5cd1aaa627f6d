import { renderReese } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderPad } from '../instruments/pad.ts';
import { renderPluck } from '../instruments/pluck.ts';
import { renderRim, renderSnare } from '../instruments/snare.ts';
import { SUNLIT } from './progressions.ts';
import type { Recipe } from './recipe.ts';

const twoBars = `9${'.'.repeat(31)}`;

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
    {
      sound: 'kick',
      patterns: ['9... .... ..9. ....', '9... .... ..9. .... 9..7 .... ..9. .6..'],
      gain: 1,
      in: ['groove', 'drop', 'outro'],
    },
    {
      sound: 'snare',
      patterns: ['.... 9... .... 9...'],
      gain: 0.85,
      in: ['groove', 'drop', 'outro'],
    },
    {
      sound: 'ghost',
      patterns: ['.... ..3. .4.. ..3.', '.... ...3 .4.. .3.4'],
      gain: 0.6,
      in: ['drop'],
    },
    {
      sound: 'hat',
      patterns: ['7.5. 7.5. 7.5. 7.5.', '7.57 5.7. 7.57 5.75'],
      gain: 0.42,
      pan: -0.12,
      in: ['intro', 'groove', 'build', 'drop', 'outro'],
    },
    {
      sound: 'ride',
      patterns: ['6... 6... 6... 6...'],
      gain: 0.3,
      pan: 0.2,
      in: ['drop'],
      after: 8,
    },
    {
      sound: 'shaker',
      patterns: ['3434 3434 3434 3434'],
      gain: 0.4,
      pan: 0.3,
      in: ['groove', 'drop', 'build', 'break'],
    },
    {
      sound: 'rim',
      patterns: ['...6 ..6. .... ....', '..6. .... .6.. 6...'],
      gain: 0.4,
      pan: 0.35,
      bus: 'percussion',
      in: ['intro', 'break', 'build'],
    },
  ],
  bass: [
    {
      voice: renderReese,
      patterns: [
        '1... .... ..1. .... ..1. .... 5.7. ....',
        '1... ..1. .... .... 1... .... ..8. 7...',
      ],
      lowest: 33,
      longest: 9,
      gain: 0.9,
      in: ['drop', 'groove'],
    },
  ],
  chords: [
    {
      voice: renderElectricPiano,
      patterns: [
        '8... .... ..6. .... .... .... .... ....',
        '8... ..7. .... .... .... ..6. .... ....',
      ],
      voicing: 'ninth',
      lowest: 57,
      longest: 14,
      gain: 0.9,
      in: ['intro', 'groove', 'build', 'drop', 'break', 'outro'],
    },
    {
      voice: (notes, seconds) =>
        renderPad(notes, seconds, { cutoff: 1700, attack: 0.5, release: 0.7, motion: 0.2 }),
      patterns: [twoBars],
      voicing: 'seventh',
      lowest: 52,
      longest: 32,
      gain: 1.1,
      bus: 'pad',
      in: ['intro', 'groove', 'build', 'drop', 'break', 'outro'],
    },
  ],
  leads: [
    {
      voice: (frequency, seconds) => renderPluck(frequency, seconds, 2800),
      patterns: [
        '7... ..6. ..7. .... 6... .... .... ....',
        '..7. 6... .... ..7. .... 6... .... ....',
      ],
      lowest: 64,
      longest: 5,
      gain: 1,
      in: ['drop', 'break', 'build'],
    },
  ],
  progressions: SUNLIT,
  barsPerChord: 2,
  roll: 'ghost',
  buses: { pad: { duck: 0.35 }, bass: { duck: 0.4 } },
  reverbSeconds: 2.2,
  duckRelease: 0.08,
  drive: -5,
};
