import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { Column } from '#contract/admin/reports.ts';
import { streamCsv } from './csv.ts';

const columns: Column[] = [
  { key: 'a', label: 'A', kind: 'text' },
  { key: 'b', label: 'B', kind: 'cents' },
];
const write = (cells: (string | number | null)[][]) =>
  text(streamCsv({ columns, rows: cells.map((each) => ({ cells: each })) }));
const parse = (csv: string) => Papa.parse<string[]>(csv.replace(/^\uFEFF/, '')).data;

describe('a CSV file', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '－1'])(
    'never begins a text with a formula: %j',
    async (cell) => {
      const [, row] = parse(await write([[cell, 0]]));
      expect(row?.[0]).toBe(`'${cell}`);
    },
  );

  it('holds any text, and no cell that a spreadsheet would run', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        async (texts) => {
          const rows = parse(await write(texts.map((each) => [each, 100])));
          expect(
            rows.slice(1, -1).map(([cell]) => cell?.replace(/^'(?=[=+\-@＝＋－＠\t\r\n])/u, '')),
          ).toEqual(texts);
          expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
        },
      ),
    );
  });

  it('keeps a negative amount a number, which no spreadsheet runs', async () => {
    expect(parse(await write([['Refund', -79_00]]))[1]).toEqual(['Refund', '-79.00']);
  });
});
