import type { Sample } from '../dsp/sample.ts';
import type { BusName, BusSettings } from '../mix/buses.ts';
import type { Pattern } from '../music/pattern.ts';
import type { Voicing } from '../music/scale.ts';
import type { SectionKind } from '../music/song-form.ts';

/** When a part plays: in which sections, and how many bars after such a section has begun. */
export type Presence = { in: readonly SectionKind[]; after?: number };

/** One sound of the kit on a repeating pattern; each chapter picks one of the patterns. */
export type DrumPart = Presence & {
  sound: string;
  patterns: readonly Pattern[];
  gain: number;
  pan?: number;
  bus?: BusName;
};

/** One note at a time under the chords. */
export type BassPart = Presence & {
  voice: (frequency: number, seconds: number) => Sample;
  patterns: readonly Pattern[];
  /** The lowest MIDI note of the octave it plays in. */
  lowest: number;
  /** Notes are never held longer than this, in sixteenths. */
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

/** A short tune made up for each chapter from the scale's five safe notes. */
export type LeadPart = Presence & {
  voice: (frequency: number, seconds: number) => Sample;
  /** Where notes may fall; two bars make a phrase. */
  patterns: readonly Pattern[];
  lowest: number;
  longest: number;
  gain: number;
};

/** A sound as long as one bar or several, laid under the beat: waves, crackle, sirens. */
export type TexturePart = Presence & {
  voice: (seconds: number, seed: number) => Sample;
  everyBars: number;
  gain: number;
};

export type Recipe = {
  /** How late every second sixteenth comes, as a share of a sixteenth. */
  swing: number;
  /** Each sound, recorded in as many takes as are asked for. */
  kit: Record<string, (take: number) => Sample>;
  drums: readonly DrumPart[];
  bass: readonly BassPart[];
  chords: readonly ChordPart[];
  leads: readonly LeadPart[];
  textures?: readonly TexturePart[];
  /** Chords by scale degree, for major and minor keys. */
  progressions: { minor: readonly (readonly number[])[]; major: readonly (readonly number[])[] };
  barsPerChord: number;
  /** The sound that rolls into a drop. */
  roll?: string;
  buses?: Partial<Record<BusName, Partial<BusSettings>>>;
  reverbSeconds: number;
  /** Seconds until the music is back after a kick. */
  duckRelease: number;
  /** Decibels into the limiter; brings every genre to about the same loudness. */
  drive: number;
};
