import type { Moment } from '#contract/moments.ts';

/** How long a line shows while the mix plays, and so how often another can come. */
const PASSING_SECONDS = 6;

/** Those that pass: never two at once. One's own goes before another's. */
export function choosePassing(marks: readonly Moment[]): Moment[] {
  const chosen: Moment[] = [];
  for (const mark of marks) {
    const last = chosen.at(-1);
    if (!last || mark.at - last.at >= PASSING_SECONDS) chosen.push(mark);
    else if (mark.own && !last.own) chosen[chosen.length - 1] = mark;
  }
  return chosen;
}

/** The one that passes at a position in the track. */
export const findPassing = (passing: readonly Moment[], position: number): Moment | null => {
  const last = passing.findLast(({ at }) => at <= position);
  return last && position - last.at < PASSING_SECONDS ? last : null;
};
