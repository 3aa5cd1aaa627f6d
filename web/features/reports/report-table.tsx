import type { Report } from '#contract/reports.ts';
import { RowsTable } from './rows-table.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** The same rows in words and numbers, for whoever reads rather than looks. */
export function ReportTable({ report }: { report: Report }) {
  const { columns, rows } = report;
  return (
    <details className="bg-surface p-4 md:px-[22px]">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        Show as a table ({rows.length} {rows.length === 1 ? 'row' : 'rows'})
      </summary>
      <ScrollBox label={`${report.title}, as a table`} className="max-h-[60vh]">
        <RowsTable columns={columns} rows={rows} />
      </ScrollBox>
    </details>
  );
}
