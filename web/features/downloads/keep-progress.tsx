import { formatFileSize } from '#contract/rules/file-size.ts';
import type { Keeping } from './keep-store.ts';

export function KeepProgress({ keeping: { title, done, size, isRunning } }: { keeping: Keeping }) {
  const percent = size > 0 ? Math.floor((done / size) * 100) : 0;
  return (
    <div className="min-w-0 flex-1">
      <p className="type-meta tabular">
        <b className="font-semibold text-text">{title}</b> {isRunning ? '' : 'broke off at '}
        {formatFileSize(done)} of {formatFileSize(size)}
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
