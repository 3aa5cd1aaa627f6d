import { Link } from 'wouter';
import type { Report } from '#contract/admin/reports.ts';
import { formatCell } from './format-figure.ts';
import { ScrollBox } from './scroll-box.tsx';

/** In a narrow table the e-mail is under the name instead of in its own column. */
const ADDRESS = 'email';

const hidesWhenNarrow = (key: string): string => (key === ADDRESS ? '@max-3xl/content:hidden' : '');

const isNumber = (kind: string): boolean => ['count', 'cents', 'share'].includes(kind);

/** The first cell of a row links to what it is about. */
export function RowsTable({ columns, rows }: Pick<Report, 'columns' | 'rows'>) {
  const addressAt = columns.findIndex(({ key }) => key === ADDRESS);
  return (
    <table className={`w-full text-13 tabular-nums ${addressAt > 0 ? 'people-table' : ''}`}>
      <thead className="sticky top-0 bg-surface text-text-3">
        <tr>
          {columns.map(({ key, label, kind }) => (
            <th
              key={key}
              scope="col"
              className={`px-2 py-2 font-medium ${isNumber(kind) ? 'text-right' : 'text-left'} ${hidesWhenNarrow(key)}`}
            >
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, href }, at) => (
          <tr key={at} className="border-t border-line">
            {columns.map((column, index) => {
              const text = formatCell(cells[index] ?? null, column);
              return (
                <td
                  key={column.key}
                  data-label={column.label}
                  className={`px-2 py-2 ${isNumber(column.kind) ? 'text-right' : ''} ${column.kind === 'text' ? '' : 'whitespace-nowrap'} ${hidesWhenNarrow(column.key)}`}
                >
                  {href && index === 0 ? (
                    <Link href={href} className="underline">
                      {text}
                    </Link>
                  ) : (
                    text
                  )}
                  {index === 0 && addressAt > 0 && cells[addressAt] && (
                    <span className="block min-w-[8.5rem] wrap-anywhere text-text-3 @3xl/content:hidden">
                      {cells[addressAt]}
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The rows of the plot as a table. */
export function ReportTable({ report }: { report: Report }) {
  const { columns, rows } = report;
  return (
    <details className="bg-surface p-4 @3xl/content:px-[22px]">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        Show as a table ({rows.length} {rows.length === 1 ? 'row' : 'rows'})
      </summary>
      <ScrollBox label={`${report.title}, as a table`} className="max-h-[60vh]">
        <RowsTable columns={columns} rows={rows} />
      </ScrollBox>
    </details>
  );
}
