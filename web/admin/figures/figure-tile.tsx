import { Link } from 'wouter';
import type { Figure } from '#contract/admin/reports.ts';
import { describeChange, formatShort, formatUnit, type Change } from './format-figure.ts';

const tones: Record<Change['tone'], string> = {
  good: 'text-success',
  bad: 'text-danger',
  same: 'text-text-2',
};

type TileProps = {
  figure: Figure;
  /** What it is compared with: `vs previous 30 days`. */
  against?: string;
  href?: string | null;
};

export const describePreviousPeriod = (days: number): string => `vs previous ${days} days`;

/** A figure with its label, change and definition. */
export function FigureTile({ figure, against, href = figure.href }: TileProps) {
  const change = against ? describeChange(figure) : null;
  const number = (
    <span title={formatUnit(figure.value, figure.unit)}>
      {formatShort(figure.value, figure.unit)}
    </span>
  );
  return (
    <div className="flex min-w-0 flex-col gap-3 bg-surface p-4 @3xl/content:p-[22px]">
      <h3 className="text-13 font-medium text-text-2">{figure.label}</h3>
      <p className="type-figure text-40 leading-none @5xl/content:text-56">
        {href ? (
          <Link
            href={href}
            aria-label={`${figure.label}: ${formatShort(figure.value, figure.unit)}. Open list`}
            className="underline decoration-line-strong decoration-2 underline-offset-8 hover:decoration-text"
          >
            {number}
          </Link>
        ) : (
          number
        )}
      </p>
      {change && (
        <p className="text-13 text-text-3">
          <span className={`font-semibold ${tones[change.tone]}`}>{change.text}</span> {against}
        </p>
      )}
      <p className="mt-auto text-12 text-text-3">{figure.definition}</p>
    </div>
  );
}
