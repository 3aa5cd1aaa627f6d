import { renderBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderBell, renderHandDrum } from '../instruments/hand-drums.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderStab } from '../instruments/keys.ts';
import { renderPad } from '../instruments/pad.ts';
import { renderMallet, renderWhistle } from '../instruments/pluck.ts';
import { renderClap } from '../instruments/snare.ts';
import { SUNLIT } from './progressions.ts';
import type { Recipe } from './recipe.ts';

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
    {
      sound: 'kick',
      patterns: ['9...9...9...9...'],
      gain: 1,
      in: ['groove', 'build', 'drop', 'outro'],
    },
    {
      sound: 'shaker',
      patterns: ['5374 5374 5374 5375'],
      gain: 0.55,
      pan: 0.25,
      in: ['intro', 'groove', 'build', 'drop', 'outro'],
    },
    {
      sound: 'bell',
      patterns: ['7..6 ..7. ..6. 7...', '7.6. 7..6 .6.7 .6..'],
      gain: 0.34,
      pan: -0.4,
      bus: 'percussion',
      in: ['intro', 'groove', 'drop', 'break'],
    },
    {
      sound: 'low',
      patterns: ['8... ..7. ..8. ....', '..7. .... 8..7 ....'],
      gain: 0.6,
      pan: -0.15,
      bus: 'percussion',
      in: ['intro', 'groove', 'drop', 'break'],
    },
    {
      sound: 'mid',
      patterns: ['..6. 7..6 ..6. 7.64', '.6.7 ..6. .7.6 ..75'],
      gain: 0.5,
      pan: 0.3,
      bus: 'percussion',
      in: ['groove', 'build', 'drop'],
    },
    {
      sound: 'high',
      patterns: ['...5 .... .6.. ..75', '.... .5.6 .... 6.5.'],
      gain: 0.42,
      pan: 0.5,
      bus: 'percussion',
      in: ['drop', 'break'],
      after: 2,
    },
    { sound: 'clap', patterns: ['.... 7... .... 7...'], gain: 0.45, in: ['drop'] },
    { sound: 'hat', patterns: ['..7. ..7. ..7. ..7.'], gain: 0.36, pan: -0.1, in: ['drop'] },
  ],
  bass: [
    {
      voice: (frequency, seconds) =>
        renderBass(frequency, seconds, {
          wave: 'saw',
          sub: 0.8,
          cutoff: 190,
          opening: 420,
          openingTime: 0.08,
          drive: 1.6,
        }),
      patterns: ['..1. ..1. ..1. .15.', '1..1 ..1. 1..5 ..1.', '..1. 1..1 ..1. 5.7.'],
      lowest: 31,
      longest: 2,
      gain: 0.95,
      in: ['groove', 'drop'],
    },
  ],
  chords: [
    {
      voice: (notes, seconds) =>
        renderStab(notes, seconds, {
          cutoff: 500,
          opening: 2300,
          openingTime: 0.12,
          release: 0.14,
        }),
      patterns: ['..7. .... ..6. ....', '...7 ..6. .... ....'],
      voicing: 'triad',
      lowest: 58,
      longest: 2,
      gain: 0.85,
      in: ['build', 'drop'],
    },
    {
      voice: (notes, seconds) =>
        renderPad(notes, seconds, { cutoff: 1250, attack: 0.6, release: 0.7, motion: 0.11 }),
      patterns: ['9...............'],
      voicing: 'seventh',
      lowest: 50,
      longest: 16,
      gain: 1.1,
      bus: 'pad',
      in: ['intro', 'groove', 'build', 'drop', 'break', 'outro'],
    },
  ],
  leads: [
    {
      voice: (frequency) => renderMallet(frequency, 4, 0.2),
      patterns: ['7.6. .7.6 ..7. 6...', '7..7 .6.. 7..6 .7..', '.7.6 7... .7.6 7.5.'],
      lowest: 62,
      longest: 2,
      gain: 1,
      in: ['drop', 'break', 'build'],
    },
    {
      voice: renderWhistle,
      patterns: ['.... .... 7... .... .... .... .... ....'],
      lowest: 67,
      longest: 10,
      gain: 0.45,
      in: ['break', 'drop'],
      after: 4,
    },
  ],
  progressions: SUNLIT,
  barsPerChord: 1,
  roll: 'mid',
  buses: { percussion: { gain: 0.72 } },
  reverbSeconds: 2,
  duckRelease: 0.12,
  drive: -4.4,
};
