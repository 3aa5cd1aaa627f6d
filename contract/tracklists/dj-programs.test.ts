import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeProblems } from '../rules/tracklist.ts';
import { decodeText } from './decode-text.ts';
import { readTracklist } from './read-tracklist.ts';

/** Written by us in the shape that the program writes. */
const read = (name: string) =>
  readTracklist(decodeText(readFileSync(new URL(`./testing/${name}`, import.meta.url))));

const format = ({ at, artist, title }: ReturnType<typeof read>['chapters'][number]) =>
  `${at ?? '–'} ${artist ? `${artist} | ` : ''}${title}`;

const NDLELA = 'Thandi M, Café del Sur | Ndlela (Extended Mix)';

it.each<[file: string, source: string, chapters: string[], problems?: string[]]>([
  [
    'rekordbox.cue',
    'cue sheet',
    ['0 Relay Room | Substation', `337 ${NDLELA}`, '4328 Kasi Voltage | Umlazi Siren'],
  ],
  [
    'mixxx.cue',
    'cue sheet',
    ['0 Relay Room | Substation', `${4328 + 37 / 75} Kasi Voltage | Umlazi Siren`],
  ],
  [
    'rekordbox.txt',
    'table',
    ['– Relay Room | Substation', `– ${NDLELA}`, '– Kasi Voltage | Умлази'],
  ],
  [
    'rekordbox.xml',
    'rekordbox collection',
    ['– Relay Room | Salt & Steel', '– Kasi Voltage | Umlazi Siren'],
  ],
  [
    'serato.csv',
    'table',
    ['0 Relay Room | Substation', `270 ${NDLELA}`, '501 Kasi Voltage | Umlazi Siren'],
  ],
  [
    'traktor.nml',
    'Traktor list',
    ['0 Relay Room | Substation', '270 Kasi Voltage | Umlazi Siren'],
    ['16 was only heard in the headphones'],
  ],
  ['traktor.html', 'HTML table', ['– Relay Room | Substation', '– Relay Room | Salt & Steel']],
  [
    'virtualdj-tracklist.txt',
    'VirtualDJ history',
    ['0 Relay Room | Substation', `300 ${NDLELA}`, '540 Kasi Voltage | Umlazi Siren'],
    ['1 starts one of 2 sessions: only the last one was read'],
  ],
  [
    'virtualdj.m3u',
    'playlist',
    ['0 Relay Room | Salt & Steel', '286 Thandi M | Ndlela (Extended Mix)'],
  ],
  ['mixxx.m3u', 'playlist', ['– Relay Room | Substation', '– Kasi Voltage | Umlazi Siren']],
  ['mixxx.csv', 'table', ['– Relay Room | Substation', '– Kasi Voltage | Umlazi "Siren"']],
  [
    'mixxx-history.txt',
    'list',
    [
      '0 Relay Room | Substation',
      '290 Thandi M | Ndlela (Extended Mix)',
      '4328 Kasi Voltage | Umlazi Siren',
    ],
  ],
  ['engine.csv', 'table', ['– Relay Room | Substation', '– Kasi Voltage | Umlazi Siren, Part 2']],
  [
    'audacity.txt',
    'list of labels',
    ['0 Relay Room | Substation', '270.504 Kasi Voltage | Umlazi Siren'],
  ],
  [
    '1001.txt',
    'list',
    [
      '0 Relay Room | Substation [GRID]',
      '290 Thandi M | Ndlela (Extended Mix) [CAFÉ]',
      '– Kasi Voltage | Umlazi Siren (Acappella)',
      '– ID | ID',
      '4328 Relay Room | Salt & Steel [GRID]',
    ],
  ],
  [
    'without-times.txt',
    'list',
    ['– Relay Room | Substation', '– Kasi Voltage | Umlazi Siren', '– A title alone'],
  ],
])('%s is read as a %s', (file, source, chapters, problems = []) => {
  const tracklist = read(file);
  expect(tracklist.source).toBe(source);
  expect(tracklist.chapters.map(format)).toEqual(chapters);
  expect(tracklist.problems.map(({ line, message }) => `${line} ${message}`)).toEqual(problems);
});

const detailsOf = (file: string) => {
  const { chapters, problems } = read(file);
  const left = problems.map(({ line, message, isDetail }) => `${line} ${message} ${isDetail}`);
  return [chapters.map(({ details }) => details), left];
};

