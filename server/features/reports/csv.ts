import { Readable } from 'node:stream';
import type { Column, Report, ReportRow } from '#contract/admin/reports.ts';

/** A spreadsheet would run a text that starts like this as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;

function writeText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Cents become an amount with a decimal point, in every locale. */
function writeCell(cell: ReportRow['cells'][number], { kind }: Column): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return writeText(cell);
  if (kind === 'cents') return (cell / 100).toFixed(2);
  return kind === 'share' ? String(Number(cell.toFixed(6))) : String(cell);
}

const writeLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

const LINES_AT_ONCE = 500;

/** RFC 4180, a few hundred lines at a time. The byte order mark tells spreadsheets that it is UTF-8. */
function* writeLines({ columns, rows }: Pick<Report, 'columns' | 'rows'>): Generator<string> {
  yield `\uFEFF${writeLine(columns.map(({ label }) => writeText(label)))}`;
  for (let at = 0; at < rows.length; at += LINES_AT_ONCE)
    yield rows
      .slice(at, at + LINES_AT_ONCE)
      .map(({ cells }) =>
        writeLine(columns.map((column, index) => writeCell(cells[index] ?? null, column))),
      )
      .join('');
}

export const streamCsv = (report: Pick<Report, 'columns' | 'rows'>): Readable =>
  Readable.from(writeLines(report), { objectMode: false });
