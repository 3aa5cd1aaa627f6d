import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTracklist, parseTracklist } from '../rules/tracklist.ts';
import { formatDuration } from '../rules/time.ts';
import { readTracklist, readTracklistFile } from './read-tracklist.ts';

const summarise = (text: string) => ({
  tracks: readTracklist(text).chapters.map(
    ({ at, artist, title }) => `${at ?? '–'} ${artist ? `${artist} | ` : ''}${title}`,
  ),
  problems: readTracklist(text).problems.map(({ line, message }) => `${line} ${message}`),
});

const BOTH = ['0 Relay Room | Substation', '605 Kasi Voltage | Umlazi Siren'];
const THREE = [...BOTH, '5100 Thandi M | Ndlela'];

describe('a list that someone typed', () => {
  it.each<[name: string, text: string, tracks?: string[]]>([
    ['bullets', '• 0:00 Relay Room - Substation\n• 10:05 Kasi Voltage - Umlazi Siren'],
    ['dashes', '- 0:00 Relay Room - Substation\n- 10:05 Kasi Voltage - Umlazi Siren'],
    ['pictures', '🎵 0:00 Relay Room - Substation\n▶️10:05 Kasi Voltage - Umlazi Siren'],
    [
      'numbers before times',
      '03 0:00 Relay Room - Substation\n04 10:05 Kasi Voltage - Umlazi Siren',
    ],
    [
      'numbers in brackets',
      '[03] 0:00 Relay Room - Substation\n[04] 10:05 Kasi Voltage - Umlazi Siren',
    ],
    [
      'hours with letters',
      '0h00m00s Relay Room - Substation\n10m05s Kasi Voltage - Umlazi Siren\n1h25m00s Thandi M - Ndlela',
      THREE,
    ],
    [
      'minutes and seconds with marks',
      `0'00" Relay Room - Substation\n10′05″ Kasi Voltage - Umlazi Siren`,
    ],
    [
      'dots',
      '0.00 Relay Room - Substation\n10.05 Kasi Voltage - Umlazi Siren\n1.25.00 Thandi M - Ndlela',
      THREE,
    ],
    [
      'start and end',
      '0:00-10:05 Relay Room - Substation\n10:05 – 15:30 Kasi Voltage - Umlazi Siren',
    ],
    [
      'start and end in brackets',
      '[0:00 - 10:05] Relay Room - Substation\n[10:05-15:30] Kasi Voltage - Umlazi Siren',
    ],
    [
      'start and end behind',
      'Relay Room - Substation (0:00-10:05)\nKasi Voltage - Umlazi Siren (10:05-15:30)',
    ],
    [
      'start and length',
      '0:00 10:05 Relay Room - Substation\n10:05 5:25 Kasi Voltage - Umlazi Siren',
    ],
    ['wide digits', '０：００　Relay Room － Substation\n【10：05】Kasi Voltage － Umlazi Siren'],
    [
      'no space behind a bracket',
      '[0:00]Relay Room - Substation\n[10:05]Kasi Voltage - Umlazi Siren',
    ],
    [
      'an address behind',
      '0:00 Relay Room - Substation https://example.com/a\n10:05 Kasi Voltage - Umlazi Siren',
    ],
    ['tabs', '0:00\tRelay Room - Substation\n10:05\tKasi Voltage - Umlazi Siren'],
  ])('can have %s', (_name, text, tracks = BOTH) => {
    expect(summarise(text)).toEqual({ tracks, problems: [] });
  });

  it.each([
    ['04 Relay Room - Substation\n05 Kasi Voltage - Umlazi Siren'],
    ['[03] Relay Room - Substation\n[04] Kasi Voltage - Umlazi Siren'],
    ['(1) Relay Room - Substation\n(2) Kasi Voltage - Umlazi Siren'],
    ['01.Relay Room - Substation\n02.Kasi Voltage - Umlazi Siren'],
  ])('can be numbered without times: %j', (text) => {
    expect(summarise(text)).toEqual({
      tracks: ['– Relay Room | Substation', '– Kasi Voltage | Umlazi Siren'],
      problems: [],
    });
  });

  it('keeps a number that belongs to a name', () => {
    expect(summarise('50 Cents - Change\n808 Grid - Pulse').tracks).toEqual([
      '– 50 Cents | Change',
      '– 808 Grid | Pulse',
    ]);
  });

  const list = '0:00 Relay Room - Substation\n10:05 Kasi Voltage - Umlazi Siren';
  it.each([
    ['Tracklist Friday Lights', 'looks like a heading: “Tracklist Friday Lights”'],
    ['Tracklist:', 'looks like a heading: “Tracklist:”'],
    ['TRACK LIST – Week 12', 'looks like a heading: “TRACK LIST – Week 12”'],
    ['Треклист', 'looks like a heading: “Треклист”'],
    ['セットリスト', 'looks like a heading: “セットリスト”'],
    ['== Hour one ==', 'looks like a heading: “== Hour one ==”'],
    ['## Hour one', 'looks like a heading: “## Hour one”'],
    [
      'Friday Lights, live from the roof',
      'looks like a heading: “Friday Lights, live from the roof”',
    ],
    ['DJ Thandi - Friday Lights', 'looks like a heading: “DJ Thandi - Friday Lights”'],
    ['https://example.com/friday', 'is a link, not a track'],
    ['Listen again: www.example.com', 'is a link, not a track'],
    ['#amapiano #friday', 'has only hashtags'],
    ['-----', 'is only a separator'],
    ['🔥🔥🔥', 'is only a separator'],
    ['Time Artist Title', 'has only the names of columns'],
  ])('leaves out %j, and says so', (line, message) => {
    expect(summarise(`${line}\n${list}`)).toEqual({ tracks: BOTH, problems: [`1 ${message}`] });
    expect(readTracklist(`${line}\n${list}`).problems[0]?.isRemark).toBe(true);
  });

  it('reads a long line of hashtags, also where something else ends it', () => {
    const tags = Array.from({ length: 25 }, (_, index) => `#deephouse${index}mix`).join(' ');
    const [remark] = readTracklist(`${tags}\n${list}`).problems;
    expect(remark).toMatchObject({ line: 1, message: 'has only hashtags' });
    const [problem] = readTracklist(`${tags} 🔥\n${list}`).problems;
    expect(problem).toMatchObject({ line: 1 });
    expect(problem?.message).not.toBe('has only hashtags');
  });

  it.each([
    [
      'Thanks for listening',
      'may not be a track: “Thanks for listening”. If it is one, put --:-- before it',
    ],
    ['12:75 Thandi M - Ndlela', 'has an invalid time: 12:75'],
    ['15:30-12:00 Thandi M - Ndlela', 'ends before it starts: “15:30-12:00 Thandi M - Ndlela”'],
    ['00:15:30:12 Thandi M - Ndlela', 'begins like a time, which is written as 12:30'],
    ['15.30 Thandi M - Ndlela', 'begins like a time, which is written as 12:30'],
    [
      '15:30\tThandi M\tNdlela',
      'has columns without names: write Artist - Title, or add a line that names them',
    ],
  ])('doesn’t guess what %j means', (line, message) => {
    expect(summarise(`${list}\n${line}`)).toEqual({ tracks: BOTH, problems: [`3 ${message}`] });
    expect(readTracklist(`${list}\n${line}`).problems[0]?.isRemark).toBeUndefined();
  });

  it.each([
    [
      'aligned text without names',
      '0:00   Relay Room    Substation\n10:05  Kasi Voltage  Umlazi Siren',
    ],
    ['times of day', '10:15 PM Relay Room - Substation\n10:20 PM Kasi Voltage - Umlazi Siren'],
  ])('names every line of %s', (_name, text) => {
    expect(summarise(text).tracks).toEqual([]);
    expect(readTracklist(text).problems.map(({ line }) => line)).toEqual([1, 2]);
  });

  it.each([
    'Tracklist:',
    'https://example.com',
    '#friday',
    '12.30 Blues',
    'w/ Friends',
    '• Dot',
    '[03] Room',
  ])('can have %j as a title, with --:-- before it', (title) => {
    expect(summarise(`--:-- Relay Room - ${title}\n--:-- ${title}`).problems).toEqual([]);
    expect(summarise(`--:-- Relay Room - ${title}`).tracks).toEqual([`– Relay Room | ${title}`]);
  });
});

