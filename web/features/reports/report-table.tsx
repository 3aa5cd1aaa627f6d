import { Link } from 'wouter';
import type { Report } from '#contract/reports.ts';
import { formatCell } from './format.ts';
import { ScrollBox } from './scroll-box.tsx';

const isNumber = (kind: string): boolean => ['count', 'cents', 'share'].includes(kind);

/** The same rows in words and numbers, for whoever reads rather than looks. */
export function ReportTable({ report }: { report: Report }) {
  const { columns, rows } = report;
  return (
    <details className="bg-surface p-4 md:px-[22px]">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        Show as a table ({rows.length} {rows.length === 1 ? 'row' : 'rows'})
      </summary>
      <ScrollBox label={`${report.title}, as a table`} className="max-h-[60vh]">
        <table className="w-full text-13 tabular-nums">
          <thead className="sticky top-0 bg-surface text-text-3">
            <tr>
              {columns.map(({ key, label, kind }) => (
                <th
                  key={key}
                  scope="col"
                  className={`px-2 py-2 font-medium ${isNumber(kind) ? 'text-right' : 'text-left'}`}
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
                      className={`px-2 py-2 ${isNumber(column.kind) ? 'text-right' : ''}`}
                    >
                      {href && index === 0 ? (
                        <Link href={href} className="underline">
                          {text}
                        </Link>
                      ) : (
                        text
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}
