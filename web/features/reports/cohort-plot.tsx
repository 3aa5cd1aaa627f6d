import type { Report } from '#contract/reports.ts';
import { formatCell } from './format-figure.ts';
import { ScrollBox } from './scroll-box.tsx';

/** A row for each month of first payments; what stayed of it as a level in each cell. */
export function CohortPlot({ report }: { report: Report }) {
  const [name, size, ...months] = report.columns;
  if (!name || !size) return null;
  return (
    <ScrollBox label={`${report.title}, as a plot`}>
      <table className="w-full min-w-[720px] border-separate border-spacing-[2px] text-13 tabular-nums">
        <thead className="text-left text-text-3">
          <tr>
            {report.columns.map(({ key, label }, index) => (
              <th key={key} scope="col" className="px-2 py-1.5 font-medium">
                {index > 1 ? label.replace('Month ', 'M') : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map(({ cells: [cohort = null, members = null, ...shares] }) => (
            <tr key={String(cohort)}>
              <th scope="row" className="px-2 py-2 text-left font-medium whitespace-nowrap">
                {formatCell(cohort, name)}
              </th>
              <td className="px-2 py-2">{formatCell(members, size)}</td>
              {months.map((month, index) => {
                const share = shares[index] ?? null;
                return (
                  <td key={month.key} className="relative bg-raised px-2 py-2">
                    {share !== null && (
                      <i
                        aria-hidden
                        className="absolute inset-x-0 bottom-0 bg-line"
                        style={{ height: `${Number(share) * 100}%` }}
                      />
                    )}
                    <span className="relative">{formatCell(share, month)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
