import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { MAX_TRACKLIST_BYTES } from './tracklist-files.ts';
import { splitCsv } from './split-csv.ts';

const split = (text: string, delimiter = ',') =>
  [...splitCsv(text, delimiter)].map(({ line, cells }) => [line, ...cells]);

it('splits quoted cells, also over several lines', () => {
  expect(split('a;"b ""c"";\nd" ;\n"";e\n', ';')).toEqual([
    [1, 'a', 'b "c";\nd', ''],
    [3, '', 'e'],
  ]);
});

it('takes a cell with stray quotes as it stands, so that it swallows no other row', () => {
  expect(split('"Heroes" live,x\nB,y\n"C",z')).toEqual([
    [1, '"Heroes" live', 'x'],
    [2, 'B', 'y'],
    [3, 'C', 'z'],
  ]);
});

it('says which row has a quote that is never closed, and goes on behind it', () => {
  expect([...splitCsv('a,b\nc,"d\ne,f', ',')]).toEqual([
    { line: 1, cells: ['a', 'b'], hasOpenQuote: false },
    { line: 2, cells: ['c', '"d'], hasOpenQuote: true },
    { line: 3, cells: ['e', 'f'], hasOpenQuote: false },
  ]);
});

it('reads whatever another program writes', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', ' ', '\t') });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 });
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), (cells, delimiter) => {
      const text = Papa.unparse(cells, { delimiter, newline: '\n' });
      expect(Array.from(splitCsv(text, delimiter), (row) => row.cells)).toEqual(cells);
    }),
  );
});

it.each(['"a""b",', '"', '"x', '"""a,', '"\n'])('splits 10 MB of %j without hanging', (part) => {
  const text = part.repeat(Math.floor(MAX_TRACKLIST_BYTES / part.length));
  let length = 0;
  for (const { cells } of splitCsv(text, ',')) length += cells.length;
  expect(length).toBeGreaterThan(0);
});
