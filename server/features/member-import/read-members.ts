import { setImmediate } from 'node:timers/promises';
import { Email } from '#contract/accounts.ts';
import {
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_LINES,
  type ColumnRole,
  type DateOrder,
  type ImportColumn,
  type LineOutcome,
  type MemberSource,
} from '#contract/admin/member-imports.ts';
import { decodeText } from '#contract/tracklists/decode-text.ts';
import { splitCsv } from '#contract/tracklists/split-csv.ts';
import { AppError } from '../../http/route/app-error.ts';
import { toAccountKey } from '../accounts/service.ts';
import { findDateOrder, parseDate } from './parse-date.ts';
import { findEmailColumn, findRoles, findSource, hasNoHead } from './sources.ts';

type Row = { line: number; cells: readonly string[] };

const refuse = (message: string) => new AppError('import_refused', { message });

/** The first line of files that Excel wrote for itself. */
const SEPARATOR_LINE = /^sep=(.)\n/i;

const DELIMITERS = [',', ';', '\t', '|'];

/** The rows of a file in whatever encoding. Whatever makes most columns of its first row separates them. */
function splitRows(bytes: Uint8Array): Row[] {
  const decoded = decodeText(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  const [separatorLine = '', separator] = SEPARATOR_LINE.exec(decoded) ?? [];
  const text = decoded.slice(separatorLine.length);
  const head = text.trimStart();
  const counts = DELIMITERS.map((delimiter) => {
    const [first] = splitCsv(head, delimiter);
    return { delimiter, cells: first?.cells.length ?? 0 };
  });
  const [first] = counts.toSorted((a, b) => b.cells - a.cells);
  const rows: Row[] = [];
  for (const { line, cells, hasOpenQuote } of splitCsv(
    text,
    separator ?? first?.delimiter ?? ',',
  )) {
    const lineInFile = separatorLine ? line + 1 : line;
    if (hasOpenQuote)
      throw refuse(
        `Line ${lineInFile} has a quotation mark that is never closed, so we can’t tell where its cells end. Correct it, or export the file again.`,
      );
    if (cells.length > MAX_IMPORT_COLUMNS)
      throw refuse(
        `Line ${lineInFile} has more than ${MAX_IMPORT_COLUMNS} columns. Is it a list of members?`,
      );
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: lineInFile, cells });
  }
  return rows;
}

