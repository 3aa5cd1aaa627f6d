import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTracklist } from './read-tracklist.ts';

const summarise = (text: string) =>
  readTracklist(text).chapters.map(({ at, artist, title }) => [at, artist, title]);
const listProblems = (text: string) =>
  readTracklist(text).problems.map(({ line, message }) => `${line} ${message}`);

const RELAY = 'Relay Room';
const SIREN = ['Kasi Voltage', 'Umlazi Siren'] as const;

describe('a tracklist as DJ software writes it', () => {
  it('can be a cue sheet by rekordbox, whose times are hours, minutes and seconds', () => {
    const cue = `REM DATE 2026-05-01
REM RECORDED_BY "rekordbox-dj"
TITLE "Friday"
FILE "01 Friday.wav" WAVE
\tTRACK 01 AUDIO
\t\tTITLE "Substation"
\t\tPERFORMER "${RELAY}"
\t\tINDEX 01 00:00:00
\tTRACK 02 AUDIO
\t\tTITLE "${SIREN[1]}"
\t\tPERFORMER "${SIREN[0]}"
\t\tINDEX 01 01:05:12`;
    expect(summarise(cue)).toEqual([
      [0, RELAY, 'Substation'],
      [3912, ...SIREN],
    ]);
  });

  it('has no times in a cue sheet with a file for each track', () => {
    const track = (n: number) =>
      `FILE "${n}.wav" WAVE\n  TRACK 0${n} AUDIO\n    TITLE "Part ${n}"\n    INDEX 01 00:00:00`;
    expect(summarise(`${track(1)}\n${track(2)}`)).toEqual([
      [null, null, 'Part 1'],
      [null, null, 'Part 2'],
    ]);
  });

  it('can be the text of a rekordbox playlist, whose column of times is the length', () => {
    const text = `#\tArtwork\tTrack Title\tArtist\tBPM\tTime\tKey\r\n1\t\tSubstation\t${RELAY}\t124.00\t05:12\tAm\r\n2\t\t${SIREN[1]}\t${SIREN[0]}\t126.00\t04:40\tCm\r\n`;
    expect(summarise(text)).toEqual([
      [null, RELAY, 'Substation'],
      [null, ...SIREN],
    ]);
  });

  const rekordbox = (playlists: string) => `<?xml version="1.0" encoding="UTF-8"?>
<DJ_PLAYLISTS Version="1.0.0"><COLLECTION Entries="2">
  <TRACK TrackID="1" Name="Umlazi Siren" Artist="Kasi Voltage"/>
  <TRACK TrackID="2" Name="Salt &amp; Steel" Artist="${RELAY}"/>
</COLLECTION><PLAYLISTS><NODE Type="0" Name="ROOT">${playlists}</NODE></PLAYLISTS></DJ_PLAYLISTS>`;

  it('can be the XML of a rekordbox playlist, in the order of the playlist', () => {
    const xml = rekordbox(
      '<NODE Type="1" Name="Friday"><TRACK Key="2"/><TRACK Key="1"/>\n<TRACK Key="9"/></NODE>',
    );
    expect(summarise(xml)).toEqual([
      [null, RELAY, 'Salt & Steel'],
      [null, ...SIREN],
    ]);
    expect(listProblems(xml)).toEqual(['6 names a track that isn’t in the file']);
  });

  it('has to be one playlist', () => {
    const xml = rekordbox(
      '<NODE Type="1" Name="A"><TRACK Key="1"/></NODE><NODE Type="1" Name="B"><TRACK Key="2"/></NODE>',
    );
    expect(summarise(xml)).toEqual([]);
    expect(listProblems(xml)).toEqual([
      '5 starts one of 2 playlists (“A”, “B”): export only the one of this mix',
    ]);
  });

  it('can be a CSV of a Serato session, across midnight', () => {
    const csv = `name,artist,start time,end time,playtime,deck,notes
01/05/2026,,23:58:10,01:00:00,,,
Substation,${RELAY},23:58:10,00:03:00,00:04:50,1,
"${SIREN[1]}","${SIREN[0]}",00:02:40,00:07:00,00:04:20,2,`;
    expect(summarise(csv)).toEqual([
      [0, RELAY, 'Substation'],
      [270, ...SIREN],
    ]);
  });

  it('can have times such as 10:15:00 PM', () => {
    const csv = `name,artist,start time\nA,x,11:59:00 PM\nB,y,12:01:30 AM`;
    expect(summarise(csv)).toEqual([
      [0, 'x', 'A'],
      [150, 'y', 'B'],
    ]);
  });

  it('can be a history of Traktor, without what was only heard in the headphones', () => {
    const entry = (file: string, artist: string, title: string) =>
      `<ENTRY TITLE="${title}" ARTIST="${artist}"><LOCATION DIR="/:Music/:" FILE="${file}" VOLUME="Disk"></LOCATION></ENTRY>`;
    const played = (file: string, start: number, isPublic = 1) =>
      `<ENTRY><PRIMARYKEY TYPE="TRACK" KEY="Disk/:Music/:${file}"></PRIMARYKEY><EXTENDEDDATA DECK="0" DURATION="200.5" EXTENDEDTYPE="HistoryData" PLAYEDPUBLIC="${isPublic}" STARTDATE="132646145" STARTTIME="${start}"></EXTENDEDDATA></ENTRY>`;
    const nml = `<?xml version="1.0"?><NML VERSION="19"><COLLECTION ENTRIES="2">
${entry('a.mp3', RELAY, 'Substation')}${entry('b.mp3', ...SIREN)}</COLLECTION>
<PLAYLISTS><NODE TYPE="PLAYLIST" NAME="HISTORY"><PLAYLIST ENTRIES="3" TYPE="LIST">
${played('a.mp3', 79_200)}
${played('b.mp3', 79_300, 0)}
${played('b.mp3', 79_500)}</PLAYLIST></NODE></PLAYLISTS></NML>`;
    expect(summarise(nml)).toEqual([
      [0, RELAY, 'Substation'],
      [300, ...SIREN],
    ]);
    expect(listProblems(nml)).toEqual(['5 was only heard in the headphones']);
  });

  it('can be a page that Traktor writes', () => {
    const html = `<html><body><h1>Friday</h1><table><tr><th>Title</th><th>Artist</th><th>Start Time</th></tr>
<tr><td>Substation</td><td>${RELAY}</td><td>2026/5/1 22:00:00</td></tr>
<tr><td>Salt &amp; <b>Steel</b></td><td>${RELAY}</td><td>2026/5/1 22:04:30</td></tr></table></body></html>`;
    expect(summarise(html)).toEqual([
      [0, RELAY, 'Substation'],
      [270, RELAY, 'Salt & Steel'],
    ]);
  });

  it('can be a history of VirtualDJ, with the time of day', () => {
    const text = `VirtualDJ History 2026/05/01
------------------------------
22:15 : ${RELAY} - Substation
22:19 : ${SIREN.join(' - ')}
Something else`;
    expect(summarise(text)).toEqual([
      [0, RELAY, 'Substation'],
      [240, ...SIREN],
    ]);
    expect(listProblems(text)).toEqual(['5 isn’t a track']);
  });

  it('can be a playlist of VirtualDJ', () => {
    const m3u = `#EXTVDJ:<time>22:15</time><lastplaytime>1777666500</lastplaytime><artist>${RELAY}</artist><title>Substation</title>
D:\\Music\\a.mp3
#EXTVDJ:<time>22:21</time><artist>${SIREN[0]}</artist><title>${SIREN[1]}</title>
D:\\Music\\b.mp3`;
    expect(summarise(m3u)).toEqual([
      [0, RELAY, 'Substation'],
      [360, ...SIREN],
    ]);
  });

  it('can be a playlist of Mixxx', () => {
    const m3u = `#EXTM3U\n#EXTINF:312,${RELAY} - Substation\n/music/a.mp3\n/music/${SIREN.join(' - ')}.flac`;
    expect(summarise(m3u)).toEqual([
      [null, RELAY, 'Substation'],
      [null, ...SIREN],
    ]);
  });

  it.each([
    ['Mixxx', '"Artist","Title","Album","Duration"', '"Relay Room","Substation","","5:12"'],
    ['Engine', '#,Title,Artist,Album,Length,BPM', '1,Substation,Relay Room,,05:12,124'],
    ['semicolons', 'Title;Artist', 'Substation;Relay Room'],
  ])('can be a CSV by %s', (_name, head, row) => {
    expect(summarise(`${head}\n${row}\n`)).toEqual([[null, RELAY, 'Substation']]);
  });

  it('can be labels of Audacity', () => {
    const labels = `0.000000\t0.000000\t${RELAY} - Substation\n\\\t100.0\t200.0\n270.5\t270.5\tUmlazi Siren\n300.0\t300.0\t`;
    expect(summarise(labels)).toEqual([
      [0, RELAY, 'Substation'],
      [270.5, null, 'Umlazi Siren'],
    ]);
    expect(listProblems(labels)).toEqual(['4 has a time but no title']);
  });

  it('can be a list with unknown times and tracks played together', () => {
    const list = `01. [00:00] ${RELAY} - Substation [LABEL]
w/ Kasi Voltage - Umlazi Siren
02. [??:??] ID - ID
[12:30] ${RELAY} - Salt`;
    expect(summarise(list)).toEqual([
      [0, RELAY, 'Substation [LABEL]'],
      [null, ...SIREN],
      [null, 'ID', 'ID'],
      [750, RELAY, 'Salt'],
    ]);
  });

  it('keeps entities that a file defines as they are', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<DJ_PLAYLISTS><COLLECTION><TRACK TrackID="1" Name="&b;&f;" Artist="x"/></COLLECTION></DJ_PLAYLISTS>`;
    expect(summarise(bomb)).toEqual([[null, 'x', '&b;&f;']]);
  });

  it('shows markup as the text that it is', () => {
    expect(summarise('0:00 <script>alert(1)</script> - <b>Bold</b>')).toEqual([
      [0, '<script>alert(1)</script>', '<b>Bold</b>'],
    ]);
    const csv = 'Title,Artist\n"<img src=x onerror=alert(1)>",=HYPERLINK("x")';
    expect(summarise(csv)).toEqual([[null, '=HYPERLINK("x")', '<img src=x onerror=alert(1)>']]);
  });

  it('has names without control characters, and no line without a name', () => {
    expect(summarise('0:00\tRelay Room\t-\tSub\u0007station')).toEqual([[0, RELAY, 'Sub station']]);
    expect(listProblems('0:10 \u0001')).toEqual(['1 has no title']);
  });

  it('says when markup is nested too deeply to be a tracklist', () => {
    const nested = `<DJ_PLAYLISTS>\n${'<NODE>'.repeat(300)}`;
    expect(listProblems(nested)).toEqual(['2 is nested too deeply: the rest wasn’t read']);
  });

  it.each(['<table> <tr>', '<NML>', '<DJ_PLAYLISTS>', 'INDEX', '#EXTINF:1,x', '22:15 : x'])(
    'is a list of lines, even if one of them contains %s',
    (part) => {
      const text = `0:00 A\n1:00 B ${part}\n${part}\n3:00 C`;
      const { source, chapters } = readTracklist(text);
      expect([source, chapters.length]).toEqual(['list', 4]);
    },
  );

  it('is a list of lines, even if one of them is that of a cue sheet', () => {
    const { source, chapters } = readTracklist('0:00 A\nINDEX 01 00:00:00\n3:00 C');
    expect([source, chapters.length]).toEqual(['list', 3]);
  });

  it.each([
    ['TRACK 01 AUDIO\nTITLE "A"\n5:00 B\nINDEX 01 00:00:00', '3 isn’t a line of a cue sheet'],
    [
      '<table><tr><td>A</td><td>B</td></tr></table>',
      '1 starts a table without the names of its columns: name them Title and Artist',
    ],
    [
      '<p>5:00 B</p>\n<table><tr><th>Title<th>Artist<tr><td>A<td>B</table>',
      '1 has text outside the table',
    ],
    ['#EXTM3U\n# 5:00 B', '2 is a comment'],
    ['#EXTM3U\n#EXTINF:1,', '1 starts a tracklist (playlist) without any tracks'],
    ['5:00 B\nTitle,Artist\nA,B', '1 is above the names of the columns'],
    ['Title,Artist,Start Time\nA,B,late', '2 has a start time that we don’t understand: late'],
    ['\nINDEX 01 00:00:00', '2 starts a tracklist (cue sheet) without any tracks'],
  ])('names what it can’t use of %j', (text, problem) => {
    expect(listProblems(text)).toEqual([problem]);
  });

  it.each(['8:05:00 PM GMT+2', '8:05:00 PM', '20.05.00', '2026-05-01T20:05:00Z', '20:05 SAST'])(
    'has a start time such as %s',
    (time) => {
      const csv = `Title,Artist,Start Time\nA,x,20:00:00\nB,y,${time}`;
      expect(summarise(csv)).toEqual([
        [0, 'x', 'A'],
        [300, 'y', 'B'],
      ]);
    },
  );

  it('can be a collection of Traktor without a playlist', () => {
    const nml = `<NML VERSION="19"><COLLECTION><ENTRY TITLE="${SIREN[1]}" ARTIST="${SIREN[0]}"></ENTRY></COLLECTION></NML>`;
    expect(summarise(nml)).toEqual([[null, ...SIREN]]);
  });

  it('has chapters or a problem, unless it is blank', () => {
    const part = fc.constantFrom(
      '<NML>',
      '<table>',
      '<tr>',
      '<td>',
      '#EXTM3U',
      '#EXTINF:1,',
      'TRACK 01 AUDIO',
      'REM',
      'INDEX 01 00:00:00',
      'Title,Artist',
      'VirtualDJ History',
      '1\t1\t',
      '"',
      '---',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join('\n');
        const { chapters, problems } = readTracklist(text);
        expect(chapters.length + problems.length > 0).toBe(text.trim() !== '');
      }),
    );
  });

  it('never throws, and understands or reports every line of a plain list', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { chapters, problems } = readTracklist(text);
        expect(chapters.every(({ title }) => title.length > 0)).toBe(true);
        const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
        const { source } = readTracklist(text);
        if (source === 'list') expect(chapters.length + problems.length).toBe(lines.length);
      }),
    );
  });
});

it('reads a cue sheet, whose tracks need a title', () => {
  const cue = `PERFORMER "The DJ"
FILE "mix.wav" WAVE
  TRACK 01 AUDIO
    TITLE "Opening"
    PERFORMER "Somebody"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Second"
    INDEX 00 04:58:00
    INDEX 01 05:00:37`;
  expect(readTracklist(cue).chapters).toEqual([
    { at: 0, artist: 'Somebody', title: 'Opening' },
    { at: 300 + 37 / 75, artist: null, title: 'Second' },
  ]);
  const untitled = readTracklist('TRACK 01 AUDIO\nINDEX 01 00:00:00');
  expect(untitled.problems).toEqual([{ line: 1, message: 'is missing a TITLE' }]);
});
