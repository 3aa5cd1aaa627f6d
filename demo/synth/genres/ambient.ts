import { createBass } from '../instruments/bass.ts';
import { renderShaker } from '../instruments/cymbals.ts';
import { renderWave } from '../instruments/effects.ts';
import { renderHandDrum } from '../instruments/hand-drums.ts';
import { renderElectricPiano } from '../instruments/keys.ts';
import { renderKick } from '../instruments/kick.ts';
import { createMallet, renderWhistle } from '../instruments/pluck.ts';
import { SUNLIT } from './progressions.ts';
import { drum, pad, percussion, play, type Recipe } from './recipe.ts';

/** Waves, long chords and a pulse that could be your own. */
export const ambient: Recipe = {
  swing: 0.1,
  kit: {
    kick: () =>
      renderKick({ pitch: 44, sweep: 50, sweepTime: 0.03, decay: 0.2, click: 0.01, drive: 1.2 }),
    drum: (take) => renderHandDrum(164 + take * 5, 0.22, 0.06),
    shaker: (take) => renderShaker(221 + take, 0.12),
  },
  drums: [
    drum('kick', { gain: 0.8, in: 'build drop' }, ['7... .... ..5. ....', '7... .... .... ....']),
    percussion('drum', { gain: 0.5, pan: 0.3, in: 'groove drop' }, [
      '.... ..5. .... 4... .... .... ..5. ....',
      '.... .... 5... ..4.',
    ]),
    drum('shaker', { gain: 0.4, pan: -0.3, in: 'drop' }, ['..5. ..4. ..5. ..4.']),
  ],
  bass: [
    play(
      createBass({ sub: 1, cutoff: 120, opening: 90, openingTime: 0.4, drive: 1.2, release: 0.3 }),
      { lowest: 33, longest: 24, gain: 0.75, in: 'groove build drop' },
      ['1... .... .... .... .... .... .... ....', '1... .... .... .... .... .... 5... ....'],
    ),
  ],
  chords: [
    pad(
      { cutoff: 1400, attack: 1.4, release: 1.6, motion: 0.07 },
      { voicing: 'seventh', lowest: 52, gain: 1.4, bars: 2 },
    ),
    play(
      renderElectricPiano,
      { voicing: 'ninth', lowest: 59, longest: 12, gain: 0.9, in: 'groove drop break' },
      ['.... 6... .... .... .... .... ..5. ....', '6... .... .... 5... .... .... .... ....'],
    ),
  ],
  leads: [
    play(
      createMallet(5.4, 0.5),
      { lowest: 67, longest: 8, gain: 0.9, in: 'intro groove build drop break' },
      ['7... ..6. .... 5... .... ..6. .... ....', '..6. .... 7... .... ..5. .... 6... ..5.'],
    ),
    play(renderWhistle, { lowest: 64, longest: 12, gain: 0.4, in: 'drop break', after: 4 }, [
      '.... .... 6... .... .... .... .... ....',
    ]),
  ],
  textures: [{ voice: renderWave, everyBars: 2, gain: 0.5 }],
  progressions: SUNLIT,
  barsPerChord: 2,
  buses: {
    kick: { gain: 0.42 },
    pad: { gain: 0.5, duck: 0.2, reverb: 0.4 },
    lead: { reverb: 0.5, delay: 0.45 },
    chords: { reverb: 0.4 },
  },
  reverbSeconds: 4.5,
  duckRelease: 0.3,
  drive: -6.5,
};
