import { formatFileSize } from '#contract/rules/file-size.ts';
import type { Keeping } from './keep-store.ts';

type KeepProgressProps = { title: string; keeping: Keeping };

export function KeepProgress({ title, keeping: { done, size, isRunning } }: KeepProgressProps) {
  const percent = size > 0 ? Math.floor((done / size) * 100) : 0;
  return (
    <div className="min-w-0 flex-1">
      <p className="type-meta tabular">
        {isRunning ? 'Keeping' : 'Broke off at'} {formatFileSize(done)} of {formatFileSize(size)}
      </p>
      <div
        role="progressbar"
        aria-label={`Keeping ${title} offline`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-1.5 h-1 overflow-hidden rounded-pill bg-raised"
      >
        <div className="h-full bg-action" style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
