import type { ReactNode } from 'react';

/** A small framed label: `4 tracks`, `New`. In the week's colour if it belongs to one. */
export function Tag({ children, isWeek = false }: { children: ReactNode; isWeek?: boolean }) {
  return (
    <span
      className={`inline-flex items-center gap-[5px] rounded-[4px] px-2 py-0.5 text-12 font-semibold whitespace-nowrap ${isWeek ? 'bg-week-fill text-on-week' : 'text-text-2 shadow-[inset_0_0_0_1px_var(--line-strong)]'}`}
    >
      {children}
    </span>
  );
}
