import type { ComponentProps } from 'react';

/** A grey placeholder of the final size, hidden from screen readers. */
export function Skeleton({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div aria-hidden className={`animate-breathe skeleton ${className}`} {...rest} />;
}

/** The waveform before its peaks have loaded. */
export function WaveformSkeleton({
  className = 'h-14',
  bars = 70,
}: {
  className?: string;
  bars?: number;
}) {
  return (
    <div aria-hidden className={`flex items-end gap-0.5 ${className}`}>
      {Array.from({ length: bars }, (_, i) => (
        <i
          key={i}
          className="flex-1 animate-breathe bg-line"
          style={{
            height: `${Math.round(52 + 26 * Math.sin(i * 0.7) + 20 * Math.sin(i * 1.9 + 1))}%`,
            animationDelay: `${i * 40}ms`,
          }}
        />
      ))}
    </div>
  );
}

/** A numeral, as large as the one that replaces it. */
export const NumeralSkeleton = ({ size, className = '' }: { size: string; className?: string }) => (
  <span
    aria-hidden
    className={`type-numeral block animate-breathe text-line ${className}`}
    style={{ fontSize: size }}
  >
    00
  </span>
);

/** The title of a page and the sentence next to it. */
export const HeadSkeleton = () => (
  <div className="flex flex-wrap items-end gap-x-7 gap-y-2.5 px-gutter pt-5 @lg/content:pt-9">
    <Skeleton className="h-[1lh] w-[2.6em] max-w-full type-title text-[4.25rem] @lg/content:text-[5.5rem]" />
    <Skeleton className="mb-1 h-[1lh] w-72 max-w-full" />
  </div>
);

type RowsSkeletonProps = {
  rows?: number;
  /** A week or a rank in front of each row. */
  hasLead?: boolean;
};

/** Rows of a list: sleeve, two lines of text, a small waveform. */
export function RowsSkeleton({ rows = 6, hasLead = false }: RowsSkeletonProps) {
  return (
    <div>
      {Array.from({ length: rows }, (_, i) => (
        <div
          key={i}
          className="flex min-h-[72px] items-center gap-3.5 border-t border-line first:border-0 @2xl/content:min-h-16"
        >
          {hasLead && <Skeleton className="h-8 w-10 shrink-0 @2xl/content:w-14" />}
          <Skeleton className="size-12 shrink-0" />
          <div className="flex-1">
            <Skeleton className="mb-2 h-3.5 w-1/2 max-w-56" />
            <Skeleton className="h-3 w-1/3 max-w-36" />
          </div>
          <WaveformSkeleton className="h-6 w-[72px] @2xl/content:w-[120px]" bars={24} />
        </div>
      ))}
    </div>
  );
}

/** Sleeves with two lines of text, in the grid of what replaces them. */
export function SleevesSkeleton({
  count = 4,
  grid = 'grid grid-cols-2 gap-3.5 @2xl/content:grid-cols-4',
}: {
  count?: number;
  grid?: string;
}) {
  return (
    <div className={grid}>
      {Array.from({ length: count }, (_, i) => (
        <div key={i}>
          <Skeleton className="mb-3 aspect-square" />
          <Skeleton className="mb-1.5 h-3.5 w-4/5" />
          <Skeleton className="h-3 w-[45%]" />
        </div>
      ))}
    </div>
  );
}

/** Labels and fields of a form. */
export function FormSkeleton({ fields = 3 }: { fields?: number }) {
  return (
    <div className="flex max-w-[420px] flex-col gap-5">
      {Array.from({ length: fields }, (_, i) => (
        <div key={i}>
          <Skeleton className="mb-2 h-3.5 w-24" />
          <Skeleton className="h-11 rounded-field" />
        </div>
      ))}
      <Skeleton className="h-11 w-36 rounded-pill" />
    </div>
  );
}

/** Paragraphs of text. */
export function TextSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className="flex max-w-[62ch] flex-col gap-3">
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} className={i === lines - 1 ? 'h-3.5 w-1/2' : 'h-3.5'} />
      ))}
    </div>
  );
}
