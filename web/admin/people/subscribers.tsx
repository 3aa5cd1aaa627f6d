import { CsvLink } from '#web/admin/csv-link.tsx';
import { useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { subscribersCsvPath } from './api.ts';
import { InviteHelper } from './invite-helper.tsx';
import { SubscriberList } from './subscriber-list.tsx';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { AdminFrame } from '../admin-frame.tsx';

const filters: { value: SubscriberFilter; label: string }[] = [
  { value: 'all', label: 'Everyone' },
  { value: 'active', label: 'Active' },
  { value: 'grace', label: 'Grace period' },
  { value: 'late', label: 'Payment failed' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'free', label: 'Free' },
  { value: 'admin', label: 'Administrators' },
  { value: 'helper', label: 'Helpers' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'shared', label: 'Perhaps shared' },
];

export function Page() {
  const param = useQueryParam('filter');
  const [, navigate] = useLocation();
  const filter = filters.find(({ value }) => value === param)?.value ?? 'all';
  const [typed, setTyped] = useState('');
  const [isInviting, setIsInviting] = useState(false);
  const q = useDeferredValue(typed.trim());
  return (
    <AdminFrame title="Members" lead="Everyone with an account, and their plan.">
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-3 @xl/content:flex-row">
          <SearchField
            label="Search by name or e-mail"
            placeholder="Name or e-mail"
            className="flex-1 @xl/content:max-w-md"
            maxLength={254}
            value={typed}
            onChange={setTyped}
          />
          <Select
            label="Filter by status"
            options={filters}
            value={filter}
            onValueChange={(value) =>
              navigate(`/admin/subscribers?filter=${value}`, { replace: true })
            }
          />
          <div className="flex flex-wrap gap-3 @3xl/content:ml-auto">
            <Button variant="line" onClick={() => setIsInviting(true)}>
              Invite a helper
            </Button>
            <LinkButton variant="line" href="/admin/subscribers/import">
              Import members
            </LinkButton>
            <CsvLink href={subscribersCsvPath(filter, q)} />
          </div>
        </div>
        <SubscriberList filter={filter} q={q} />
        {isInviting && <InviteHelper onClose={() => setIsInviting(false)} />}
      </div>
    </AdminFrame>
  );
}
