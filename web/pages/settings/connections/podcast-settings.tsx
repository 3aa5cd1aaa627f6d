import {
  mutationOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { listPodcastApps } from '#contract/clients/podcast-apps.ts';
import { bytesPerHour, formatMegabytes } from '#contract/rules/data-use.ts';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Copy } from '#web/ui/icons.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';

const podcastFeedsQuery = apiQuery('GET /api/me/podcast-feed');

const useQrDialog = lazyOverlay(
  'dialog',
  () => import('./podcast-qr-dialog.tsx'),
  'PodcastQrDialog',
);

/** Gets an address, or another one. */
const renewFeedMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/me/podcast-feed'),
    onSuccess: (feeds) => client.setQueryData(podcastFeedsQuery.queryKey, feeds),
    retry: false,
  });

const endFeedMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('DELETE /api/me/podcast-feed'),
    onSettled: () => client.invalidateQueries({ queryKey: podcastFeedsQuery.queryKey }),
  });

/** A subscriber's own feed; for everyone else the public one. */
export function PodcastSettings() {
  const { user } = useCurrentUser();
  const hasAccess = hasFullAccess(user);
  return (
    <Loaded
      query={useQuery(podcastFeedsQuery)}
      failed="Couldn’t load your podcast feed"
      className="mb-4"
      skeleton={
        <div role="status" aria-label="Loading your podcast feed">
          <Skeleton
            className={`mb-4 ${hasAccess ? 'h-32 md:h-[4.75rem]' : 'h-[25rem] md:h-[19rem]'}`}
          />
        </div>
      }
    >
      {({ own, publicUrl }) => {
        if (own) return <OwnFeed feed={own} hasAccess={hasAccess} />;
        return hasAccess ? <NewFeed /> : <PublicFeed url={publicUrl} />;
      }}
    </Loaded>
  );
}

function NewFeed() {
  const { mutate, isPending } = useMutation({
    ...renewFeedMutation(useQueryClient()),
    onError: (error) => showErrorToast(error, 'Couldn’t get an address. Please try again.'),
  });
  return (
    <SettingRow
      label="Podcast app"
      isOn={false}
      hint="Every mix in full, in the podcast app you already use. You get an address of your own to add there."
    >
      <Button variant="line" disabled={isPending} onClick={() => mutate()}>
        Get my address
      </Button>
    </SettingRow>
  );
}

type OwnFeedProps = { feed: NonNullable<PodcastFeeds['own']>; hasAccess: boolean };

/** What takes the feed away from every app that has its address. */
type FeedChange = 'renew' | 'end';

function OwnFeed({ feed, hasAccess }: OwnFeedProps) {
  const [change, setChange] = useState<FeedChange | null>(null);
  return (
    <>
      {feed.isShared && (
        <Notice
          tone="warning"
          title={`Your address was used from ${feed.networks} networks in seven days`}
          className="mb-4"
          actions={
            <Button size="sm" onClick={() => setChange('renew')}>
              Renew address
            </Button>
          }
        >
          If someone else has it, renew it. Then only you have the new one.
        </Notice>
      )}
      <Feed
        label="Podcast app"
        isOn
        url={feed.url}
        hint={
          hasAccess ? (
            'Every mix in full. The address is yours alone: anyone who has it can listen in your name.'
          ) : (
            <>
              Your subscription has ended, so this feed has only previews. The full mixes come back
              when you{' '}
              <Link href="/pricing" className="text-text underline underline-offset-4">
                renew it
              </Link>
              .
            </>
          )
        }
      />
      {hasAccess && (
        <Feed
          label="Data saver feed"
          url={feed.dataSaverUrl}
          hint={`The same mixes in small files: ${formatMegabytes(bytesPerHour('dataSaver'))} an hour instead of ${formatMegabytes(bytesPerHour('stream'))}. For apps that play Opus, such as AntennaPod; Apple Podcasts doesn’t.`}
        />
      )}
      <SettingRow
        label="Renew address"
        hint={
          <>
            The old addresses stop working at once, and your apps need the new ones.{' '}
            {feed.lastUsedAt === null
              ? 'No app has used it yet.'
              : `Last used on ${formatDate(feed.lastUsedAt)}.`}
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <Button variant="line" onClick={() => setChange('renew')}>
            Renew…
          </Button>
          <Button variant="quiet" onClick={() => setChange('end')}>
            Turn off…
          </Button>
        </div>
      </SettingRow>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

const CHANGES = {
  renew: {
    title: 'Renew your address?',
    description:
      'Every app that uses the old address stops getting mixes until you add the new one.',
    confirmLabel: 'Renew address',
    failed: 'Couldn’t renew the address. Please try again.',
  },
  end: {
    title: 'Turn off your podcast feed?',
    description: 'Every app that uses it stops getting mixes, and its address won’t work again.',
    confirmLabel: 'Turn off',
    failed: 'Couldn’t turn off your podcast feed. Please try again.',
  },
};

function ChangeDialog({ change, onClose }: { change: FeedChange; onClose: () => void }) {
  const client = useQueryClient();
  const renew = useMutation(renewFeedMutation(client));
  const end = useMutation(endFeedMutation(client));
  async function confirm() {
    if (change === 'end') {
      await end.mutateAsync();
      return showToast({ title: 'Podcast feed turned off' });
    }
    await renew.mutateAsync();
    showToast({ title: 'Address renewed', description: 'Add the new one to your podcast app.' });
  }
  return <ReasonDialog {...CHANGES[change]} onConfirm={confirm} onClose={onClose} />;
}

export const PublicFeed = ({ url }: { url: string }) => (
  <Feed
    label="Podcast app"
    url={url}
    hint={
      <>
        A {PREVIEW_TEXT} of each mix, in any podcast app. With{' '}
        <Link href="/pricing" className="text-text underline underline-offset-4">
          Premium
        </Link>{' '}
        you get a feed of your own with the full mixes.
      </>
    }
  />
);

type FeedProps = { label: string; isOn?: boolean; url: string; hint: ReactNode };

/** An address with all the ways to get it into an app. */
function Feed({ url, ...row }: FeedProps) {
  const { buttonProps, render } = useQrDialog();
  return (
    <>
      <SettingRow {...row} />
      <div className="flex flex-col gap-3 pb-4">
        <code className="rounded-panel bg-raised px-3.5 py-3 font-mono text-13 break-all text-text select-all">
          {url}
        </code>
        <div className="flex flex-wrap gap-2">
          <Button variant="line" size="sm" onClick={() => void copyLink(url)}>
            <Copy />
            Copy address
          </Button>
          <Button variant="line" size="sm" {...buttonProps}>
            Show QR code
          </Button>
          {render({ url })}
        </div>
        <p className="text-13 text-text-2">
          Open in an app on this device, or paste the address where your app adds a podcast by URL:
        </p>
        <ul aria-label={`${row.label}: open in`} className="flex flex-wrap gap-2">
          {listPodcastApps(url).map(({ name, href }) => (
            <li key={name}>
              <a href={href} className={buttonClass({ variant: 'line', size: 'sm' })}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
