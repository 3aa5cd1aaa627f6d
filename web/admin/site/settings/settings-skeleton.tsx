import { FieldSkeleton } from '#web/admin/admin-skeletons.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { listGroups, type SettingPage } from './setting-pages.ts';

/** The groups of a page of settings, their names beside the fields. */
export const SettingsSkeleton = ({ page }: { page: SettingPage }) => (
  <div
    role="status"
    aria-label="Loading settings"
    className="grid items-start gap-x-14 gap-y-9 @double/content:grid-cols-2"
  >
    {listGroups(page).map(({ title, fields }) => (
      <div
        key={title}
        className="grid gap-x-10 gap-y-5 @3xl/content:grid-cols-[200px_minmax(0,520px)]"
      >
        <Skeleton className="h-6 w-28" />
        <div className="grid gap-5">
          {fields.map((name) => (
            <div key={name}>
              <FieldSkeleton />
              <Skeleton className="mt-3 mb-1 h-3 w-3/5 @max-3xl/content:h-7" />
            </div>
          ))}
        </div>
      </div>
    ))}
    <div className="h-28 @2xl/content:h-16" />
  </div>
);
