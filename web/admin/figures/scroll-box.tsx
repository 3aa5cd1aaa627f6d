import type { ReactNode } from 'react';

type ScrollBoxProps = { label: string; className?: string; children: ReactNode };

/** A scrollable area that can be scrolled by keyboard. */
export function ScrollBox({ label, className = '', children }: ScrollBoxProps) {
  return (
    <div
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without focus no key scrolls it
      tabIndex={0}
      className={`overflow-auto focus-visible:-outline-offset-2 ${className}`}
    >
      {children}
    </div>
  );
}
