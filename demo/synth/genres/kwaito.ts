import { renderBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderBell, renderHandDrum } from '../instruments/hand-drums.ts';
import { renderOrgan, renderStab } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderPad } from '../instruments/pad.ts';
import { renderWhistle } from '../instruments/pluck.ts';
import { renderClap, renderSnare } from '../instruments/snare.ts';
import { MARABI } from './progressions.ts';
import type { Recipe } from './recipe.ts';

/** House slowed down until it leans back: big square bass, organ off the beat, a whistle. */
export const kwaito: Recipe = {
  swing: 0.22,
  kit: {
    kick: () =>
      renderKick({ pitch: 51, sweep: 140, sweepTime: 0.028, decay: 0.18, click: 0.12, drive: 1.9 }),
    snare: (take) => renderSnare(131 + take, 195, 0.1),
    clap: (take) => renderClap(135 + take, 1250, 0.09),
    hat: (take) => renderHat(141 + take, 0.035),
    shaker: (take) => renderShaker(145 + take, 0.08),
    bell: (take) => renderBell(540 + take * 5, 0.08),
    conga: (take) => renderHandDrum(205 + take * 4, 0.12, 0.3),
  },
  drums: [
    {
      sound: 'kick',
      patterns: ['9...9...9...9...', '9... 9... 9..6 9...'],
      gain: 1,
      in: ['intro', 'groove', 'build', 'drop', 'outro'],
    },
    {
      sound: 'snare',
      patterns: ['.... 8... .... 8...', '.... 8..4 .... 8.4.'],
      gain: 0.6,
      in: ['groove', 'drop'],
    },
    { sound: 'clap', patterns: ['.... 6... .... 6...'], gain: 0.5, in: ['drop', 'build'] },
    {
      sound: 'hat',
      patterns: ['..7. ..7. ..7. ..74', '5.7. 5.7. 5.7. 5.74'],
      gain: 0.42,
      pan: -0.15,
      in: ['groove', 'drop', 'build'],
    },
    {
      sound: 'shaker',
      patterns: ['4264 4264 4264 4265'],
      gain: 0.5,
      pan: 0.25,
      in: ['intro', 'groove', 'drop', 'outro'],
    },
    {
      sound: 'bell',
      patterns: ['6... 6.6. 6... 6...', '..6. ..6. .6.. 6...'],
      gain: 0.3,
      pan: -0.45,
      bus: 'percussion',
      in: ['drop', 'break'],
      after: 2,
    },
    {
      sound: 'conga',
      patterns: ['..6. .5.7 ..6. .57.'],
      gain: 0.45,
      pan: 0.4,
      bus: 'percussion',
      in: ['groove', 'drop'],
      after: 2,
    },
  ],
  bass: [
    {
      voice: (frequency, seconds) =>
        renderBass(frequency, seconds, {
          wave: 'square',
          sub: 0.8,
          cutoff: 260,
          opening: 700,
          openingTime: 0.1,
          resonance: 1.2,
          drive: 1.7,
        }),
      patterns: ['1..1 ..5. 1..1 .5.8', '1... 1.3. 5... 3.5.', '1..1 .1.. 5..5 .3..'],
      lowest: 31,
      longest: 3,
      gain: 1,
      in: ['groove', 'drop', 'outro'],
    },
  ],
  chords: [
    {
      voice: renderOrgan,
      patterns: ['..7. ..7. ..7. ..7.', '..7. .6.. ..7. ..65', '..7. ..7. .7.. 7...'],
      voicing: 'triad',
      lowest: 60,
      longest: 2,
      gain: 0.85,
      in: ['intro', 'groove', 'build', 'drop', 'break', 'outro'],
    },
    {
      voice: (notes, seconds) =>
        renderStab(notes, seconds, {
          cutoff: 700,
          opening: 2800,
          openingTime: 0.14,
          release: 0.12,
        }),
      patterns: ['7... .... .... .... .... .... 6... ....'],
      voicing: 'seventh',
      lowest: 57,
      longest: 3,
      gain: 0.8,
      in: ['drop'],
    },
    {
      voice: (notes, seconds) =>
        renderPad(notes, seconds, { cutoff: 1100, attack: 0.4, release: 0.5, motion: 0.19 }),
      patterns: ['9...............'],
      voicing: 'triad',
      lowest: 52,
      longest: 16,
      gain: 0.9,
      bus: 'pad',
      in: ['intro', 'build', 'break', 'drop'],
    },
  ],
  leads: [
    {
      voice: renderWhistle,
      patterns: [
        '7.6. ..7. .... .... 6.7. .... 5... ....',
        '..7. 6... 7... .... .... .... .... ....',
      ],
      lowest: 67,
      longest: 4,
      gain: 0.6,
      in: ['drop', 'break'],
      after: 2,
    },
  ],
  progressions: MARABI,
  barsPerChord: 1,
  roll: 'snare',
  reverbSeconds: 1.5,
  duckRelease: 0.1,
  drive: -3,
};
