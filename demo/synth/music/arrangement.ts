import type { Style } from '../genres/styles.ts';
import { BARS_PER_PHRASE, barSeconds, songForm, type SectionKind } from './song-form.ts';

/** What the synthesiser needs to know about a track. */
export type SynthTrack = {
  seed: number;
  genre: Style;
  bpm: number;
  key: string;
  /** Seconds, exact. */
  duration: number;
  chapters: readonly { at: number }[];
};

export type Section = {
  kind: SectionKind;
  /** Null for the last section. */
  next: SectionKind | null;
  chapter: number;
  /** The piece of music it belongs to: in a long track every chapter is one, a short track is one as a whole. */
  song: number;
  startBar: number;
  bars: number;
};

/** Longer chapters are split into sections, repeating this order. */
const LONG_CHAPTER_BARS = 32;
const LONG_FORM: readonly Part[] = [
  { kind: 'groove', bars: 16 },
  { kind: 'build', bars: 8 },
  { kind: 'drop', bars: 32 },
  { kind: 'break', bars: 12 },
  { kind: 'build', bars: 4 },
  { kind: 'drop', bars: 24 },
];

type Part = { kind: SectionKind; bars: number };

function splitChapter(kind: SectionKind, bars: number): Part[] {
  if (bars <= LONG_CHAPTER_BARS) return [{ kind, bars }];
  const parts: Part[] = kind === 'intro' ? [{ kind, bars: 16 }] : [];
  const end = kind === 'outro' ? 16 : 0;
  let left = bars - end - (parts[0]?.bars ?? 0);
  for (let n = 0; left > 0; n++) {
    const part = LONG_FORM[n % LONG_FORM.length];
    if (!part) break;
    // A remainder that is too short for a section extends the previous one.
    const length = left - part.bars < BARS_PER_PHRASE * 2 ? left : part.bars;
    parts.push({ kind: part.kind, bars: length });
    left -= length;
  }
  if (end > 0) parts.push({ kind, bars: end });
  return parts;
}

export const barsIn = ({ bpm, duration }: SynthTrack): number =>
  Math.max(1, Math.floor((duration - 1) / barSeconds(bpm)));

/** Sections start with the chapters, so that jumping to a chapter lands on its first beat. */
export function arrange(track: SynthTrack): Section[] {
  const form = songForm(track.chapters.length);
  const starts = track.chapters.map(({ at }) => Math.round(at / barSeconds(track.bpm)));
  const ends = [...starts.slice(1), barsIn(track)];
  const parts = form.flatMap((kind, chapter) => {
    const bars = (ends[chapter] ?? 0) - (starts[chapter] ?? 0);
    return splitChapter(kind, bars).map((part) => ({ ...part, chapter }));
  });
  const isLong = parts.length > form.length;
  let startBar = 0;
  return parts.map((part, n) => {
    const next = parts[n + 1]?.kind ?? null;
    const section = { ...part, next, song: isLong ? part.chapter : 0, startBar };
    startBar += part.bars;
    return section;
  });
}
