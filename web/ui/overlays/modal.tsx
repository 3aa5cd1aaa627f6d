import * as Radix from 'radix-ui/dialog';
import type { ComponentProps } from 'react';
import { useBackCloses } from './back-closes.ts';

/** The root of whatever covers the page. One that stands next to the page (not modal) is part of it. */
export function Modal(props: ComponentProps<typeof Radix.Root>) {
  const { open = false, modal = true, onOpenChange } = props;
  useBackCloses(open && modal, () => onOpenChange?.(false));
  return <Radix.Root {...props} />;
}
