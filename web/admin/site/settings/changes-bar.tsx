import { useEffect, type ReactNode } from 'react';

type ChangesBarProps = {
  /** `Release hour: 6 → 7` */
  changes: readonly string[];
  failure: ReactNode;
  /** Discard and Save. */
  children: ReactNode;
};

const MAX_NAMED = 3;

/** Stays in view below a form. It has its room also when nothing has changed, so nothing moves. */
export function ChangesBar({ changes, failure, children }: ChangesBarProps) {
  const others = changes.length - MAX_NAMED;
  const isShown = changes.length > 0 || Boolean(failure);
  // It must not appear over the field that is being typed in, whose margin has room for it.
  useEffect(() => {
    if (isShown) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <div className="pointer-events-none sticky bottom-[calc(var(--dock)+var(--note,0px)+0.75rem)] z-20 flex min-h-28 flex-col justify-end @2xl/content:min-h-16">
      {isShown && (
        <div
          role="group"
          aria-label="Unsaved changes"
          className="pointer-events-auto flex flex-col gap-2 rounded-panel bg-overlay p-2.5 shadow-overlay ring-1 ring-line"
        >
          {failure}
          {changes.length > 0 && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <p className="line-clamp-3 min-w-0 flex-[1_1_16rem] px-2 break-words">
                {changes.slice(0, MAX_NAMED).join(', ')}
                {others > 0 && ` and ${others} more`}
              </p>
              <div className="ml-auto flex gap-1">{children}</div>
            </div>
          )}
        </div>
      )}
    </div>
  );
}
