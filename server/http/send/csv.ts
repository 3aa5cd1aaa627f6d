import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Column, ReportRow } from '#contract/admin/reports.ts';
import { buildContentDisposition } from './attachment.ts';

/** A spreadsheet would run a text that starts like this as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;

function writeText(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Cents become an amount with a decimal point, in every locale. A negative number stays one: no
 * spreadsheet takes it for a formula, and as text it couldn't be added up.
 */
function writeCell(cell: ReportRow['cells'][number], { kind }: Column): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return writeText(cell);
  if (kind === 'cents') return (cell / 100).toFixed(2);
  if (kind === 'time') return new Date(cell).toISOString();
  return kind === 'share' ? String(Number(cell.toFixed(6))) : String(cell);
}

const writeLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

const LINES_AT_ONCE = 500;

type Row = Pick<ReportRow, 'cells'> & Partial<ReportRow>;
export type CsvTable = {
  /** Programs that import it don't expect the byte order mark, which is for spreadsheets. */
  isForProgram?: boolean;
  columns: readonly Column[];
  rows: Iterable<Row> | AsyncIterable<Row>;
};

/** RFC 4180, a few hundred lines at a time. The byte order mark tells spreadsheets that it is UTF-8. */
async function* writeLines({
  columns,
  rows,
  isForProgram = false,
}: CsvTable): AsyncGenerator<string> {
  const head = writeLine(columns.map(({ label }) => writeText(label)));
  let lines = [isForProgram ? head : `\uFEFF${head}`];
  for await (const { cells } of rows) {
    lines.push(writeLine(columns.map((column, index) => writeCell(cells[index] ?? null, column))));
    if (lines.length < LINES_AT_ONCE) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

export const streamCsv = (table: CsvTable): Readable =>
  Readable.from(writeLines(table), { objectMode: false });

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** The only way to send a CSV file, so that each is safe to open in a spreadsheet. */
export function sendCsv(reply: FastifyReply, fileName: string, table: CsvTable): Readable {
  reply.headers({
    'content-type': CSV_TYPE,
    'content-disposition': buildContentDisposition(fileName),
  });
  return streamCsv(table);
}
