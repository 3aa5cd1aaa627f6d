import { parentPort, workerData } from 'node:worker_threads';
import type { Chapter } from '#contract/tracks.ts';
import {
  describeProblems,
  formatTracklist,
  listValidChapters,
  type TracklistProblem,
} from '#contract/rules/tracklist.ts';
import { readTracklist, readTracklistFile } from '#contract/tracklists/read-tracklist.ts';

export type TracklistFile = { name: string; bytes: Uint8Array };
export type FormTracklists = { typed: string; file: TracklistFile | null };

/** What becomes the tracklist and what to say about it, or what is wrong with a field. */
export type TracklistsRead =
  | { chapters: Chapter[]; sentences: string[] }
  | { field: string; message: string };

const MAX_SENTENCES = 50;

const listLeftOut = (problems: readonly TracklistProblem[]): string[] => [
  ...problems
    .slice(0, MAX_SENTENCES)
    .map(({ line, message }) => `Left out: line ${line} ${message}.`),
  ...(problems.length > MAX_SENTENCES
    ? [`${problems.length - MAX_SENTENCES} more lines were left out.`]
    : []),
];

/** What was typed has to be right; of a file, the response names the first lines that aren't used and counts the others. */
function readTracklists({ typed, file }: FormTracklists): TracklistsRead {
  const { chapters, problems } = readTracklist(typed);
  const problem = describeProblems(problems.filter(({ isRemark }) => !isRemark));
  if (problem) return { field: 'tracklist', message: problem };
  if (!file || chapters.length > 0)
    return {
      chapters,
      sentences: [
        ...listLeftOut(problems),
        ...(file ? [`${file.name} wasn’t read: you typed a tracklist.`] : []),
      ],
    };
  const read = readTracklistFile(file.bytes);
  const valid = listValidChapters(read);
  if (valid.length === 0)
    return {
      field: 'tracklistFile',
      message: [`${file.name} has no tracks that we understand.`, describeProblems(read.problems)]
        .filter(Boolean)
        .join(' '),
    };
  return {
    chapters: valid,
    sentences: [
      `Tracklist from ${file.name} (${read.source}), which you can edit on the mix’s page:`,
      ...formatTracklist(valid).split('\n'),
      ...listLeftOut(read.problems),
    ],
  };
}

// The thread of basic-upload.ts: it reads the tracklists of one form.
parentPort?.postMessage(readTracklists(workerData as FormTracklists));
