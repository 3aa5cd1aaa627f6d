import { mkdir, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { FastifyInstance } from 'fastify';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { buildInvoice, buildPlaylist, buildUpload } from '../../db/build-rows.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { hashToken } from '../../http/route/tokens.ts';
import { newId } from '../../db/ids.ts';
import type { Sandbox } from '../../ports/payments/sandbox/sandbox.ts';
import { uploadFolder, uploadPath } from '../../features/uploads/upload-folder.ts';
import { buildUnsubscribeUrl } from '../../features/preferences/service.ts';
import { seedTrack } from '../seed-track.ts';
import { createPerson, PASSWORD, type Person } from './people.ts';

export type SiteParts = { app: FastifyInstance; deps: Deps; sandbox: Sandbox };

/** Mixes in every state that decides who may hear them. */
export async function createTracks({ database: { db }, storage, clock }: Deps) {
  const now = clock.now();
  const seed = (title: string, change: Partial<TracksTable> = {}) =>
    seedTrack({ db, storage, now }, { title, ...change });
  return {
    released: await seed('Released'),
    early: await seed('Early', { publish_at: now + DAY }),
    forSubscribers: await seed('For subscribers', { is_subscriber_only: 1 }),
    draft: await seed('Draft', { publish_at: null }),
    deleted: await seed('Deleted', {
      publish_at: null,
      deleted_at: now - 1000,
      restore_publish_at: now - DAY,
    }),
  };
}
export type Tracks = Awaited<ReturnType<typeof createTracks>>;

/** As staff do on a complaint, for each mix that is or will be out. */
export const takeDownAll = (db: Db) =>
  db
    .updateTable('tracks')
    .set({
      taken_down_at: 1,
      restore_publish_at: sql.ref<number | null>('publish_at'),
      publish_at: null,
    })
    .where('publish_at', 'is not', null)
    .execute();

export const putBackAll = (db: Db) =>
  db
    .updateTable('tracks')
    .set({
      taken_down_at: null,
      publish_at: sql.ref<number | null>('restore_publish_at'),
      restore_publish_at: null,
    })
    .where('taken_down_at', 'is not', null)
    .execute();

const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Creates what belongs to a person, as rows of the database. */
export function createThings({ app, deps, sandbox }: SiteParts, tracks: Tracks) {
  const { db } = deps.database;
  const now = () => deps.clock.now();
  const nextNumber = (() => {
    // Far from the numbers that real payments get.
    let number = 900_000;
    return () => (number -= 1);
  })();

  async function call(person: Person, method: 'GET' | 'POST', url: string, payload?: object) {
    const response = await app.inject({
      method,
      url,
      remoteAddress: person.address,
      ...(person.cookie && { headers: { cookie: person.cookie } }),
      ...(payload && { payload }),
    });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${url} for ${person.role}: ${response.body.slice(0, 300)}`);
    return response;
  }

  const playlist = async (
    owner: Person,
    state: { token?: string; isDeleted?: boolean } = {},
  ): Promise<string> => {
    const row = buildPlaylist({
      id: newId(now()),
      user_id: owner.id,
      name: state.token ? 'Shared' : `Of ${owner.email}`,
      share_token: state.token ?? null,
      deleted_at: state.isDeleted ? now() - 1000 : null,
      created_at: now(),
    });
    await db.insertInto('playlists').values(row).execute();
    const track = { playlist_id: row.id, track_id: tracks.released.id, position: 1024 };
    await db
      .insertInto('playlist_tracks')
      .values({ ...track, added_at: now() })
      .execute();
    return row.id;
  };

  const invoice = async (owner: Person): Promise<string> => {
    const row = buildInvoice({
      id: newId(now()),
      number: nextNumber(),
      user_id: owner.id,
      provider: 'sandbox',
      charge_id: newId(now()),
      plan: 'monthly',
      at: now() - DAY,
      from_at: now() - DAY,
      to_at: now() + DAY,
      amount: 7900,
      currency: 'ZAR',
      buyer_email: owner.email,
    });
    await db.insertInto('invoices').values(row).execute();
    return row.id;
  };

  const creditNote = async (owner: Person): Promise<string> => {
    const id = newId(now());
    const about = {
      invoice_id: await invoice(owner),
      at: now(),
      issued_at: now(),
      booked_on: '2026-11-15',
      currency: 'ZAR',
    };
    await db
      .insertInto('credit_notes')
      .values({
        id,
        kind: 'credit',
        number: nextNumber(),
        amount: 100,
        vat: 0,
        reason: 'refund',
        ...about,
      })
      .execute();
    return id;
  };

  /** Of a stranger, unless it says whose. */
  const checkout = async (buyer?: Person) => {
    const owner = buyer ?? (await createPerson(deps, 'free'));
    const order = { plan: 'monthly' };
    const { url } = (await call(owner, 'POST', '/api/checkout', order)).json<{ url: string }>();
    const checkoutId = url.split('/').at(-1) ?? '';
    const row = await db
      .selectFrom('payments')
      .select('reference')
      .where('user_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    return { checkoutId, reference: row.reference };
  };

  /** Pays with a test card: a real subscription, invoice and ledger. */
  const subscribe = async (owner: Person) => {
    await db.updateTable('users').set({ paid_through: null }).where('id', '=', owner.id).execute();
    const { checkoutId, reference } = await checkout(owner);
    await sandbox.pay(checkoutId, { card: 'success' });
    await call(owner, 'POST', `/api/checkout/${reference}/confirm`);
    return reference;
  };

  let payer: Promise<{ person: Person; invoiceId: string }> | null = null;
  /** A member with a subscription and its invoice, always the same. */
  const paidMember = () => {
    payer ??= (async () => {
      const person = await createPerson(deps, 'free');
      await subscribe(person);
      const { id: invoiceId } = await db
        .selectFrom('invoices')
        .select('id')
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow();
      return { person, invoiceId };
    })();
    return payer;
  };

  const confirmPassword = (owner: Person) =>
    call(owner, 'POST', '/api/me/confirm', { password: PASSWORD });

  const totp = async (owner: Person, isConfirmed: boolean): Promise<string> => {
    if (owner.role === 'visitor') return '000000';
    const row = { user_id: owner.id, secret: TOTP_SECRET, last_step: 0, created_at: now() };
    await db
      .insertInto('totp')
      .values({ ...row, confirmed_at: isConfirmed ? now() : null })
      .execute();
    const secret = Secret.fromBase32(TOTP_SECRET);
    return new TOTP({ secret }).generate({ timestamp: now() });
  };

  const gift = async (): Promise<string> => {
    const token = newId(now());
    const row = { id: newId(now()), token_hash: hashToken(token), months: 1, from_name: 'Ayanda' };
    const unused = { created_by: 'system', redeemed_by: null, redeemed_at: null };
    await db
      .insertInto('gifts')
      .values({ ...row, ...unused, created_at: now() })
      .execute();
    return token;
  };

  const upload = async (owner: Person): Promise<string> => {
    const row = buildUpload({
      id: newId(now()),
      user_id: owner.id,
      file_name: 'mix.wav',
      size: 1000,
      created_at: now(),
    });
    await mkdir(uploadFolder(deps.config), { recursive: true });
    await writeFile(uploadPath(deps.config, row.id), '');
    await db.insertInto('uploads').values(row).execute();
    return row.id;
  };

  const failedJob = async (): Promise<string> => {
    const job = { name: 'no-such-job', maxAttempts: 1, encode: () => '{}' };
    const id = (await enqueue(db, job, {}, { now: now() })) ?? '';
    await db.updateTable('jobs').set({ state: 'dead' }).where('id', '=', id).execute();
    return id;
  };

  const paymentIssue = async (owner: Person): Promise<string> => {
    const id = newId(now());
    const nothing = { reference: null, due_at: null, closed_at: null, closed_by: null, note: null };
    const about = { user_id: owner.id, provider: 'sandbox', charge_id: id };
    await db
      .insertInto('payment_issues')
      .values({
        id,
        key: id,
        kind: 'dispute',
        amount: 7900,
        currency: 'ZAR',
        reason: 'A test.',
        opened_at: now(),
        keeps_subscription: 0,
        ...about,
        ...nothing,
      })
      .execute();
    return id;
  };

  /** The private feed of a new subscriber. */
  const podcastFeed = async () => {
    const owner = await createPerson(deps, 'subscriber');
    const { own } = (await call(owner, 'POST', '/api/me/podcast-feed')).json<PodcastFeeds>();
    return { owner, token: own?.url.split('/').at(-1) ?? '' };
  };

  /** Of a new subscriber. It works without a session. */
  const downloadLink = async () => {
    const owner = await createPerson(deps, 'subscriber');
    const path = `/api/tracks/${tracks.released.id}/download`;
    const response = await call(owner, 'POST', path, { format: 'mp3' });
    const { searchParams } = new URL(response.json<{ url: string }>().url, 'http://site.example');
    const params = { trackId: tracks.released.id, format: 'mp3' };
    return { owner, params, query: Object.fromEntries(searchParams) };
  };

  const unsubscribeToken = async (owner: Person): Promise<string> => {
    const url = await buildUnsubscribeUrl(deps, { userId: owner.id, kind: 'news' });
    return url.split('/').at(-1) ?? '';
  };

  const play = async (owner: Person) => {
    const path = `/api/tracks/${tracks.released.id}/play`;
    const response = await call(owner, 'POST', path);
    const { playId } = response.json<{ playId: string }>();
    const set = response.cookies.map(({ name, value }) => `${name}=${value}`);
    return { playId, cookie: [owner.cookie, ...set].filter(Boolean).join('; ') };
  };

  const sessionId = async (owner: Person): Promise<string> => {
    const response = await call(owner, 'GET', '/api/me/sessions');
    return response.json<{ items: { id: string }[] }>().items[0]?.id ?? '';
  };

  const endAccess = (owner: Person) =>
    db
      .updateTable('users')
      .set({ paid_through: now() - 30 * DAY })
      .where('id', '=', owner.id)
      .execute();

  return {
    playlist,
    invoice,
    creditNote,
    checkout,
    subscribe,
    paidMember,
    confirmPassword,
    totp,
    gift,
    upload,
    failedJob,
    paymentIssue,
    podcastFeed,
    downloadLink,
    unsubscribeToken,
    play,
    sessionId,
    endAccess,
  };
}
export type Things = ReturnType<typeof createThings>;
