import {
  finishTracklist,
  parseTracklist,
  type ParsedTracklist,
  type TracklistDraft,
} from '../rules/tracklist.ts';
import { isCueSheet, parseCue } from './cue-sheet.ts';
import { countFromFirst, parseClock } from './clock-times.ts';
import { decodeText } from './decode-text.ts';
import { collapseSpaces, listLines, MAX_TRACKLIST_LINE, parseNames } from './lines.ts';
import { readHtml, readRekordboxXml, readTraktorNml } from './markup.ts';
import { splitCsv } from './split-csv.ts';
import { hasColumns, HEAD_ROWS, readTable, splitAligned, type Row } from './table.ts';

/** What a text was taken for, and what was understood of it. */
export type ReadTracklist = ParsedTracklist & { source: string };

const VIRTUAL_DJ_HEAD = /^VirtualDJ History\b/i;
const VIRTUAL_DJ_LINE = /^(\d{1,2}:\d{2}(?::\d{2})?) : (.+)$/;
const LABEL = /^(\d+(?:[.,]\d+)?)\t\d+(?:[.,]\d+)?(?:\t(.*))?$/;
const DELIMITERS = [',', ';', '\t', '|'];

const shorten = (content: string): string => content.slice(0, MAX_TRACKLIST_LINE);

/** Whether the pattern fits half of the lines. A single one may be the name of a track. */
function isMostly(text: string, pattern: RegExp): boolean {
  let [known, others] = [0, 0];
  for (const { content } of listLines(text))
    if (pattern.test(shorten(content))) known += 1;
    else others += 1;
  return known > 0 && known >= others;
}

function splitHead(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  for (const row of splitCsv(text, delimiter)) if (rows.push(row) === HEAD_ROWS) break;
  return rows;
}

/** The table of a file with commas, semicolons or tabs; null if it is something else. */
function findTable(text: string): Row[] | null {
  const delimiter = DELIMITERS.find((each) => hasColumns(splitHead(text, each)));
  return delimiter === undefined ? null : [...splitCsv(text, delimiter)];
}

