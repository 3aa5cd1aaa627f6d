import * as Radix from 'radix-ui/dialog';
import type { ComponentProps } from 'react';
import { useBackCloses } from './back-closes.ts';
import { useTopOverlay } from './overlay.ts';

/** The root of dialogs, sheets and full-screen views. Back only closes those that cover the page. */
export function Modal(props: ComponentProps<typeof Radix.Root>) {
  const { open = false, modal = true, onOpenChange } = props;
  const close = () => onOpenChange?.(false);
  useBackCloses(open && modal, close);
  useTopOverlay(open, close);
  return <Radix.Root {...props} />;
}