/** Spreadsheets need the apostrophe before what looks like a formula; it isn't part of the text. */
const cleanCell = (cell: string | undefined): string =>
  (cell ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .replace(/^'(?=[=+\-@＝＋－＠])/u, '');

const NOTHING =
  /^(?:|0|no|n|none|null|false|free|free member|never|inactive|expired|cancell?ed|former.*|declined.*|unpaid|-)$/i;

const hasValue = (cell: string): boolean => !NOTHING.test(cell);

/** A line of the file, before we look whether there is an account. */
export type MemberLine = {
  line: number;
  email: string;
  emailKey: string;
  name: string;
  paidUntil: number | null;
  isUnsubscribed: boolean;
  /** Null if it can become a member. */
  outcome: Extract<LineOutcome, 'duplicate' | 'left-out' | 'invalid'> | null;
  note: string | null;
};

export type ReadOptions = {
  roles?: readonly ColumnRole[] | undefined;
  dateOrder?: DateOrder | undefined;
  payingUntil?: number | undefined;
  timeZone: string;
};

export type MemberFile = {
  source: MemberSource;
  columns: ImportColumn[];
  dateOrder: DateOrder | null;
  payingWithoutDate: number;
  lines: MemberLine[];
};

const SAMPLES = 3;
const MAX_SAMPLE = 60;

function findSamples(rows: readonly Row[], column: number): string[] {
  const samples = new Set<string>();
  for (const { cells } of rows) {
    const cell = cleanCell(cells[column]).slice(0, MAX_SAMPLE);
    if (cell) samples.add(cell);
    if (samples.size === SAMPLES) break;
  }
  return [...samples];
}

type Cells = { of: (role: ColumnRole) => string[] };

type LineContext = { order: DateOrder; timeZone: string; payingUntil: number | null };

type PaidTime = { until: number | null; problem: string | null; lacksDate: boolean };

/** The latest of all dates that count for the member. */
function readPaidTime(cells: Cells, context: LineContext): PaidTime {
  const paying = cells.of('paying');
  // Without a column that says so, whoever has a next payment pays.
  const isPaying = paying.length === 0 || paying.some(hasValue);
  const dates = [...cells.of('paid-until'), ...(isPaying ? cells.of('next-payment') : [])].filter(
    hasValue,
  );
  let until: number | null = null;
  for (const date of dates) {
    const at = parseDate(date, context);
    if (at === null)
      return {
        until: null,
        problem: `“${date.slice(0, MAX_SAMPLE)}” isn’t a date.`,
        lacksDate: false,
      };
    until = Math.max(until ?? 0, at);
  }
  const lacksDate = until === null && paying.some(hasValue);
  return { until: lacksDate ? context.payingUntil : until, problem: null, lacksDate };
}

function readLine(line: number, cells: Cells, context: LineContext) {
  const email = cells.of('email').find(Boolean) ?? '';
  const parsed = Email.safeParse(email);
  const { until, problem, lacksDate } = readPaidTime(cells, context);
  const [left] = cells.of('left').filter(hasValue);
  const isUnsubscribed =
    cells.of('unsubscribed').some(hasValue) ||
    cells.of('subscribed').some((cell) => !hasValue(cell));
  const invalid = parsed.success
    ? problem
    : email
      ? 'This isn’t an e-mail address.'
      : 'There is no e-mail address.';
  const member: MemberLine = {
    line,
    email: (parsed.data ?? email).slice(0, 254),
    emailKey: parsed.success ? toAccountKey(parsed.data) : '',
    name: cells.of('name').filter(Boolean).join(' ').slice(0, 200),
    paidUntil: until,
    isUnsubscribed,
    outcome: invalid ? 'invalid' : left ? 'left-out' : null,
    note:
      invalid ?? (left ? `They left, or mail to them bounced: ${left.slice(0, MAX_SAMPLE)}` : null),
  };
  return { member, lacksDate: lacksDate && member.outcome === null };
}

/** The first line of an address counts, with the latest date of all of them, and if any says no to mail. */
function mergeDuplicates(lines: MemberLine[]): void {
  const firsts = new Map<string, MemberLine>();
  for (const line of lines) {
    if (line.outcome !== null) continue;
    const first = firsts.get(line.emailKey);
    if (!first) {
      firsts.set(line.emailKey, line);
      continue;
    }
    line.outcome = 'duplicate';
    line.note = `Same address as line ${first.line}.`;
    first.isUnsubscribed ||= line.isUnsubscribed;
    first.name ||= line.name;
    if ((line.paidUntil ?? 0) <= (first.paidUntil ?? 0)) continue;
    first.paidUntil = line.paidUntil;
    first.note = `Its date is from line ${line.line}.`;
  }
}

function findHead(rows: readonly Row[], width: number) {
  const [first] = rows;
  if (!first || rows.length === 0) throw refuse('The file is empty.');
  const hasHead = !hasNoHead(first.cells);
  const names = Array.from({ length: width }, (_, index) =>
    hasHead
      ? cleanCell(first.cells[index]).slice(0, 100) || `Column ${index + 1}`
      : `Column ${index + 1}`,
  );
  return { names, body: hasHead ? rows.slice(1) : [...rows], hasHead };
}

/** The roles that we recognise. If no name tells the address, the first row may. */
function recogniseRoles(names: readonly string[], body: readonly Row[], source: MemberSource) {
  const roles = findRoles(names, source);
  if (roles.includes('email')) return roles;
  const column = body
    .slice(0, 5)
    .map(({ cells }) => findEmailColumn(cells))
    .find((at) => at >= 0);
  return roles.map((role, index) => (index === column ? 'email' : role));
}

const BATCH = 2000;

/** Reads a file of members. Throws if nothing of it can be used. */
export async function readMembers(bytes: Uint8Array, options: ReadOptions): Promise<MemberFile> {
  const rows = splitRows(bytes);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const { names, body } = findHead(rows, width);
  if (body.length === 0) throw refuse('The file has the names of its columns, but no members.');
  if (body.length > MAX_IMPORT_LINES)
    throw refuse(
      'The file has more than 50,000 members. Split it, and import the parts one by one.',
    );
  const source = findSource(names);
  const recognised = recogniseRoles(names, body, source);
  const roles = names.map((_, index) => options.roles?.[index] ?? recognised[index] ?? 'ignore');
  const columnsOf = Map.groupBy(roles.keys(), (index) => roles[index] ?? 'ignore');
  const dateColumns = [
    ...(columnsOf.get('paid-until') ?? []),
    ...(columnsOf.get('next-payment') ?? []),
  ];
  const found = findDateOrder(listCells(body, dateColumns));
  const order = options.dateOrder ?? found?.order ?? 'day-first';
  const { timeZone, payingUntil = null } = options;
  const lines: MemberLine[] = [];
  let payingWithoutDate = 0;
  for (const [index, { line, cells }] of body.entries()) {
    const of = (role: ColumnRole) => (columnsOf.get(role) ?? []).map((at) => cleanCell(cells[at]));
    const { member, lacksDate } = readLine(line, { of }, { order, timeZone, payingUntil });
    lines.push(member);
    if (lacksDate) payingWithoutDate += 1;
    // Other requests get their turn.
    if (index % BATCH === BATCH - 1) await setImmediate();
  }
  mergeDuplicates(lines);
  return {
    source,
    columns: names.map((name, index) => ({
      name,
      role: roles[index] ?? 'ignore',
      samples: findSamples(body, index),
    })),
    dateOrder: found && (!found.isCertain || options.dateOrder) ? order : null,
    payingWithoutDate,
    lines,
  };
}

function* listCells(rows: readonly Row[], columns: readonly number[]) {
  for (const { cells } of rows) for (const column of columns) yield cleanCell(cells[column]);
}
