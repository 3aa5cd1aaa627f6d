import * as Radix from 'radix-ui/tabs';
import type { ComponentProps } from 'react';

export const Tabs = Radix.Root;
export const TabsContent = Radix.Content;

/** Also for rows of links that look like tabs: mark the present one with `aria-current`. */
export const tabClass =
  'inline-flex min-h-12 shrink-0 items-center px-3 font-medium whitespace-nowrap text-text-2 transition-colors hover:text-text focus-visible:-outline-offset-4 aria-[current=page]:font-semibold aria-[current=page]:text-text aria-[current=page]:shadow-[inset_0_-2px_var(--text)] data-[state=active]:font-semibold data-[state=active]:text-text data-[state=active]:shadow-[inset_0_-2px_var(--text)]';

export const tabListClass =
  'flex gap-1 overflow-x-auto border-b border-line px-2 [scrollbar-width:none] md:px-gutter';

export function TabsList({ className = '', ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={`${tabListClass} ${className}`} {...rest} />;
}

export function TabsTrigger({ className = '', ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return <Radix.Trigger className={`${tabClass} ${className}`} {...rest} />;
}
