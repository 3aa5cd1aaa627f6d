import { SettingsSkeleton } from '#web/admin/site/settings/settings-skeleton.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Nothing open, nothing closed, as on most days, and the settings. */
export const PaymentsSkeleton = () => (
  <>
    {['open', 'closed'].map((state) => (
      <div key={state}>
        <Skeleton className="mt-2.5 mb-4 h-6 w-20" />
        <Skeleton className="h-[1lh] max-w-sm" />
      </div>
    ))}
    <SettingsSkeleton page="renewals" />
  </>
);
