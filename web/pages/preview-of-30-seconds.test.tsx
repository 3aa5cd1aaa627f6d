/**
 * Runs in a project of its own (see vitest.config.ts), in which one line of the code differs:
 * PREVIEW_SECONDS is 30. Files, the player and all texts must follow.
 */
import { join } from 'node:path';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Subscription } from '#contract/billing.ts';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import { buildFeed, type FeedSource } from '#server/features/podcasts/build-feed.ts';
import { describeSitePage } from '#server/features/public-pages/site-heads.ts';
import { funnel } from '#server/features/reports/funnel-report.ts';
import { plays } from '#server/features/reports/plays-report.ts';
import { createMedia } from '#server/ports/media/create-media.ts';
import { pickPreviewStart } from '#server/ports/media/preview-window.ts';
import {
  createAnalysis,
  createFolder,
  openEngine,
  writeWav,
} from '#server/ports/media/testing/samples.ts';
import { Page as ProfilePage } from './profile/profile.tsx';
import { PreviewPicker } from '#web/admin/tracks/preview-picker.tsx';
import { UploadPreview } from '#web/admin/uploads/upload-preview.tsx';
import { LandingTrack } from './landing/landing-track.tsx';
import { Page as SubscriptionPage } from './subscription/subscription.tsx';
import { SidebarContent } from '#web/shell/sidebar-content.tsx';
import { AppPasswordSettings } from './settings/connections/app-password-settings.tsx';
import { subscriptionQuery } from '#web/features/billing/api.ts';
import { PlanOffer } from '#web/features/billing/plans/plan-offer.tsx';
import { describeStatus } from '#web/features/billing/subscription-texts.ts';
import { PublicFeed } from './settings/connections/podcast-settings.tsx';
import { ShareEmbed } from '#web/features/sharing/share-embed.tsx';
import { PlayLabel } from '#web/features/tracks/track-facts.tsx';
import { describeUpload } from '#web/admin/uploads/describe-stages.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { Player } from '#web/player/create-player.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { PlayerContext } from '#web/player/use-player.ts';
import { buildPreview } from '#web/testing/build-track.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

it('is set to 30 in this project', () => expect(PREVIEW_SECONDS).toBe(30));

describe('a preview of 30 seconds', () => {
  it('is a file of 30 seconds, from the 30 seconds with the most energy', async () => {
    const energy = Array.from({ length: 100 }, () => 0.1).fill(0.9, 40, 70);
    expect(pickPreviewStart(energy, 100)).toBe(40);

    const media = createMedia(await openEngine('default'));
    const folder = await createFolder();
    const master = await writeWav(join(folder, 'a.wav'), { seconds: 40 });
    const [preview] = await media.encode({
      master: { file: master, probe: await media.probe(master) },
      analysis: createAnalysis({ durationSeconds: 40 }),
      targets: [{ rendition: 'preview', to: join(folder, 'preview') }],
      previewStart: 3,
    });
    const file = preview?.file ?? '';
    const { durationSeconds } = await media.analyse({ file, probe: await media.probe(file) });
    expect(durationSeconds).toBeGreaterThan(29.8);
    expect(durationSeconds).toBeLessThanOrEqual(30);
  });

  it('stops the player at 30 seconds', () => {
    const { engine, output, state, loadMetadata, reach, previewEnds } = createEngineBench();
    engine.playTracks([buildPreview('a')]);
    loadMetadata(29.98);
    output.emit({ type: 'playing' });
    reach(29.9);
    expect(state().isPlaying).toBe(true);
    reach(30.2);
    expect(state()).toMatchObject({ isPlaying: false, currentTime: 30 });
    expect(previewEnds).toEqual(['a']);
    engine.seek(99);
    expect(state().currentTime).toBe(30);
  });
});

const user: User = {
  id: 'u',
  username: 'Thandi',
  email: 'thandi@example.com',
  isSubscriber: false,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};
const subscription: Subscription = {
  status: 'free',
  hasAccess: false,
  plan: null,
  currency: 'ZAR',
  paidThrough: null,
  accessUntil: null,
  nextPayment: null,
  nextPlan: null,
  card: null,
  problem: null,
  canResume: false,
} as unknown as Subscription;
const processing = {
  state: 'processing',
  progress: 30,
  stages: ['probe', 'analysis'],
  release: { kind: 'draft' },
} as unknown as CatalogueTrack;
const dates = { now: 0, locale: 'en-ZA', timeZone: 'UTC' };

