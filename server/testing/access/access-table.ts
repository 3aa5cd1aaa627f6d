import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES, type Role } from './people.ts';

const FILE = join(import.meta.dirname, '../../../docs/access.md');

export type AccessRow = {
  /** `GET /api/playlists/:id`. */
  route: string;
  /** The route, and what the request is about if there are several rows for it. */
  name: string;
  /** What everyone gets: `200`, `404`, `403 subscribers_only`, `200 preview`. */
  answers: Record<Role, string>;
};

const nameRow = (route: string, about: string): string =>
  about === '' ? route : `${route} · ${about}`;

/** Reads the rows of docs/access.md, in all its tables. */
export async function readAccessTable(): Promise<AccessRow[]> {
  const lines = (await readFile(FILE, 'utf8')).split('\n');
  return lines.flatMap((line): AccessRow[] => {
    if (!/^\| `[A-Z]+ \//.test(line)) return [];
    const [route = '', about = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    if (cells.length !== ROLES.length)
      throw new Error(`docs/access.md: this row needs ${ROLES.length} answers: ${line}`);
    const answers = ROLES.map((role, index) => [role, cells[index] ?? '']);
    return [{ route, name: nameRow(route, about), answers: Object.fromEntries(answers) }];
  });
}
