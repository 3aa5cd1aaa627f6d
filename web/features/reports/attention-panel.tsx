import { CircleCheck, TriangleAlert } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import type { Dashboard } from '#contract/reports.ts';

/** What somebody has to do something about, or that there is nothing. */
export function AttentionPanel({ attention }: Pick<Dashboard, 'attention'>) {
  return (
    <section aria-labelledby="attention" className="flex flex-col gap-4 bg-surface p-4 md:p-[22px]">
      <h2 id="attention" className="text-13 font-medium text-text-2">
        Needs attention
      </h2>
      {attention.length === 0 && (
        <p className="flex items-center gap-2">
          <CircleCheck aria-hidden strokeWidth={1.75} className="size-5 text-success" />
          Nothing. Mixes, payments and jobs are as they should be.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {attention.map(({ kind, says, href }) => (
          <li key={kind}>
            <Link
              href={href}
              className="flex min-h-11 items-center gap-2 font-medium hover:underline"
            >
              <TriangleAlert
                aria-hidden
                strokeWidth={1.75}
                className="size-5 shrink-0 text-warning"
              />
              {says}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
