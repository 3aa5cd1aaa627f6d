import type { ListedRow, ListPosition } from './report.ts';

/** Some who were counted together, such as the listeners of a day. */
export type Cell = { key: string; listeners: number };

export type CellSource<C extends Cell> = {
  /** From the cell of this key on, it included, in the order of their keys. */
  listCells: (from: string | null, limit: number) => Promise<C[]>;
  /** Those of a cell who are known by name, after the one who was last listed. */
  listNamed: (
    cell: C,
    after: string,
    limit: number,
  ) => Promise<{ id: string; row: ListedRow['row'] }[]>;
  countNamed: (cell: C) => Promise<number>;
  describeGone: (cell: C) => ListedRow['row'];
};

/** Sorts after every id. */
const GONE = '~';
const DIGITS = 9;

type Wanted = { after: string; limit: number };

async function listCell<C extends Cell>(
  source: CellSource<C>,
  cell: C,
  { after, limit }: Wanted,
): Promise<ListedRow[]> {
  const isPastNamed = after.startsWith(GONE);
  const named = isPastNamed ? [] : await source.listNamed(cell, after, limit);
  const rows = named.map(({ id, row }): ListedRow => ({ row, position: [cell.key, id] }));
  if (rows.length >= limit) return rows;
  // Who has left is still in the number, and in nothing else.
  const gone = cell.listeners - (await source.countNamed(cell));
  const first = isPastNamed ? Number(after.slice(GONE.length)) + 1 : 1;
  for (let n = first; n <= gone && rows.length < limit; n += 1)
    rows.push({
      row: source.describeGone(cell),
      position: [cell.key, GONE + String(n).padStart(DIGITS, '0')],
    });
  return rows;
}

/** Everybody in the cells, cell by cell: as many rows as the cells have counted. */
export async function listCells<C extends Cell>(
  source: CellSource<C>,
  { after, limit }: { after: ListPosition | null; limit: number },
): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  // Each has somebody in it, but for the one that the last page ended with.
  for (const cell of await source.listCells(after?.[0] ?? null, limit + 1)) {
    if (rows.length >= limit) break;
    const last = cell.key === after?.[0] ? after[1] : '';
    rows.push(...(await listCell(source, cell, { after: last, limit: limit - rows.length })));
  }
  return rows;
}
