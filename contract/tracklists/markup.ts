import { Parser } from 'htmlparser2';
import type { NumberedChapter, TracklistDraft, TracklistProblem } from '../rules/tracklist.ts';
import { readDetails } from './file-details.ts';
import { countFromFirst } from './clock-times.ts';
import { readTable, type Row } from './table.ts';

type Attributes = Record<string, string | undefined>;
type Handlers = {
  open: (name: string, attributes: Attributes, line: number) => void;
  close?: (name: string) => void;
  text?: (text: string, line: number) => void;
};

/** DJ programs nest a dozen elements; the parser is slow with very many. */
const MAX_DEPTH = 200;

/**
 * Reads markup without loading anything and without entities of its own, so no file can expand without end.
 * Returns what stopped the reading, if anything did.
 */
function readMarkup(
  text: string,
  isXml: boolean,
  { open, close, text: onText }: Handlers,
): TracklistProblem[] {
  const problems: TracklistProblem[] = [];
  let [line, counted, depth] = [1, 0, 0];
  function countLines() {
    for (; counted < parser.startIndex; counted += 1)
      if (text.charCodeAt(counted) === 10) line += 1;
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        countLines();
        depth += 1;
        if (depth <= MAX_DEPTH) return open(name, attributes, line);
        parser.pause();
        problems.push({ line, message: 'is nested too deeply: the rest wasn’t read' });
      },
      onclosetag: (name) => {
        depth -= 1;
        close?.(name);
      },
      ontext: (data) => {
        countLines();
        onText?.(data, line);
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  );
  parser.end(text);
  return problems;
}

const nameOf = (artist: string | undefined, title: string | undefined) => ({
  artist: artist?.trim() || null,
  title: title?.trim() || 'Untitled',
});

type Playlist = { name: string; keys: { key: string; line: number; at: number | null }[] };

/** One playlist is a tracklist; of several, someone has to say which one it is. */
function choosePlaylist(
  playlists: readonly Playlist[],
  tracks: ReadonlyMap<string, NumberedChapter>,
): TracklistDraft {
  const filled = playlists.filter(({ keys }) => keys.length > 0);
  if (filled.length > 1) {
    const names = filled.slice(0, 5).map(({ name }) => `“${name}”`);
    const message = `starts one of ${filled.length} playlists (${names.join(', ')}): export only the one of this mix`;
    return { chapters: [], problems: [{ line: filled[0]?.keys[0]?.line ?? 1, message }] };
  }
  const draft: TracklistDraft = { chapters: [], problems: [] };
  for (const { key, line, at } of filled[0]?.keys ?? []) {
    const track = tracks.get(key);
    if (track) draft.chapters.push({ ...track, line, at });
    else draft.problems.push({ line, message: 'names a track that isn’t in the file' });
  }
  return { ...draft, chapters: countFromFirst(draft.chapters) };
}

/** A collection of rekordbox with one playlist, or a collection that is the list. It has no times. */
export function readRekordboxXml(text: string): TracklistDraft {
  const tracks = new Map<string, NumberedChapter>();
  const collection: NumberedChapter[] = [];
  const playlists: Playlist[] = [];
  const problems = readMarkup(text, true, {
    open: (name, attributes, line) => {
      if (name === 'NODE' && attributes.Type === '1')
        playlists.push({ name: attributes.Name ?? '', keys: [] });
      if (name !== 'TRACK') return;
      if (attributes.Key !== undefined)
        playlists.at(-1)?.keys.push({ key: attributes.Key, line, at: null });
      else {
        const { Composer: composer, Label: label, Remixer: remixer, Mix: version } = attributes;
        const written = { composer, label, remixer, version };
        const { details } = readDetails(line, written);
        const names = nameOf(attributes.Artist, attributes.Name);
        const track = { line, at: null, ...names, ...(details && { details }) };
        // A playlist names its tracks by id or by file.
        for (const key of [attributes.TrackID, attributes.Location])
          if (key) tracks.set(key, track);
        collection.push(track);
      }
    },
  });
  if (!playlists.some(({ keys }) => keys.length > 0)) return { chapters: collection, problems };
  const chosen = choosePlaylist(playlists, tracks);
  return { ...chosen, problems: [...problems, ...chosen.problems] };
}

/** A playlist, a history or a collection of Traktor. A history says when each track began to play. */
export function readTraktorNml(text: string): TracklistDraft {
  const tracks = new Map<string, NumberedChapter>();
  const collection: NumberedChapter[] = [];
  const playlists: Playlist[] = [];
  const problems: TracklistDraft['problems'] = [];
  let track: NumberedChapter | null = null;
  let [node, hasPlayed] = ['', false];
  const stopped = readMarkup(text, true, {
    open: (name, attributes, line) => {
      if (name === 'NODE') node = attributes.NAME ?? '';
      if (name === 'PLAYLIST') playlists.push({ name: node, keys: [] });
      if (name === 'ENTRY') {
        const { ARTIST, TITLE } = attributes;
        track = TITLE === undefined ? null : { line, at: null, ...nameOf(ARTIST, TITLE) };
        if (track) collection.push(track);
      }
      if (name === 'INFO' && track) {
        const { LABEL, REMIXER, MIX } = attributes;
        // A producer isn’t a composer.
        const written = { label: LABEL, remixer: REMIXER, version: MIX };
        const { details } = readDetails(line, written);
        if (details) track.details = details;
      }
      if (name === 'LOCATION' && track) {
        const { VOLUME = '', DIR = '', FILE = '' } = attributes;
        tracks.set(`${VOLUME}${DIR}${FILE}`, track);
      }
      const keys = playlists.at(-1)?.keys;
      if (name === 'PRIMARYKEY' && keys) {
        keys.push({ key: attributes.KEY ?? '', line, at: null });
        hasPlayed = true;
      }
      const last = keys?.at(-1);
      if (name !== 'EXTENDEDDATA' || !last) return;
      if (attributes.PLAYEDPUBLIC === '0') {
        keys?.pop();
        problems.push({ line: last.line, message: 'was only heard in the headphones' });
      } else if (attributes.STARTTIME) last.at = Number(attributes.STARTTIME) || null;
    },
  });
  if (!hasPlayed) return { chapters: collection, problems: stopped };
  const chosen = choosePlaylist(playlists, tracks);
  return { ...chosen, problems: [...stopped, ...problems, ...chosen.problems] };
}

/** They describe the page or the whole list. */
const HEADINGS = /^(?:title|style|script|caption|h[1-6])$/;

/** The rows of the tables of a page, such as Traktor writes for a playlist. */
export function readHtml(text: string): TracklistDraft {
  const rows: Row[] = [];
  const problems: TracklistProblem[] = [];
  let row: { line: number; cells: string[] } | null = null;
  let headings = 0;
  const stopped = readMarkup(text, false, {
    open: (name, _attributes, line) => {
      if (name === 'tr') rows.push((row = { line, cells: [] }));
      if (name === 'td' || name === 'th') row?.cells.push('');
      if (HEADINGS.test(name)) headings += 1;
    },
    close: (name) => {
      if (name === 'tr') row = null;
      if (HEADINGS.test(name)) headings -= 1;
    },
    text: (data, line) => {
      const last = (row?.cells.length ?? 0) - 1;
      if (row && last >= 0) row.cells[last] += data;
      else if (data.trim() && headings === 0 && problems.at(-1)?.line !== line)
        problems.push({ line, message: 'has text outside the table' });
    },
  });
  const read = readTable(rows);
  return { ...read, problems: [...stopped, ...problems, ...read.problems] };
}
