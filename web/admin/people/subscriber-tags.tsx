import type { Subscriber } from '#contract/admin/subscribers.ts';
import { Tag } from '#web/ui/tag.tsx';

const ACCESS: Record<Subscriber['access'], string> = {
  active: 'Active',
  grace: 'Grace period',
  free: 'Free',
};

export function SubscriberTags({ subscriber }: { subscriber: Subscriber }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Tag>{ACCESS[subscriber.access]}</Tag>
      {subscriber.isAdmin && <Tag>Administrator</Tag>}
      {!subscriber.isEmailVerified && <Tag>E-mail not confirmed</Tag>}
      {subscriber.isDisabled && <Tag>Disabled</Tag>}
      {subscriber.isDemo && <Tag>Demo</Tag>}
    </span>
  );
}
