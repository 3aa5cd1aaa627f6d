import { NO_ENDS } from '#contract/rules/allowed-files.ts';
import { DAY } from '#contract/rules/time.ts';
import { newId } from '../../db/ids.ts';
import { image, ofArtist, ofClip, ofLetter, ofTrack, type Ask, type Asked } from './asked.ts';
import { seedTrack } from '../seed-track.ts';
import { createPerson } from './people.ts';

const reason = 'A test.';
const period = { period: '2026-11' };
const letter = {
  subject: 'Hello',
  body: 'We play.',
  picture: null,
  pictureText: '',
  trackId: null,
};
const TUS = { 'tus-resumable': '1.0.0' };

/** A member whose account an administrator looks at or changes. */
const ofMember =
  (payload?: object): Ask =>
  async ({ deps }) => {
    const member = await createPerson(deps, 'free');
    return { params: { id: member.id }, ...(payload && { payload }) };
  };
const ofUpload =
  (payload: object = {}): Ask =>
  async ({ things }, owner) => ({ ...payload, params: { id: await things.upload(owner) } });
const ofIssue =
  (payload: object): Ask =>
  async ({ things, owner }) => ({ payload, params: { id: await things.paymentIssue(owner) } });
const ofRecording =
  (more: Asked = {}): Ask =>
  async ({ deps }) => {
    const id = newId(deps.clock.now());
    const row = {
      id,
      artist: null,
      title: 'Intro',
      name_key: 'intro',
      created_at: 1,
      updated_at: 1,
    };
    const details = { version: null, composer: null, publisher: null, label: null };
    const codes = { isrc: null, iswc: null, is_own: 0, cleared_with: null } as const;
    await deps.database.db
      .insertInto('recordings')
      .values({ ...row, ...details, ...codes })
      .execute();
    return { ...more, params: { id } };
  };
const ofFailedJob: Ask = async ({ things }) => ({ params: { id: await things.failedJob() } });

const CSV = {
  payload: 'email\nzola@example.com\n',
  headers: { 'content-type': 'text/csv' },
  query: { fileName: 'members.csv' },
};
/** A file of members that an administrator has checked. */
const ofImport: Ask = async ({ deps }) => {
  const now = deps.clock.now();
  const id = newId(now);
  await deps.database.db
    .insertInto('member_imports')
    .values({
      id,
      created_by: null,
      file_name: 'members.csv',
      source: 'other',
      state: 'draft',
      outcomes: null,
      lines: 0,
      with_access: 0,
      created_at: now,
      finished_at: null,
    })
    .execute();
  return { params: { id } };
};

const refund: Ask = async ({ things }) => {
  const { person, invoiceId } = await things.paidMember();
  const payload = { invoiceId, amount: 100, endsSubscription: false, reason };
  return { params: { id: person.id }, payload };
};
/** After entering the password again. */
const withPassword =
  (ask: Ask): Ask =>
  async (site, owner, person) => {
    if (person.role !== 'visitor') await site.things.confirmPassword(person);
    return ask(site, owner, person);
  };
const ofEditedTrack: Ask = async ({ deps, tracks }) => {
  const { version } = await deps.database.db
    .selectFrom('tracks')
    .select('version')
    .where('id', '=', tracks.draft.id)
    .executeTakeFirstOrThrow();
  return { params: { id: tracks.draft.id }, payload: { version, bpm: 120 } };
};

const ofNewTrack =
  (more: Asked): Ask =>
  async ({ deps: { database, storage, clock } }) => {
    const track = await seedTrack({ db: database.db, storage, now: clock.now() });
    return { ...more, params: { id: track.id } };
  };

