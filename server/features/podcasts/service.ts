import { hasFullAccess, isStaff } from '#contract/rules/access.ts';
import type { PodcastFeeds, PodcastFeedUse } from '#contract/clients/podcasts.ts';
import { HOUR } from '#contract/rules/time.ts';
import { writeInBackground } from '../../background/background-writes.ts';
import type { PodcastFeedsTable } from '../../db/types/account-tables.ts';
import type { Deps } from '../../deps.ts';
import { decryptText, encryptText } from '../../db/secrets.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import { type Viewer } from '../../http/route/guards.ts';
import { noteVerified } from '../../http/load/verified.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import type { SendableFile } from '../../http/send/send-file.ts';
import { hashToken, newToken } from '../../http/route/tokens.ts';
import { lockUserById } from '../accounts/service.ts';
import { readAccessEnd } from '../billing/ledger/service.ts';
import { describeNetworks, FEED, noteNetwork } from '../networks/service.ts';
import { openCatalogue, openFileOfOwner } from '../tracks/service.ts';
import { recordPodcastRequest } from '../usage/service.ts';
import { buildChapters, feedAddresses, FILES } from './build-feed.ts';
import { fillTemplate, readTemplate, type FilledFeed } from './feed-template.ts';
import {
  deleteFeedOf,
  findFeedByToken,
  findFeedOf,
  saveFeed,
  touchFeed,
  type FeedRow,
} from './queries.ts';

export { deleteFeedOf, exportFeed } from './queries.ts';

const PURPOSE = 'podcast-feeds';

const describeUse = async (
  deps: Deps,
  { user_id, created_at, last_used_at }: PodcastFeedsTable,
): Promise<PodcastFeedUse> => ({
  createdAt: created_at,
  lastUsedAt: last_used_at,
  ...(await describeNetworks(deps, { userId: user_id, credential: FEED })),
});

/** For administrators: how the feed of a user is used, without its address. */
export async function findFeedUse(deps: Deps, userId: string): Promise<PodcastFeedUse | null> {
  const feed = await findFeedOf(deps.database.db, userId);
  return feed ? describeUse(deps, feed) : null;
}

/** Null if it was encrypted with the secret of another site; then the user gets a new one. */
const readToken = ({ database, log }: Deps, { token }: PodcastFeedsTable): Promise<string | null> =>
  decryptText(database.db, PURPOSE, token).catch((error: unknown) => {
    log.warn({ err: error }, 'Could not read the address of a podcast feed.');
    return null;
  });

export async function getFeeds(deps: Deps, { user }: Viewer): Promise<PodcastFeeds> {
  const { origin } = deps.site;
  const feed = await findFeedOf(deps.database.db, user.id);
  const token = feed ? await readToken(deps, feed) : null;
  return {
    publicUrl: `${origin}/feed.xml`,
    own:
      feed && token
        ? {
            ...(await describeUse(deps, feed)),
            url: origin + feedAddresses.standard(token),
            dataSaverUrl: origin + feedAddresses.dataSaver(token),
          }
        : null,
  };
}

/**
 * Gives a subscriber an address, or another one. Someone whose subscription has ended can only replace
 * the one they have: it may be in the wrong hands.
 */
export async function renewFeed(deps: Deps, viewer: Viewer): Promise<PodcastFeeds> {
  const { database, clock } = deps;
  const { id } = viewer.user;
  const now = clock.now();
  const token = newToken();
  const row = {
    user_id: id,
    token_hash: hashToken(token),
    token: await encryptText(database.db, PURPOSE, token),
    created_at: now,
    last_used_at: null,
  };
  await database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, id);
    if (!hasFullAccess(viewer.user, now) && !(await findFeedOf(tx, id)))
      throw new AppError('subscribers_only');
    await saveFeed(tx, row);
  });
  return getFeeds(deps, viewer);
}

export async function endFeed({ database }: Deps, { user }: Viewer): Promise<void> {
  await database.db.transaction().execute((tx) => deleteFeedOf(tx, user.id));
}