/** `22:15 : Artist - Title`, under a heading with the date. The file keeps every session, the last one is of the mix. */
function readVirtualDj(text: string): TracklistDraft {
  type Session = TracklistDraft & { line: number };
  const sessions: Session[] = [{ line: 1, chapters: [], problems: [] }];
  for (const { line, content: raw } of listLines(text)) {
    const content = collapseSpaces(shorten(raw));
    if (VIRTUAL_DJ_HEAD.test(content)) sessions.push({ line, chapters: [], problems: [] });
    const [, time = '', names = ''] = VIRTUAL_DJ_LINE.exec(content) ?? [];
    const session = sessions.at(-1);
    if (names) session?.chapters.push({ line, at: parseClock(time), ...parseNames(names) });
    else if (!VIRTUAL_DJ_HEAD.test(content) && !/^-+$/.test(content))
      session?.problems.push({ line, message: 'isn’t a track' });
  }
  const filled = sessions.filter(({ chapters }) => chapters.length > 0);
  const [first, ...later] = filled;
  const { chapters, problems } = filled.at(-1) ?? { chapters: [], problems: [] };
  const message = `starts one of ${filled.length} sessions: only the last one was read`;
  const skipped = first && later.length > 0 ? [{ line: first.line, message }] : [];
  return { chapters: countFromFirst(chapters), problems: [...skipped, ...problems] };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first such element. A single pattern for both ends would start again at every tag. */
function findTag(text: string, name: string): string {
  const start = text.search(new RegExp(`<${name}>`, 'i'));
  const inner = text.slice(start + name.length + 2);
  const end = inner.search(new RegExp(`</${name}>`, 'i'));
  if (start < 0 || end < 0) return '';
  return inner
    .slice(0, end)
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .trim();
}

/** The time of day, which VirtualDJ writes without seconds; the time of the last play has them. */
function readVirtualDjTime(text: string): number | null {
  const at = parseClock(findTag(text, 'time'));
  const played = Number(findTag(text, 'lastplaytime'));
  // Zones differ by quarters of an hour; in another minute the track was played again since.
  const isSameMinute = at !== null && (Math.floor(played / 60) - at / 60) % 15 === 0;
  return at !== null && played > 0 && isSameMinute ? at + (played % 60) : at;
}

/** A playlist of Mixxx, VirtualDJ and many players. Only VirtualDJ says when a track was played. */
function readM3u(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  let isNamed = false;
  for (const { line, content: raw } of listLines(text)) {
    const content = collapseSpaces(shorten(raw));
    const [, names = ''] = /^#EXTINF:[^,]*,(.*)$/i.exec(content) ?? [];
    if (/^#EXTVDJ:/i.test(content)) {
      const [name, remix] = [findTag(content, 'title'), findTag(content, 'remix')];
      const title = name && remix ? `${name} (${remix})` : name;
      const artist = findTag(content, 'artist') || null;
      if (title) draft.chapters.push({ line, at: readVirtualDjTime(content), artist, title });
      isNamed = title !== '';
    } else if (names) {
      if (!isNamed) draft.chapters.push({ line, at: null, ...parseNames(names.trim()) });
      isNamed = true;
    } else if (!content.startsWith('#')) {
      const file =
        content
          .split(/[/\\]/)
          .at(-1)
          ?.replace(/\.\w{2,5}$/, '') ?? '';
      if (!isNamed && file) draft.chapters.push({ line, at: null, ...parseNames(file) });
      isNamed = false;
    } else if (!/^#(?:EXT|PLAYLIST)/i.test(content))
      draft.problems.push({ line, message: 'is a comment' });
  }
  return { ...draft, chapters: countFromFirst(draft.chapters) };
}

/** Labels of Audacity: start, end and text. A line that begins with `\` belongs to the one above. */
function readLabels(text: string): TracklistDraft {
  const draft: TracklistDraft = { chapters: [], problems: [] };
  for (const { line, content: raw } of listLines(text)) {
    const content = shorten(raw);
    if (content.startsWith('\\')) continue;
    const [, start = '', names = ''] = LABEL.exec(content) ?? [];
    const at = Number(start.replace(',', '.'));
    if (names.trim()) draft.chapters.push({ line, at, ...parseNames(collapseSpaces(names)) });
    else
      draft.problems.push({ line, message: start ? 'has a time but no title' : 'isn’t a label' });
  }
  return draft;
}

type Format = {
  source: string;
  isIt: (text: string) => boolean;
  read: (text: string) => TracklistDraft;
};

/** What a file of markup begins with; a title in a list may contain any of it. */
const beginsMarkup = (text: string, root: RegExp): boolean =>
  /^<[a-z!?]/i.test(text.trimStart()) && root.test(text);

const FORMATS: readonly Format[] = [
  { source: 'cue sheet', isIt: isCueSheet, read: parseCue },
  {
    source: 'rekordbox collection',
    isIt: (text) => beginsMarkup(text, /<DJ_PLAYLISTS[\s>]/),
    read: readRekordboxXml,
  },
  {
    source: 'Traktor list',
    isIt: (text) => beginsMarkup(text, /<NML[\s>]/),
    read: readTraktorNml,
  },
  {
    source: 'HTML table',
    isIt: (text) => beginsMarkup(text, /<table[\s>]/i) && /<tr[\s>]/i.test(text),
    read: readHtml,
  },
  {
    source: 'playlist',
    isIt: (text) =>
      /^#EXT(?:M3U\s|INF:|VDJ:)/i.test(text.trimStart()) || isMostly(text, /^#EXT(?:INF|VDJ):/i),
    read: readM3u,
  },
  {
    source: 'VirtualDJ history',
    isIt: (text) => VIRTUAL_DJ_HEAD.test(text.trimStart()) || isMostly(text, VIRTUAL_DJ_LINE),
    read: readVirtualDj,
  },
  { source: 'list of labels', isIt: (text) => isMostly(text, LABEL), read: readLabels },
  {
    source: 'table',
    isIt: (text) => findTable(text) !== null,
    read: (text) => readTable(findTable(text) ?? []),
  },
  {
    source: 'table',
    isIt: (text) => splitAligned(text) !== null,
    read: (text) => {
      const { rows, problems } = splitAligned(text) ?? { rows: [], problems: [] };
      const draft = readTable(rows);
      return { ...draft, problems: [...draft.problems, ...problems] };
    },
  },
];

/** A text that isn't empty has chapters or a problem, so that nothing disappears silently. */
function reportNothing(text: string, parsed: ParsedTracklist, source: string): ParsedTracklist {
  if (parsed.chapters.length > 0 || parsed.problems.length > 0 || !text.trim()) return parsed;
  const line = text.slice(0, text.search(/\S/)).split('\n').length;
  return {
    ...parsed,
    problems: [{ line, message: `starts a tracklist (${source}) without any tracks` }],
  };
}

/** Reads a tracklist in whatever format DJ programs write it. */
export function readTracklist(text: string): ReadTracklist {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  const format = FORMATS.find(({ isIt }) => isIt(lines));
  if (!format) return { source: 'list', ...parseTracklist(lines) };
  const { source, read } = format;
  return { source, ...reportNothing(lines, finishTracklist(read(lines)), source) };
}

/** The same for a file, in any encoding. */
export function readTracklistFile(bytes: Uint8Array): ReadTracklist {
  const text = decodeText(bytes);
  const read = readTracklist(text);
  if (!text.includes('\uFFFD')) return read;
  const unreadable = text
    .split(/\r\n?|\n/)
    .flatMap((content, index) =>
      content.includes('\uFFFD')
        ? [{ line: index + 1, message: 'contains a character that we can’t read' }]
        : [],
    );
  const problems = [...read.problems, ...unreadable].toSorted((a, b) => a.line - b.line);
  return { ...read, problems };
}
