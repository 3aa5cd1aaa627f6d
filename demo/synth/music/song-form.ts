export type SectionKind = 'intro' | 'groove' | 'build' | 'drop' | 'break' | 'outro';

export const BARS_PER_PHRASE = 4;

/** The sections for each number of chapters. */
const FORMS: Record<number, readonly SectionKind[]> = {
  5: ['intro', 'drop', 'break', 'drop', 'outro'],
  6: ['intro', 'build', 'drop', 'break', 'drop', 'outro'],
  7: ['intro', 'groove', 'build', 'drop', 'break', 'drop', 'outro'],
  8: ['intro', 'groove', 'build', 'drop', 'break', 'build', 'drop', 'outro'],
  9: ['intro', 'groove', 'build', 'drop', 'groove', 'break', 'build', 'drop', 'outro'],
};

const WEIGHTS: Record<SectionKind, number> = {
  intro: 1,
  groove: 1.6,
  build: 1,
  drop: 2.6,
  break: 1.5,
  outro: 1,
};

export const barSeconds = (bpm: number): number => 240 / bpm;

export function songForm(chapterCount: number): readonly SectionKind[] {
  const form = FORMS[chapterCount];
  if (!form) throw new Error(`A track has 5 to 9 chapters, not ${chapterCount}.`);
  return form;
}

/** Distributes whole phrases over the sections: one each, the rest by weight. */
function sharePhrases(form: readonly SectionKind[], phrases: number): number[] {
  const shares = form.map(() => 1);
  for (let left = phrases - form.length; left > 0; left--) {
    let neediest = 0;
    const need = (at: number) => WEIGHTS[form[at] ?? 'drop'] / (shares[at] ?? 1);
    for (let at = 1; at < form.length; at++) if (need(at) > need(neediest)) neediest = at;
    shares[neediest] = (shares[neediest] ?? 0) + 1;
  }
  return shares;
}

/** Time for the last notes and the reverb to fade after the last bar. */
const TAIL_SECONDS = 2;

type Layout = { starts: number[]; duration: number };

/** The chapter starts, on whole phrases, and the exact duration of a track of about `seconds`. */
export function layOutChapters(bpm: number, seconds: number, chapterCount: number): Layout {
  const phraseSeconds = BARS_PER_PHRASE * barSeconds(bpm);
  const phrases = Math.max(chapterCount, Math.round((seconds - TAIL_SECONDS) / phraseSeconds));
  const starts: number[] = [];
  let phrase = 0;
  for (const share of sharePhrases(songForm(chapterCount), phrases)) {
    starts.push(Math.round(phrase * phraseSeconds * 1000) / 1000);
    phrase += share;
  }
  return { starts, duration: Math.ceil(phrases * phraseSeconds + TAIL_SECONDS) };
}