describe('a table', () => {
  it.each([
    [
      'German',
      'Nr.;Titel;Interpret;Startzeit\n1;Substation;Relay Room;22:00:00\n2;Umlazi Siren;Kasi Voltage;22:10:05',
    ],
    [
      'Russian',
      'Название\tИсполнитель\tВремя начала\nSubstation\tRelay Room\t22:00:00\nUmlazi Siren\tKasi Voltage\t22:10:05',
    ],
    [
      'Japanese',
      'トラックタイトル,アーティスト,開始時間\nSubstation,Relay Room,22:00:00\nUmlazi Siren,Kasi Voltage,22:10:05',
    ],
    ['French', 'Titre;Artiste;Début\nSubstation;Relay Room;0:00\nUmlazi Siren;Kasi Voltage;10:05'],
    [
      'Spanish',
      'Título,Artista,Inicio\nSubstation,Relay Room,00:00:00\nUmlazi Siren,Kasi Voltage,00:10:05',
    ],
    [
      'aligned',
      '#   Time    Artist         Title\n1   00:00   Relay Room     Substation\n2   10:05   Kasi Voltage   Umlazi Siren',
    ],
    [
      'Markdown',
      '| # | Start | Artist | Title |\n|---|:---|---|---|\n| 1 | 0:00 | Relay Room | Substation |\n| 2 | 10:05 | Kasi Voltage | Umlazi Siren |',
    ],
  ])('can be %s', (_name, text) => {
    expect(summarise(text)).toEqual({ tracks: BOTH, problems: [] });
  });

  it('has rows that don’t fit its columns, and empty cells', () => {
    const head = 'Time    Artist         Title';
    expect(
      summarise(
        `${head}\n00:00   Relay Room     Substation\n                       Salt\nRelay Room and many friends  Steel`,
      ),
    ).toEqual({
      tracks: ['– Relay Room | Substation', '– Salt'],
      problems: ['4 doesn’t fit the columns'],
    });
  });
});

