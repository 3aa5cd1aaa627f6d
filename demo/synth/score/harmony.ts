import { pick } from '../dsp/random.ts';
import type { SoundEvent } from '../mix/voices.ts';
import { hitsInBar } from '../music/pattern.ts';
import { chordNotes, foldInto, semitones, toFrequency } from '../music/scale.ts';
import { barInSection, choosePattern, isPresent, velocity, type Bar } from './bar.ts';

/** Breaks have their own chords; all other sections of a piece share one progression. */
export function degreeOf(bar: Bar): number {
  const { recipe, section } = bar;
  const progressions = bar.isMajor ? recipe.progressions.major : recipe.progressions.minor;
  const part = section.kind === 'break' ? 'break' : 'main';
  const progression = pick(bar.chance('progression', section.song, part), progressions);
  const at = Math.floor(barInSection(bar) / recipe.barsPerChord) % progression.length;
  return progression[at] ?? 1;
}

export function playBass(bar: Bar): SoundEvent[] {
  const degree = degreeOf(bar);
  return bar.recipe.bass.flatMap((part, n) => {
    if (!isPresent(bar, part)) return [];
    const root = foldInto(bar.scale.root + semitones(bar.scale, degree - 1), part.lowest);
    const base = semitones(bar.scale, degree - 1);
    return hitsInBar(choosePattern(bar, `bass ${n}`, part.patterns), bar.index).map(
      ({ step, value, length }): SoundEvent => {
        const note = root + semitones(bar.scale, degree - 1 + value - 1) - base;
        const steps = Math.min(length, part.longest);
        const render = () => part.voice(toFrequency(note), steps * bar.stepSeconds * 0.94);
        return {
          frame: bar.frameAt(step),
          sample: bar.bank.get(`bass ${n}/${note}/${steps}`, render),
          gain: part.gain,
          pan: 0,
          bus: 'bass',
        };
      },
    );
  });
}

export function playChords(bar: Bar): SoundEvent[] {
  const degree = degreeOf(bar);
  return bar.recipe.chords.flatMap((part, n) => {
    if (!isPresent(bar, part)) return [];
    const notes = chordNotes(bar.scale, degree, part.voicing, part.lowest);
    return hitsInBar(choosePattern(bar, `chords ${n}`, part.patterns), bar.index).map(
      ({ step, value, length }): SoundEvent => {
        const steps = Math.min(length, part.longest);
        const render = () => part.voice(notes.map(toFrequency), steps * bar.stepSeconds);
        return {
          frame: bar.frameAt(step),
          sample: bar.bank.get(`chords ${n}/${notes.join()}/${steps}`, render),
          gain: part.gain * velocity(value),
          pan: 0,
          bus: part.bus ?? 'chords',
        };
      },
    );
  });
}
