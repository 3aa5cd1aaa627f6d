const PAGE_SIZE = 500;

/** Every row of a long list, some at a time: `readPage` answers what follows the row it is given. */
export async function* readInPages<Row>(
  readPage: (after: Row | null, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await readPage(last, PAGE_SIZE);
    yield* rows;
    const next = rows.at(-1);
    if (next === undefined || rows.length < PAGE_SIZE) return;
    last = next;
  }
}
