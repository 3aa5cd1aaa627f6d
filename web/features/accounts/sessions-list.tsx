import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceSession } from '#contract/security.ts';
import { describeFailure } from '#web/lib/api.ts';
import { formatLocalDate } from '#web/lib/format.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { describeLastSeen } from './last-seen.ts';
import { endSessionMutation, sessionsQuery } from './security-api.ts';


export function SessionsList() {
  const { data, isError, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    ...endSessionMutation(useQueryClient()),
    onSuccess: (_answer, id) =>
      showToast({ title: id === null ? 'All other devices are signed out' : 'Device signed out' }),
    onError: (error) => {
      const description = describeFailure(error, 'The device could not be signed out.');
      showToast({ title: 'Error', description, variant: 'destructive' });
    },
  });
  const others = data?.items.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <>
      <SettingRow
        label="Devices"
        hint="Where your account is signed in. Signing out works at once."
      >
        {others.length > 1 && (
          <Button variant="line" disabled={end.isPending} onClick={() => end.mutate(null)}>
            Sign out all others
          </Button>
        )}
      </SettingRow>
      {isError && (
        <Notice tone="danger" title="Your devices could not be read" className="mb-4">
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {!data && !isError && <Skeleton className="mb-4 h-14" />}
      {data && (
        <ul aria-label="Devices" className="pb-2">
          {data.items.map((session) => (
            <Device
              key={session.id}
              session={session}
              isBusy={end.isPending}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      )}
    </>
  );
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
          {isCurrent ? 'In use now' : describeLastSeen(lastSeenAt, now)} · signed in on{' '}
          {formatLocalDate(createdAt)}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="line"
          size="sm"
          disabled={isBusy}
          aria-label={`Sign out ${device}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
