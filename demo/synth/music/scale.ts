const PITCH_CLASSES: Record<string, number> = {
  C: 0,
  'C#': 1,
  D: 2,
  Eb: 3,
  E: 4,
  F: 5,
  'F#': 6,
  G: 7,
  'G#': 8,
  A: 9,
  Bb: 10,
  B: 11,
};
const MODES: Record<string, readonly number[]> = {
  minor: [0, 2, 3, 5, 7, 8, 10],
  major: [0, 2, 4, 5, 7, 9, 11],
};

export type Scale = { root: number; steps: readonly number[] };

/** `F minor`, `C# minor`, `Bb major`. */
export function parseKey(key: string): Scale {
  const [tonic = '', mode = ''] = key.split(' ');
  const root = PITCH_CLASSES[tonic];
  const steps = MODES[mode];
  if (root === undefined || !steps) throw new Error(`"${key}" is not a key such as "F minor".`);
  return { root, steps };
}

/** How many semitones a scale step is above the tonic; 0 is the tonic, 7 the octave. */
export function semitones({ steps }: Scale, step: number): number {
  const octave = Math.floor(step / steps.length);
  return (steps[step - octave * steps.length] as number) + 12 * octave;
}

/** The same pitch in the octave that starts at the MIDI note `lowest`. */
export const foldInto = (note: number, lowest: number): number =>
  lowest + ((((note - lowest) % 12) + 12) % 12);

export const toFrequency = (note: number): number => 440 * 2 ** ((note - 69) / 12);

/** The notes above the root. A ninth leaves the root to the bass. */
export type Voicing = 'fifth' | 'triad' | 'seventh' | 'ninth';
const VOICINGS: Record<Voicing, readonly number[]> = {
  fifth: [0, 4, 7],
  triad: [0, 2, 4],
  seventh: [0, 2, 4, 6],
  ninth: [2, 4, 6, 8],
};

/** The notes of the chord on a degree (1 to 7), within one octave so that chords move in small steps. */
export function chordNotes(
  scale: Scale,
  degree: number,
  voicing: Voicing,
  lowest: number,
): number[] {
  return VOICINGS[voicing]
    .map((step) => foldInto(scale.root + semitones(scale, degree - 1 + step), lowest))
    .toSorted((a, b) => a - b);
}
