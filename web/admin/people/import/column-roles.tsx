import { useState } from 'react';
import type { ColumnRole, ImportColumn } from '#contract/admin/member-imports.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { ChevronRight } from '#web/ui/icons.ts';
import { roleOptions } from './words.ts';

type ColumnRowProps = { column: ImportColumn; onRole: (role: ColumnRole) => void };

function ColumnRow({ column: { name, role, samples }, onRole }: ColumnRowProps) {
  return (
    <li className="grid grid-cols-1 items-center gap-x-6 gap-y-2 border-t border-line px-4 py-3 first:border-0 @2xl/content:grid-cols-[minmax(0,1fr)_16rem] @2xl/content:px-5">
      <span className="min-w-0">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="block truncate text-13 text-text-3">
          {samples.length > 0 ? samples.join(' · ') : 'Empty'}
        </span>
      </span>
      <Select
        label={`What “${name}” contains`}
        options={roleOptions}
        value={role}
        onValueChange={(value) =>
          onRole(roleOptions.find((option) => option.value === value)?.value ?? 'ignore')
        }
      />
    </li>
  );
}

type ColumnRolesProps = {
  columns: readonly ImportColumn[];
  onRoles: (roles: ColumnRole[]) => void;
};

/** What each column of the file contains. Those that nobody recognised are folded away. */
export function ColumnRoles({ columns, onRoles }: ColumnRolesProps) {
  const setRole = (at: number, role: ColumnRole) =>
    onRoles(
      columns.map((column, index) => {
        if (index === at) return role;
        // Only one column can be the address.
        return role === 'email' && column.role === 'email' ? 'ignore' : column.role;
      }),
    );
  // A row that moved to the other list would lose the focus of whoever has just changed it.
  const [isFolded] = useState(() => columns.map(({ role }) => role === 'ignore'));
  const indexed = columns.map((column, index) => ({ column, index }));
  const used = indexed.filter(({ index }) => !isFolded[index]);
  const ignored = indexed.filter(({ index }) => isFolded[index]);
  const renderRows = (rows: typeof indexed) => (
    <ul className="rounded-panel bg-surface">
      {rows.map(({ column, index }) => (
        <ColumnRow key={index} column={column} onRole={(role) => setRole(index, role)} />
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-3">
      {used.length > 0 && renderRows(used)}
      {ignored.length > 0 && (
        <details open={used.length === 0} className="group">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-medium text-text-2 hover:text-text [&::-webkit-details-marker]:hidden">
            <ChevronRight className="size-4 transition-transform group-open:rotate-90 motion-reduce:transition-none" />
            {formatCount(ignored.length, 'column')} that {ignored.length === 1 ? 'isn’t' : 'aren’t'}{' '}
            imported
          </summary>
          {renderRows(ignored)}
        </details>
      )}
    </div>
  );
}
