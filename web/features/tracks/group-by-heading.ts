import type { Track } from '#contract/tracks.ts';

type Group = { heading: string; tracks: Track[] };

export function groupByHeading(
  tracks: readonly Track[],
  headingOf: (track: Track) => string,
): Group[] {
  const groups: Group[] = [];
  for (const track of tracks) {
    const heading = headingOf(track);
    const last = groups.at(-1);
    if (last?.heading === heading) last.tracks.push(track);
    else groups.push({ heading, tracks: [track] });
  }
  return groups;
}
