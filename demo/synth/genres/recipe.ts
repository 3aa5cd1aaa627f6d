import type { Sample } from '../dsp/sample.ts';
import { createPad, type PadShape } from '../instruments/pad.ts';
import type { BusName, BusSettings } from '../mix/buses.ts';
import { STEPS_PER_BAR, type Pattern } from '../music/pattern.ts';
import type { Voicing } from '../music/scale.ts';

export type Presence = {
  /** The kinds of section that a part plays in, separated by blanks; all of them when left out. */
  in?: string;
  /** How many bars into such a section it starts. */
  after?: number;
};

/** One sound of the kit on a repeating pattern. The score picks one of the patterns. */
export type DrumPart = Presence & {
  sound: string;
  patterns: readonly Pattern[];
  gain: number;
  pan?: number;
  bus?: BusName;
};

type Voice = (frequency: number, seconds: number) => Sample;

/** A part that plays one note at a time. */
export type NotePart = Presence & {
  voice: Voice;
  patterns: readonly Pattern[];
  /** The lowest MIDI note of the octave it plays in. */
  lowest: number;
  /** The longest note, in sixteenths. */
  longest: number;
  gain: number;
};

export type ChordPart = Presence & {
  voice: (frequencies: readonly number[], seconds: number) => Sample;
  patterns: readonly Pattern[];
  voicing: Voicing;
  lowest: number;
  longest: number;
  gain: number;
  bus?: BusName;
};

/** A background sound that lasts one or more bars: waves, crackle, sirens. */
type TexturePart = Presence & {
  voice: (seconds: number, seed: number) => Sample;
  everyBars: number;
  gain: number;
};

export type Recipe = {
  /** How much every second sixteenth is delayed, as a fraction of a sixteenth. */
  swing: number;
  /** The drum sounds; each take sounds slightly different. */
  kit: Record<string, (take: number) => Sample>;
  drums: readonly DrumPart[];
  bass: readonly NotePart[];
  chords: readonly ChordPart[];
  /** Melodies, composed from the pentatonic scale at the steps that their patterns mark. */
  leads: readonly NotePart[];
  textures?: readonly TexturePart[];
  /** Chords by scale degree, for major and minor keys. */
  progressions: { minor: readonly (readonly number[])[]; major: readonly (readonly number[])[] };
  barsPerChord: number;
  /** The sound of the drum roll before a drop. */
  roll?: string;
  buses?: Partial<Record<BusName, Partial<BusSettings>>>;
  reverbSeconds: number;
  /** How long the other sounds take to recover after a kick, in seconds. */
  duckRelease: number;
  /** Gain before the limiter, in decibels; brings every genre to about the same loudness. */
  drive: number;
};

export const drum = (
  sound: string,
  settings: Omit<DrumPart, 'sound' | 'patterns'>,
  patterns: readonly Pattern[],
): DrumPart => ({ sound, patterns, ...settings });

/** A drum on the percussion bus. */
export const percussion: typeof drum = (sound, settings, patterns) =>
  drum(sound, { ...settings, bus: 'percussion' }, patterns);

/** A bass line, chords or a melody. */
export const play = <V, const Settings>(
  voice: V,
  settings: Settings,
  patterns: readonly Pattern[],
) => ({ voice, patterns, ...settings });

/** Chords that sound without a gap, one or more bars each. */
export function pad(
  shape: PadShape,
  {
    bars = 1,
    ...settings
  }: Presence & { bars?: number } & Pick<ChordPart, 'voicing' | 'lowest' | 'gain'>,
): ChordPart {
  const longest = bars * STEPS_PER_BAR;
  return {
    voice: createPad(shape),
    patterns: ['9'.padEnd(longest, '.')],
    longest,
    bus: 'pad',
    ...settings,
  };
}
