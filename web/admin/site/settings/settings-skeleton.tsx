import { FieldSkeleton } from '#web/admin/admin-skeletons.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { settingGroups } from './setting-fields.ts';

/** The groups of the settings, their names beside the fields. */
export const SettingsSkeleton = () => (
  <div
    role="status"
    aria-label="Loading settings"
    className="grid items-start gap-x-14 gap-y-9 @double/content:grid-cols-2"
  >
    {settingGroups.map(({ title, fields }) => (
      <div
        key={title}
        className="grid gap-x-10 gap-y-5 @3xl/content:grid-cols-[200px_minmax(0,520px)]"
      >
        <Skeleton className="h-6 w-28" />
        <div className="grid gap-5">
          {fields.map(({ name }) => (
            <div key={name}>
              <FieldSkeleton />
              <Skeleton className="mt-2 h-3 w-3/5 @max-3xl/content:h-7" />
            </div>
          ))}
        </div>
      </div>
    ))}
    <Skeleton className="h-11 w-36 rounded-pill" />
  </div>
);