function renderText(element: ReactElement, status: Subscription['status'] = 'free'): string {
  const client = createQueryClient();
  client.setQueryData(currentUserQuery.queryKey, user);
  const current: Subscription = { ...subscription, status };
  client.setQueryData(subscriptionQuery.queryKey, current);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PlayerContext value={createEngineBench().engine as unknown as Player}>
        <Router ssrPath="/">{element}</Router>
      </PlayerContext>
    </QueryClientProvider>,
  );
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

const nothing = () => undefined;
const picker = {
  peaks: [0, 1],
  duration: 100,
  start: null,
  note: '',
  sound: null,
  onStart: nothing,
};
const upload = { upload: {} as Upload, sending: null, start: null, onStart: nothing };
const offer = { user, plan: 'monthly' as const };

const previews: FeedSource = {
  kind: 'previews',
  isDataSaver: false,
  origin: 'https://site.example',
  siteName: 'Weekender',
  sentence: '',
  artwork: '/feed/artwork.png',
  tracks: [],
  kept: new Set(),
  modifiedAt: 0,
  earlyMs: 0,
  ownerEmail: '',
};
const marks = { token: 'token', endedAt: '', endedDate: '' };

/** Every text that says how long a preview is, by the file that it is in. */
const TEXTS: [file: string, text: () => string][] = [
  ['server/features/podcasts/build-feed.ts', () => JSON.stringify(buildFeed(previews, marks))],
  [
    'server/features/podcasts/build-feed.ts',
    () => JSON.stringify(buildFeed({ ...previews, kind: 'ended' }, marks)),
  ],
  ['server/features/public-pages/site-heads.ts', () => describeSitePage('/', 'Weekender')],
  ['server/features/public-pages/site-heads.ts', () => describeSitePage('/landing', 'Weekender')],
  ['server/features/reports/funnel-report.ts', () => JSON.stringify(funnel)],
  ['server/features/reports/plays-report.ts', () => JSON.stringify(plays)],
  ['web/pages/profile/profile.tsx', () => renderText(<ProfilePage />)],
  ['web/admin/tracks/preview-picker.tsx', () => renderText(<PreviewPicker {...picker} />)],
  ['web/admin/uploads/upload-preview.tsx', () => renderText(<UploadPreview {...upload} />)],
  [
    'web/pages/landing/landing-track.tsx',
    () => renderText(<LandingTrack track={buildPreview('a')} user={null} />),
  ],
  ['web/pages/subscription/subscription.tsx', () => renderText(<SubscriptionPage />)],
  ['web/pages/subscription/subscription.tsx', () => renderText(<SubscriptionPage />, 'ended')],
  ['web/shell/sidebar-content.tsx', () => renderText(<SidebarContent user={user} />)],
  ['web/shell/sidebar-content.tsx', () => renderText(<SidebarContent user={null} />)],
  ['web/features/billing/plans/plan-benefits.ts', () => renderText(<PlanOffer {...offer} />)],
  [
    'web/features/billing/subscription-texts.ts',
    () => describeStatus({ ...subscription, status: 'free' }, dates),
  ],
  [
    'web/features/billing/subscription-texts.ts',
    () => describeStatus({ ...subscription, status: 'ended' }, dates),
  ],
  [
    'web/pages/settings/connections/app-password-settings.tsx',
    () => renderText(<AppPasswordSettings />),
  ],
  [
    'web/pages/settings/connections/podcast-settings.tsx',
    () => renderText(<PublicFeed url="https://site.example/feed.xml" />),
  ],
  [
    'web/features/sharing/share-embed.tsx',
    () => {
      vi.stubGlobal('window', { location: { origin: 'https://site.example' } });
      try {
        return renderText(<ShareEmbed track={buildPreview('a')} />);
      } finally {
        vi.unstubAllGlobals();
      }
    },
  ],
  [
    'web/features/tracks/track-facts.tsx',
    () => renderText(<PlayLabel track={buildPreview('a')} />),
  ],
  [
    'web/admin/uploads/describe-stages.ts',
    () => describeUpload({ track: processing } as Upload, null, dates).note,
  ],
];

describe('a text about the length of a preview', () => {
  it.each(TEXTS)('says 30 seconds, text %# of the list: %s', (_file, text) => {
    expect(text()).toMatch(/\b30[ -]second/);
    expect(text()).not.toMatch(/\b20[ -]second/);
  });
});