it.each<[file: string, details: (object | undefined)[], leftOut?: string[]]>([
  [
    'details.csv',
    [
      {
        composer: 'R. Room',
        publisher: 'Sheer',
        label: 'Grid',
        isrc: 'ZAUM71900001',
        iswc: 'T0345246801',
        clearedWith: 'By mail, 3 May',
      },
      { version: 'Dub', isOwn: true },
    ],
    ['3 has an invalid ISRC: ZAUM7190000 true', '3 has an invalid ISWC: T-034.524.680-2 true'],
  ],
  [
    'details.cue',
    [
      { composer: 'R. Room', label: 'Grid', isrc: 'ZAUM71900001', iswc: 'T0345246801' },
      { composer: 'S. Dube' },
    ],
    ['12 has an invalid ISRC: 000000000000 true'],
  ],
  [
    'rekordbox.xml',
    [undefined, { version: 'Extended Mix', composer: 'S. Dube', label: 'Harbour' }],
  ],
  [
    'traktor.nml',
    [{ version: 'Thandi M Remix', label: 'Grid' }, undefined],
    ['16 was only heard in the headphones undefined'],
  ],
  [
    'serato.csv',
    [{ composer: 'R. Room', label: 'Grid' }, { version: 'Kasi Voltage Remix' }, undefined],
  ],
  ['mixxx.csv', [{ composer: 'R. Room' }, undefined]],
  ['engine.csv', [{ label: 'Grid' }, undefined]],
])('%s says what a report needs, as far as it does', (file, details, leftOut = []) => {
  expect(detailsOf(file)).toEqual([details, leftOut]);
});

const HEAD = ['Artist', 'Title', 'Composer', 'ISRC'];
const CELLS = ['Relay Room', 'Café', 'Zoë Müller', 'za-um7-19-00001'];
const csv = (delimiter: string, end = '\n') =>
  [HEAD, CELLS].map((cells) => cells.join(delimiter) + end).join('');

it.each([
  ['with a byte order mark', Buffer.from(`\uFEFF${csv(',')}`)],
  ['with semicolons, in Latin-1', Buffer.from(csv(';', '\r\n'), 'latin1')],
  ['with tabs, in UTF-16', Buffer.from(`\uFEFF${csv('\t')}`, 'utf16le')],
  [
    'with quotes, and the separator of Excel',
    Buffer.from(`sep=;\n${csv(';').replaceAll('Café', '"Café"')}`),
  ],
])('a CSV %s says the same', (_name, bytes) => {
  expect(readTracklist(decodeText(bytes)).chapters).toEqual([
    {
      at: null,
      artist: 'Relay Room',
      title: 'Café',
      details: { composer: 'Zoë Müller', isrc: 'ZAUM71900001' },
    },
  ]);
});

it('takes a remixer for a version, and neither a producer nor a key for anything', () => {
  const nml = (info: string) =>
    `<?xml version="1.0"?><NML VERSION="19"><COLLECTION ENTRIES="1"><ENTRY TITLE="Ndlela" ARTIST="Thandi M"><INFO PRODUCER="Nobody" KEY="8m" ${info}></INFO></ENTRY></COLLECTION></NML>`;
  const xml = (track: string) =>
    `<?xml version="1.0"?><DJ_PLAYLISTS Version="1.0.0"><COLLECTION Entries="1"><TRACK TrackID="1" Name="Ndlela" Artist="Thandi M" Tonality="8B" ${track}/></COLLECTION></DJ_PLAYLISTS>`;
  const detailsIn = (text: string) => readTracklist(text).chapters.map(({ details }) => details);
  expect(detailsIn(nml('MIX="Dub"'))).toEqual([{ version: 'Dub' }]);
  expect(detailsIn(nml('REMIXER="Kasi Voltage"'))).toEqual([{ version: 'Kasi Voltage Remix' }]);
  expect(detailsIn(nml(''))).toEqual([undefined]);
  expect(detailsIn(xml('Remixer="Kasi Voltage" Label="Grid"'))).toEqual([
    { version: 'Kasi Voltage Remix', label: 'Grid' },
  ]);
});

it('keeps a tracklist whose details are wrong', () => {
  const { chapters, problems } = read('details.cue');
  expect(chapters).toHaveLength(2);
  expect(describeProblems(problems)).toBeNull();
});
