import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_SESSIONS } from '#contract/rules/sessions.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { DeviceSession } from '#contract/security.ts';
import { formatCount, formatDate } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dot } from '#web/ui/facts.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { endSessionMutation, sessionsQuery } from '#web/features/accounts/settings-api.ts';

export function SessionsList() {
  const query = useQuery(sessionsQuery);
  const end = useMutation({
    ...endSessionMutation(useQueryClient()),
    onSuccess: (_response, id) =>
      showToast({ title: id === null ? 'All other devices logged out' : 'Device logged out' }),
    onError: (error) => showErrorToast(error, 'Couldn’t log out the device.'),
  });
  const others = query.data?.items.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <>
      <SettingRow
        label="Devices"
        hint={`Devices logged in to your account. Logging out takes effect immediately. Up to ${MAX_SESSIONS} stay logged in: one more login ends the one you used least recently. Logging out all others also ends the passwords of your music apps and the address of your podcast feed.`}
      >
        {others.length > 1 && (
          <Button variant="line" disabled={end.isPending} onClick={() => end.mutate(null)}>
            Log out all other devices
          </Button>
        )}
      </SettingRow>
      <Loaded
        query={query}
        failed="Couldn’t load your devices"
        className="mb-4"
        skeleton={
          <div role="status" aria-label="Loading your devices">
            <Skeleton className="mb-4 h-14" />
          </div>
        }
      >
        {({ items }) => (
          <ul aria-label="Devices" className="pb-2">
            {items.map((session) => (
              <Device
                key={session.id}
                session={session}
                isBusy={end.isPending}
                onEnd={() => end.mutate(session.id)}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

/** No finer than an hour, because the server updates a session at most that often. */
export function describeLastSeen(lastSeenAt: number, now: number): string {
  const ago = Math.max(0, now - lastSeenAt);
  if (ago < 2 * HOUR) return 'Active recently';
  if (ago < DAY) return `Active ${formatCount(Math.floor(ago / HOUR), 'hour')} ago`;
  return `Active ${formatCount(Math.floor(ago / DAY), 'day')} ago`;
}

type DeviceProps = { session: DeviceSession; isBusy: boolean; onEnd: () => void };

function Device({ session, isBusy, onEnd }: DeviceProps) {
  const [now] = useState(() => Date.now());
  const { device, isCurrent, createdAt, lastSeenAt } = session;
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 py-1.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {isCurrent && <Tag>This device</Tag>}
        </p>
        <p className="text-13 text-text-2">
          {isCurrent ? 'Active now' : describeLastSeen(lastSeenAt, now)}
          <Dot />
          logged in on {formatDate(createdAt)}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="line"
          size="sm"
          disabled={isBusy}
          aria-label={`Log out ${device}`}
          onClick={onEnd}
        >
          Log out
        </Button>
      )}
    </li>
  );
}
