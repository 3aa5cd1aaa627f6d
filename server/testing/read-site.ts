import { openSnapshot } from '../features/backup/read-tables.ts';
import type { SiteLocation } from '../features/backup/save-backup.ts';

/** Every row of every table, in an order that does not depend on the database. */
export async function readSite({ database }: SiteLocation): Promise<Record<string, string[]>> {
  const snapshot = await openSnapshot(database);
  const rows: Record<string, string[]> = {};
  for (const table of snapshot.tables.toSorted()) {
    const lines: string[] = [];
    for await (const row of snapshot.read(table))
      lines.push(JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
    rows[table] = lines.toSorted();
  }
  await snapshot.close();
  delete rows['schema_migrations'];
  return rows;
}
