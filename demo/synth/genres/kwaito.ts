import { createBass } from '../instruments/bass.ts';
import { renderHat, renderShaker } from '../instruments/cymbals.ts';
import { renderBell, renderHandDrum } from '../instruments/hand-drums.ts';
import { renderOrgan, createStab } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { renderWhistle } from '../instruments/pluck.ts';
import { renderClap, renderSnare } from '../instruments/snare.ts';
import { MARABI } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

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
    drum('kick', { gain: 1, in: 'intro groove build drop outro' }, [
      '9...9...9...9...',
      '9... 9... 9..6 9...',
    ]),
    drum('snare', { gain: 0.6, in: 'groove drop' }, ['.... 8... .... 8...', '.... 8..4 .... 8.4.']),
    drum('clap', { gain: 0.5, in: 'build drop' }, ['.... 6... .... 6...']),
    drum('hat', { gain: 0.42, pan: -0.15, in: 'groove build drop' }, [
      '..7. ..7. ..7. ..74',
      '5.7. 5.7. 5.7. 5.74',
    ]),
    drum('shaker', { gain: 0.5, pan: 0.25, in: 'intro groove drop outro' }, [
      '4264 4264 4264 4265',
    ]),
    percussion('bell', { gain: 0.3, pan: -0.45, in: 'drop break', after: 2 }, [
      '6... 6.6. 6... 6...',
      '..6. ..6. .6.. 6...',
    ]),
    percussion('conga', { gain: 0.45, pan: 0.4, in: 'groove drop', after: 2 }, [
      '..6. .5.7 ..6. .57.',
    ]),
  ],
  bass: [
    play(
      createBass({
        wave: 'square',
        sub: 0.8,
        cutoff: 260,
        opening: 700,
        openingTime: 0.1,
        resonance: 1.2,
        drive: 1.7,
      }),
      { lowest: 31, longest: 3, gain: 1, in: 'groove drop outro' },
      ['1..1 ..5. 1..1 .5.8', '1... 1.3. 5... 3.5.', '1..1 .1.. 5..5 .3..'],
    ),
  ],
  chords: [
    play(renderOrgan, { voicing: 'triad', lowest: 60, longest: 2, gain: 0.85 }, [
      '..7. ..7. ..7. ..7.',
      '..7. .6.. ..7. ..65',
      '..7. ..7. .7.. 7...',
    ]),
    play(
      createStab({ cutoff: 700, opening: 2800, openingTime: 0.14, release: 0.12 }),
      { voicing: 'seventh', lowest: 57, longest: 3, gain: 0.8, in: 'drop' },
      ['7... .... .... .... .... .... 6... ....'],
    ),
    pad(
      { cutoff: 1100, attack: 0.4, release: 0.5, motion: 0.19 },
      { voicing: 'triad', lowest: 52, gain: 0.9, in: 'intro build drop break' },
    ),
  ],
  leads: [
    play(renderWhistle, { lowest: 67, longest: 4, gain: 0.6, in: 'drop break', after: 2 }, [
      '7.6. ..7. .... .... 6.7. .... 5... ....',
      '..7. 6... 7... .... .... .... .... ....',
    ]),
  ],
  progressions: MARABI,
  barsPerChord: 1,
  roll: 'snare',
  reverbSeconds: 1.5,
  duckRelease: 0.1,
  drive: -3,
};