/** Administrators ask for real things, so that their column shows what the others are kept from. */
export const adminRequests: Record<string, Ask> = {
  'GET /api/admin/users/:id/access': ofMember(),
  'POST /api/admin/users/:id/access': async (site, ...people) => ({
    ...(await ofMember()(site, ...people)),
    payload: { do: 'grant', until: site.deps.clock.now() + DAY, reason },
  }),
  'POST /api/admin/coupons': (_site, _owner, { id }) => ({
    payload: {
      kind: 'percent',
      percent: 10,
      code: `C-${id}`.slice(0, 32),
      plans: ['monthly'],
      maxUses: 1,
      startsAt: null,
      endsAt: null,
    },
  }),
  'POST /api/admin/gifts': () => ({ payload: { months: 1, from: 'Ayanda' } }),
  'POST /api/admin/books/close': () => ({ payload: { month: '2025-01' } }),
  'POST /api/admin/books/reopen': () => ({ payload: { month: '2025-01', reason } }),
  'GET /api/admin/books/:period': () => ({ params: period }),
  'GET /api/admin/books/:period/payouts': () => ({ params: period }),
  'GET /api/admin/books/:period/:sheet.csv': () => ({ params: { ...period, sheet: 'sales' } }),
  'POST /api/admin/invoices/:id/refund': () => ({
    params: { id: 'none' },
    payload: { amount: 100, reason: 'Bought twice.' },
  }),
  'GET /api/admin/invoices/:id': async ({ things, owner }) => ({
    params: { id: await things.invoice(owner) },
  }),
  'GET /api/admin/credit-notes/:id': async ({ things, owner }) => ({
    params: { id: await things.creditNote(owner) },
  }),
  'PUT /api/admin/file-ends': () => ({ payload: { ...NO_ENDS, version: 0 } }),
  'POST /api/admin/prices/changes': ({ deps }) => ({
    payload: { plan: 'monthly', amount: 9900, startsAt: deps.clock.now() + 60 * DAY },
  }),
  'POST /api/admin/prices/changes/:id/cancel': () => ({ params: { id: 'nobody' } }),
  'POST /api/admin/tracks/bulk': ({ tracks }) => ({
    payload: { action: 'publish', ids: [tracks.released.id] },
  }),
  'PUT /api/admin/first-steps/:step': () => ({
    params: { step: 'people' },
    payload: { isSkipped: true },
  }),
  'GET /api/admin/tracks/:id': ofTrack('draft'),
  'GET /api/admin/tracks/:id/recipients': ofTrack('draft'),
  'GET /api/admin/tracks/:id/peaks': ofTrack('draft'),
  'PATCH /api/admin/tracks/:id': ofEditedTrack,
  'PUT /api/admin/tracks/:id/cover': ofTrack('draft', image),
  'DELETE /api/admin/tracks/:id/cover': ofTrack('draft'),
  'POST /api/admin/tracks/:id/reprocess': ofTrack('draft'),
  'POST /api/admin/tracks/:id/take-down': ofNewTrack({
    payload: { complainant: 'A label', reason, email: '', reference: '' },
  }),
  'POST /api/admin/tracks/:id/put-back': ofTrack('draft', { payload: { reason, as: 'before' } }),
  'GET /api/admin/tracks/:id/recordings': ofTrack('draft'),
  'GET /api/admin/tracks/:id/heard': ofTrack('draft', {
    query: { from: '2026-11-01', to: '2026-11-15' },
  }),
  'PUT /api/admin/tracks/:id/recordings': ofTrack('draft', {
    payload: { version: 0, entries: [] },
  }),
  'PATCH /api/admin/recordings/:id': ofRecording({ payload: { updatedAt: 1, artist: 'Relay' } }),
  'POST /api/admin/recordings/:id/merge': async (...asked) => {
    const { params } = await ofRecording()(...asked);
    return ofRecording({ payload: { into: params?.id } })(...asked);
  },
  'GET /api/admin/artists/:id': ofArtist('draft'),
  'PATCH /api/admin/artists/:id': ofArtist('draft', { payload: { version: 0, about: 'A DJ.' } }),
  'PUT /api/admin/artists/:id/picture': ofArtist('draft', image),
  'DELETE /api/admin/artists/:id/picture': ofArtist('draft'),
  'POST /api/admin/artists/:id/merge': async (...asked) => {
    const { params } = await ofArtist(null)(...asked);
    return ofArtist('draft', { payload: { into: params?.id } })(...asked);
  },
  'DELETE /api/admin/artists/:id': ofArtist(null),
  'GET /api/admin/uploads/:id/details': ofUpload(),
  'PUT /api/admin/uploads/:id/draft': ofUpload({ payload: { version: 0, title: 'Draft' } }),
  'PUT /api/admin/uploads/:id/cover': ofUpload(image),
  'POST /api/admin/uploads/:id/accept': ofUpload(),
  'POST /api/admin/uploads': () => ({ headers: { ...TUS, 'upload-length': '1000' } }),
  'OPTIONS /api/admin/uploads': () => ({ headers: TUS }),
  'HEAD /api/admin/uploads/:id': ofUpload({ headers: TUS }),
  'PATCH /api/admin/uploads/:id': ofUpload({
    headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    payload: Buffer.alloc(10),
  }),
  'DELETE /api/admin/uploads/:id': ofUpload({ headers: TUS }),
  'POST /api/admin/basic-upload': () => ({
    payload: '--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }),
  'GET /api/admin/subscribers/:id': ofMember(),
  'GET /api/admin/subscribers/:id/plays': ofMember(),
  'GET /api/admin/subscribers/:id/invoices': ofMember(),
  'PUT /api/admin/subscribers/:id/admin': ofMember({ isAdmin: true, reason }),
  'POST /api/admin/helpers': async () => ({ payload: { email: 'helper@private.example' } }),
  'DELETE /api/admin/helpers/:id': ofMember(),
  'PUT /api/admin/subscribers/:id/admin · with the password': withPassword(
    ofMember({ isAdmin: true, reason }),
  ),
  'PUT /api/admin/subscribers/:id/disabled': ofMember({ isDisabled: true, reason }),
  'POST /api/admin/subscribers/:id/refund': refund,
  'POST /api/admin/subscribers/:id/refund · with the password': withPassword(refund),
  'POST /api/admin/subscribers/:id/end': async ({ things }) => ({
    params: { id: (await things.paidMember()).person.id },
    payload: { isImmediate: false, reason },
  }),
  'DELETE /api/admin/subscribers/:id/podcast-feed': ofMember(),
  'DELETE /api/admin/subscribers/:id/refused-mail': ofMember(),
  'DELETE /api/admin/subscribers/:id/sessions': ofMember(),
  'POST /api/admin/member-imports': () => CSV,
  'GET /api/admin/member-imports/:id': ofImport,
  'GET /api/admin/member-imports/:id/lines': ofImport,
  'POST /api/admin/member-imports/:id/start': ofImport,
  'POST /api/admin/member-imports/:id/start · with the password': withPassword(ofImport),
  'GET /api/admin/jobs': () => ({ query: { state: 'failed' } }),
  'POST /api/admin/jobs/:id/retry': ofFailedJob,
  'POST /api/admin/jobs/:id/run': async ({ deps, things }) => {
    const id = await things.failedJob();
    await deps.database.db
      .updateTable('jobs')
      .set({ state: 'ready' })
      .where('id', '=', id)
      .execute();
    return { params: { id } };
  },
  'PUT /api/admin/job-pauses': () => ({ payload: { target: 'job:cut-clip', isPaused: true } }),
  'DELETE /api/admin/jobs/:id': ofFailedJob,
  'POST /api/admin/look/:kind': () => ({
    params: { kind: 'logo' },
    payload: '<svg viewBox="0 0 9 9"><circle r="4"/></svg>',
    headers: { 'content-type': 'image/svg+xml' },
  }),
  'DELETE /api/admin/clips/:id': ofClip('released'),
  'POST /api/admin/letters/pictures': () => image,
  'POST /api/admin/letters/preview': () => ({ payload: letter }),
  'POST /api/admin/letters/test': () => ({ payload: letter }),
  'GET /api/admin/letters/:id': ofLetter(),
  'PATCH /api/admin/letters/:id': ofLetter({}, { payload: { version: 0, subject: 'Hi' } }),
  'DELETE /api/admin/letters/:id': ofLetter(),
  'POST /api/admin/letters/:id/send': ofLetter({}, { payload: { version: 0, at: null } }),
  'POST /api/admin/letters/:id/send · with the password': withPassword(
    ofLetter({}, { payload: { version: 0, at: null } }),
  ),
  'POST /api/admin/letters/:id/stop': ofLetter({ state: 'sending' }),
  'POST /api/admin/letters/:id/go-on': ofLetter({ state: 'stopped' }),
  'POST /api/admin/letters/:id/go-on · with the password': withPassword(
    ofLetter({ state: 'stopped' }),
  ),
  'PATCH /api/admin/settings': () => ({ payload: { version: 0, values: { siteName: 'Ours' } } }),
  'POST /api/admin/payment-issues/:id/close': ofIssue({ note: 'Done.' }),
  'PUT /api/admin/payment-issues/:id/keeps-subscription': ofIssue({ keepsSubscription: true }),
  'GET /api/admin/reports/:name · plays': () => ({ params: { name: 'plays' } }),
  'GET /api/admin/reports/:name · money': () => ({ params: { name: 'revenue' } }),
  'GET /api/admin/reports/:name/:figure': () => ({ params: { name: 'plays', figure: 'previews' } }),
  'GET /api/admin/reports/:name/:figure.csv': () => ({
    params: { name: 'plays', figure: 'previews' },
  }),
  'GET /api/admin/years/:year': () => ({ params: { year: '2026' } }),
  'GET /api/admin/years/:year/picture · too early': () => ({ params: { year: '1990' } }),
  'GET /api/admin/reports/:name.csv': () => ({ params: { name: 'plays' } }),
  'POST /api/admin/mails/:name/preview': () => ({ params: { name: 'release' }, payload: {} }),
  'POST /api/admin/mails/:name/test': () => ({ params: { name: 'release' }, payload: {} }),
  'GET /api/admin/legal/:page': () => ({ params: { page: 'terms' } }),
  'POST /api/admin/legal/:page': () => ({
    params: { page: 'terms' },
    payload: { version: 1, text: 'Be kind.' },
  }),
  'POST /api/admin/legal/:page/preview': () => ({
    params: { page: 'terms' },
    payload: { text: 'Be kind.' },
  }),
};