describe('a file in an old encoding', () => {
  const cyrillic = (text: string) =>
    Uint8Array.from(
      Array.from(text, (letter) => {
        const code = letter.codePointAt(0) ?? 0;
        return code < 0x80 ? code : code - 0x410 + 0xc0;
      }),
    );

  it('is read in Windows-1251', () => {
    const { chapters, problems } = readTracklistFile(
      cyrillic('0:00 Ночной Поезд - Огни\n10:05 Relay Room - Море'),
    );
    expect(chapters.map(({ artist, title }) => [artist, title])).toEqual([
      ['Ночной Поезд', 'Огни'],
      ['Relay Room', 'Море'],
    ]);
    expect(problems).toEqual([]);
  });

  it('is read in Shift-JIS', () => {
    // 夜の電車 - ひかり
    const names = [
      0x96, 0xe9, 0x82, 0xcc, 0x93, 0x64, 0x8e, 0xd4, 0x20, 0x2d, 0x20, 0x82, 0xd0, 0x82, 0xa9,
      0x82, 0xe8,
    ];
    const bytes = Uint8Array.from([
      ...Buffer.from('0:00 '),
      ...names,
      0x0a,
      ...Buffer.from('10:05 Relay Room - Substation'),
    ]);
    expect(readTracklistFile(bytes)).toMatchObject({
      chapters: [{ artist: '夜の電車', title: 'ひかり' }, { artist: 'Relay Room' }],
      problems: [],
    });
  });

  it('is named line by line in an encoding that we don’t know', () => {
    // The same in GB 18030, as Chinese programs write it.
    const bytes = Uint8Array.from([
      ...Buffer.from('0:00 '),
      0xd2,
      0xb9,
      0xc0,
      0xef,
      0xb5,
      0xc4,
      0xb5,
      0xe7,
      0xb3,
      0xb5,
      0xa1,
      0xa3,
      0xa1,
      0xb6,
      0x0a,
      ...Buffer.from('1:00 A - B'),
    ]);
    expect(readTracklistFile(bytes).problems).toEqual([
      { line: 1, message: 'contains a character that we can’t read' },
    ]);
  });
});

describe('whatever is pasted', () => {
  const name = fc.constantFrom(
    'Relay Room',
    'Kasi Voltage',
    'Umlazi Siren',
    'Thandi M',
    '808 Grid',
    'Café 24h',
    'Ночь',
    '夜',
  );
  const time = fc.integer({ min: 0, max: 21_600 }).map(formatDuration);
  const line = fc.oneof(
    fc.tuple(time, name, name).map(([at, artist, title]) => `${at} ${artist} - ${title}`),
    fc
      .tuple(fc.constantFrom('• ', '04 ', '[03] ', '1) ', '', '- '), time, name)
      .map((parts) => parts.join('')),
    fc.tuple(time, time, name, name).map(([from, to, a, b]) => `${from}-${to} ${a} - ${b}`),
    fc.tuple(name, name).map((names) => names.join('   ')),
    fc.tuple(time, name, name).map((parts) => parts.join('\t')),
    fc.constantFrom(
      'Tracklist:',
      'https://example.com/x',
      '#friday',
      '---',
      '1h25m00s A - B',
      '12.30 A - B',
      'w/ A - B',
      '--:-- Tracklist:',
      'Title;Artist',
      '00:00:00:00 A',
    ),
    name,
  );

  it('every line is a track or named', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { source, chapters, problems } = readTracklist(lines.join('\n'));
        if (source === 'list') expect(chapters.length + problems.length).toBe(lines.length);
        const named = new Set(problems.map((problem) => problem.line));
        const words = lines.filter((_, index) => !named.has(index + 1)).join('\n');
        for (const { artist, title } of chapters)
          for (const text of [artist ?? '', title])
            expect(words.replace(/\s+/g, ' ')).toContain(text);
      }),
    );
  });

  it('no track has a time or a number in its name that the line has before it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(time, name, name), { minLength: 2, maxLength: 8 }),
        fc.constantFrom('• ', '- ', '[03] ', '04 ', '4. ', '#4 ', ''),
        (entries, before) => {
          const text = entries.map(([at, a, b]) => `${before}${at} ${a} - ${b}`).join('\n');
          const { chapters, problems } = readTracklist(text);
          expect(problems).toEqual([]);
          const names = chapters.map(({ artist, title }) => `${artist} - ${title}`);
          expect(names.toSorted()).toEqual(entries.map(([, a, b]) => `${a} - ${b}`).toSorted());
        },
      ),
    );
  });

  it('what was understood is read back as it is', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { source, chapters } = readTracklist(lines.join('\n'));
        fc.pre(source === 'list');
        expect(parseTracklist(formatTracklist(chapters))).toEqual({ chapters, problems: [] });
      }),
    );
  });
});