/** Only unknown tokens count, so nobody else's guesses keep a subscriber's app from its feed. */
export const guesses = defineRateLimit({
  name: 'podcast-guess',
  what: 'Unknown podcast addresses tried from one address',
  limit: 60,
  periodMs: HOUR,
});

/** An address that was never given out and one that was replaced get the same answer. */
async function refuseToken({ database, clock }: Deps, address: string): Promise<never> {
  const use = { rule: guesses, subject: toRateLimitAddress(address) };
  await enforceRateLimits(database.db, [use], clock.now());
  throw new AppError('feed_gone');
}

export type FeedRequest = { token: string; address: string };

/** The feed at this address. Found by a hash, so the time it takes says nothing about the token. */
async function openFeed(deps: Deps, { token, address }: FeedRequest): Promise<FeedRow> {
  const { database } = deps;
  const isToken = /^[\w-]{43}$/.test(token);
  const feed = isToken ? await findFeedByToken(database.db, hashToken(token)) : undefined;
  if (!feed) return refuseToken(deps, address);
  // Not "gone", which would make apps forget the feed: the account may be enabled again.
  if (feed.is_disabled) throw new AppError('not_found');
  noteVerified('feed', feed.token_hash);
  return feed;
}

/** Full mixes while the subscription lasts; then previews, and an entry that says so. */
export async function readFeed(
  deps: Deps,
  { isDataSaver, page, ...request }: FeedRequest & { isDataSaver: boolean; page: number },
): Promise<FilledFeed> {
  const { database, clock, log } = deps;
  const feed = await openFeed(deps, request);
  const now = clock.now();
  const policy = await readAccessPolicy(deps);
  const access = { ...feed, ...policy };
  if (Math.abs(now - (feed.last_used_at ?? 0)) >= HOUR)
    writeInBackground(log, 'note the use of a podcast feed', () =>
      touchFeed(database.db, feed.token_hash, now),
    );
  const { token } = request;
  if (hasFullAccess(access, now))
    return fillTemplate(await readTemplate(deps, { kind: 'full', isDataSaver, page }, access), {
      token,
      endedAt: null,
    });
  const endedAt = (await readAccessEnd(deps, feed.user_id, policy.grace_ms)) ?? feed.created_at;
  return fillTemplate(await readTemplate(deps, { kind: 'ended', isDataSaver, page }, null), {
    token,
    endedAt,
  });
}

type FileRequest = FeedRequest & { id: string; name: keyof typeof FILES };

const SHARED_FEED =
  'This podcast address was used from too many places. Renew it on the settings page, and don’t share it.';

/** Checks the account, its access and the release of the track with every request. */
export async function openFeedFile(
  deps: Deps,
  { id, name, ...request }: FileRequest,
): Promise<SendableFile & { modifiedAt: number; countPlay: () => void }> {
  const feed = await openFeed(deps, request);
  const open = (file: typeof name) =>
    openFileOfOwner(deps, feed.user_id, { id, rendition: FILES[file] });
  // Apps keep the address of a file that was there to keep; what they get now is there to stream.
  const file = await open(name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'files_off') return open('full');
    throw error;
  });
  await noteNetwork(deps, {
    userId: feed.user_id,
    credential: FEED,
    secret: feed.token_hash,
    address: request.address,
    advice: SHARED_FEED,
  });
  const countPlay = () => {
    if (!isStaff(feed)) recordPodcastRequest(deps, { userId: feed.user_id, trackId: id });
  };
  return { ...file, countPlay };
}

export async function readFeedChapters(
  deps: Deps,
  { id, ...request }: FeedRequest & { id: string },
): Promise<object> {
  const feed = await openFeed(deps, request);
  const policy = await readAccessPolicy(deps);
  const access = { ...feed, ...policy };
  if (!hasFullAccess(access, deps.clock.now())) throw new AppError('subscribers_only');
  const track = await (await openCatalogue(deps, access)).find(id);
  if (!track) throw new AppError('not_found');
  return buildChapters(track, deps.config.siteName);
}
