import { useState } from 'react';
import { AuditList, type AuditFilter } from './audit-list.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

type Kind = NonNullable<AuditFilter['kind']> | 'all';

const kinds: { value: Kind; label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'user', label: 'Users' },
  { value: 'track', label: 'Mixes' },
  { value: 'site', label: 'Settings' },
  { value: 'job', label: 'Jobs' },
  { value: 'letter', label: 'Letters' },
  { value: 'coupon', label: 'Coupons' },
  { value: 'gift', label: 'Gifts' },
];

export function Page() {
  const [kind, setKind] = useState<Kind>('all');
  return (
    <AdminFrame title="System" lead="Who did what, when and why. Entries can’t be edited.">
      <div className="flex flex-col items-start gap-5">
        <Select
          label="Filter by type"
          options={kinds}
          value={kind}
          onValueChange={(value) => setKind(value as Kind)}
        />
        <div className="w-full">
          <AuditList filter={kind === 'all' ? {} : { kind }} />
        </div>
      </div>
    </AdminFrame>
  );
}
