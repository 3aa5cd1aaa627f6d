import { boot } from '#web/lib/store/boot.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export const sheetClass =
  'max-w-[760px] bg-surface px-5 py-7 @xl/content:px-12 @xl/content:py-12 print:max-w-none print:p-0';

export function InvoiceSheetSkeleton() {
  return (
    <div role="status" aria-label="Loading invoice" className={sheetClass}>
      {boot.look.logo && <Logo className="mb-8" />}
      <Skeleton className="h-14 w-48" />
      <Skeleton className="mt-9 h-16" />
      <Skeleton className="mt-9 h-32" />
    </div>
  );
}
