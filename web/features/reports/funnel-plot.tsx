import type { Report } from '#contract/reports.ts';
import { formatUnit } from './format-figure.ts';

/** Each step beside the one before it. The first is far larger: a root keeps the others in sight. */
export function FunnelPlot({ report }: { report: Report }) {
  const most = Math.max(...report.rows.map(({ cells }) => Number(cells[1])), 1);
  return (
    <dl className="flex flex-col gap-3">
      {report.rows.map(({ cells: [step, count, share] }) => (
        <div key={String(step)} className="grid grid-cols-[88px_minmax(0,1fr)] items-center gap-4">
          <dt>
            {step}
            {share !== null && (
              <span className="block text-12 text-text-3">
                {formatUnit(Number(share), 'share')} of the step before
              </span>
            )}
          </dt>
          <dd className="flex items-center gap-3">
            <i
              aria-hidden
              className="h-11 min-w-1 bg-[repeating-linear-gradient(90deg,var(--action)_0_4px,transparent_4px_7px)]"
              style={{ width: `${Math.sqrt(Number(count) / most) * 72}%` }}
            />
            <span className="type-figure text-22">{formatUnit(Number(count), 'count')}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
