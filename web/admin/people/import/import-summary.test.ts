import { describe, expect, it } from 'vitest';
import type { ColumnRole, ImportColumn } from '#contract/admin/member-imports.ts';
import { describePlan } from './import-summary.tsx';

const members = {
  id: 'import',
  fileName: 'members.csv',
  source: 'ghost',
  state: 'draft',
  createdAt: 0,
  finishedAt: null,
  lines: 2,
  done: 0,
  outcomes: { new: 2 },
  withAccess: 1,
} as const;

const column = (
  name: string,
  role: ColumnRole = 'ignore',
  samples: string[] = ['x'],
): ImportColumn => ({ name, role, samples });
const plan = (columns: ImportColumn[]) => describePlan({ import: members, columns });

describe('what an import will do', () => {
  it('names the columns that nothing is taken from', () => {
    const columns = [column('email', 'email'), column('note'), column('labels')];
    expect(plan([...columns, column('created_at')]).at(-1)).toBe(
      'Not imported: “note”, “labels”, “created_at”. Keep the file if you need them.',
    );
  });

  it('says nothing of columns that are used or empty', () => {
    expect(plan([column('email', 'email'), column('phone', 'ignore', [])])).toHaveLength(2);
  });

  it('stays short for a file with many columns', () => {
    const many = Array.from({ length: 20 }, (_, index) => column(`c${index}`));
    expect(plan(many).at(-1)).toBe(
      'Not imported: “c0”, “c1”, “c2”, “c3”, “c4”, “c5”, “c6”, “c7”, 12 more columns. Keep the file if you need them.',
    );
  });
});
