import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { listValidChapters } from '#contract/rules/tracklist.ts';
import { TrackChange } from '#contract/track-fields.ts';
import { MAX_TRACKLIST_BYTES, MAX_TRACKLIST_KB } from '#contract/tracklists/tracklist-files.ts';
import { readTracklistFile, type ReadTracklist } from '#contract/tracklists/read-tracklist.ts';

const MAX_REPORTED = 20;

/** What was understood, and the first lines that weren't. */
function describe(file: string, { source, problems }: ReadTracklist, draft: TrackChange): string[] {
  const chapters = draft.chapters ?? [];
  const untimed = chapters.filter(({ at }) => at === null).length;
  const tracks = chapters.length === 1 ? '1 track' : `${chapters.length} tracks`;
  const found = chapters.length === 0 ? 'no tracks that we understand' : `${tracks} (${source})`;
  const more = problems.length - MAX_REPORTED;
  return [
    `${file}: ${found}${untimed > 0 ? `, ${untimed} without a time` : ''}`,
    ...problems
      .slice(0, MAX_REPORTED)
      .map(({ line, message }) => `${file}: line ${line} ${message}`),
    ...(more > 0 ? [`${file}: and ${more} more lines like these`] : []),
  ];
}

async function readOne(path: string): Promise<{ draft: TrackChange; notes: string[] }> {
  const file = basename(path);
  if ((await stat(path)).size > MAX_TRACKLIST_BYTES)
    return { draft: {}, notes: [`${file}: not read, larger than ${MAX_TRACKLIST_KB} KB`] };
  const read = readTracklistFile(await readFile(path));
  const valid = listValidChapters(read);
  const draft = valid.length > 0 ? TrackChange.parse({ chapters: valid }) : {};
  return { draft, notes: describe(file, read, draft) };
}

/** The draft with the first of these tracklists that has tracks, and what to say about all of them. */
export async function readTracklistBeside(
  paths: readonly string[],
): Promise<{ draft: TrackChange; notes: string[] }> {
  let draft: TrackChange = {};
  const notes: string[] = [];
  for (const path of paths) {
    if (draft.chapters) notes.push(`${basename(path)}: not read, the one above is used`);
    else {
      const read = await readOne(path);
      draft = read.draft;
      notes.push(...read.notes);
    }
  }
  return { draft, notes };
}
