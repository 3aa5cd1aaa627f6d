import { showToast } from '#web/lib/store/toasts.ts';

/** Says which tracklists belong to none of the mixes that they were chosen with. */
export function tellUnusedTracklists(files: readonly File[]): void {
  if (files.length === 0) return;
  const [first] = files;
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  showToast({
    title: `${first?.name}${others} ${others ? 'weren’t' : 'wasn’t'} used`,
    description:
      'Name it like its mix and drop both together, or import it where you edit the mix.',
    variant: 'destructive',
  });
}
