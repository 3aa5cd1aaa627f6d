import { pick } from '../dsp/random.ts';
import type { NotePart } from '../genres/recipe.ts';
import type { SoundEvent } from '../mix/voices.ts';
import { hitsInBar } from '../music/pattern.ts';
import { chordNotes, foldInto, semitones, toFrequency } from '../music/scale.ts';
import { barInSection, choosePattern, isPresent, velocity, type Bar } from './bar.ts';
import { degreeOf } from './harmony.ts';

/** The five steps of each mode that fit every chord of the key. */
const PENTATONIC = { minor: [0, 2, 3, 4, 6], major: [0, 1, 2, 4, 5] };
const MOVES = [-2, -1, -1, 0, 1, 1, 2] as const;

function ladder({ scale, isMajor }: Bar, lowest: number): number[] {
  const steps = isMajor ? PENTATONIC.major : PENTATONIC.minor;
  const octave = steps
    .map((step) => foldInto(scale.root + semitones(scale, step), lowest))
    .toSorted((a, b) => a - b);
  return [...octave, ...octave.map((note) => note + 12)];
}

/** On strong beats the melody prefers a note of the chord. */
function leanOn(chord: readonly number[], rungs: readonly number[], at: number): number {
  const belongs = (rung: number) => chord.some((note) => ((rungs[rung] ?? 0) - note) % 12 === 0);
  return [at, at + 1, at - 1].find((rung) => rung in rungs && belongs(rung)) ?? at;
}

/** A melody repeats these four one-bar phrases. */
const PHRASES = ['question', 'turn', 'question', 'answer'] as const;

function playLead(bar: Bar, part: NotePart, n: number): SoundEvent[] {
  const rungs = ladder(bar, part.lowest);
  const chord = chordNotes(bar.scale, degreeOf(bar), 'triad', part.lowest);
  const phrase = PHRASES[barInSection(bar) % PHRASES.length] ?? 'question';
  const { song, chapter } = bar.section;
  const random = bar.chance('melody', n, song, chapter >> 2, phrase);
  let rung = 3 + Math.floor(random() * 4);
  return hitsInBar(choosePattern(bar, `lead ${n}`, part.patterns), barInSection(bar)).map(
    ({ step, value, length }): SoundEvent => {
      rung = Math.min(rungs.length - 2, Math.max(1, rung + pick(random, MOVES)));
      if (step % 8 === 0) rung = leanOn(chord, rungs, rung);
      const note = rungs[rung] ?? part.lowest;
      const steps = Math.min(length, part.longest);
      const render = () => part.voice(toFrequency(note), steps * bar.stepSeconds);
      return {
        frame: bar.frameAt(step),
        sample: bar.bank.get(`lead ${n}/${note}/${steps}`, render),
        gain: part.gain * velocity(value),
        pan: (random() - 0.5) * 0.5,
        bus: 'lead',
      };
    },
  );
}

export const playLeads = (bar: Bar): SoundEvent[] =>
  bar.recipe.leads.flatMap((part, n) => (isPresent(bar, part) ? playLead(bar, part, n) : []));
