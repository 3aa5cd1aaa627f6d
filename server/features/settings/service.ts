import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { dayOf } from '#contract/rules/days.ts';
import {
  SettingValues,
  VAT_SELLER_FIELDS,
  type SettingName,
  type SiteSettings,
} from '#contract/admin/settings.ts';
import type { Db, Tx } from '../../db/connect.ts';
import {
  readSettings,
  readStoredSettings,
  writeSettings,
  forgetSettings,
  CACHE_MS,
  type Settings,
} from '../../db/settings.ts';
import { recordAction } from '../audit/service.ts';
import { loadLook, publishImages } from '../look/service.ts';
import { hasTaxInvoices } from '../billing/ledger/service.ts';
import { publishSignal } from '../live/service.ts';
import { layOutMail, readMailSite, sendNow, type MailSite } from '../mails/service.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';

export { listMissingSellerData } from './seller.ts';

const VERSION = 'settings-version';

async function readVersion(db: Db): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', VERSION)
    .executeTakeFirst();
  return row?.value ?? 0;
}

const createVersion = (tx: Tx) =>
  tx
    .insertInto('counters')
    .values({ name: VERSION, value: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** False if someone else has changed this version meanwhile. */
async function increaseVersion(tx: Tx, version: number): Promise<boolean> {
  await createVersion(tx);
  const row = await tx
    .updateTable('counters')
    .set({ value: version + 1 })
    .where('name', '=', VERSION)
    .where('value', '=', version)
    .returning('value')
    .executeTakeFirst();
  return row !== undefined;
}

/** Past what is cached. The version comes first: whoever saves later with it, has read its values. */
export async function readLatestSettings(db: Db): Promise<{ version: number; settings: Settings }> {
  const version = await readVersion(db);
  return { version, settings: await readStoredSettings(db) };
}

export async function readSiteSettings(deps: Deps): Promise<SiteSettings> {
  const { config, database } = deps;
  const latest = await readLatestSettings(database.db);
  const { version } = latest;
  const {
    downloadsEnd: _downloads,
    losslessEnd: _lossless,
    savingEnd: _saving,
    ...settings
  } = latest.settings;
  return {
    version,
    values: {
      ...settings,
      siteName: config.siteName,
      timeZone: config.timeZone,
      eventsDays: config.eventDays,
    },
    fixed: [...config.fixed],
    mailFrom: config.smtp?.from ?? null,
  };
}

function refuseFixed({ config }: Deps, names: readonly SettingName[]) {
  const fixed = names.filter((name) => config.fixed.some((fixedName) => fixedName === name));
  if (fixed.length === 0) return;
  const { message } = new AppError('settings_fixed');
  const fields = Object.fromEntries(fixed.map((name) => [name, message]));
  throw new AppError('settings_fixed', { fields });
}

/** A tax invoice names the seller, its address and its VAT number. */
function refuseIncompleteVat(values: SettingValues) {
  const missing = values.isVatCharged
    ? VAT_SELLER_FIELDS.filter((name) => values[name] === '')
    : [];
  if (missing.length === 0) return;
  const fields = missing.map((name) => [`values.${name}`, 'Required when you charge VAT.']);
  const message = 'To charge VAT, enter the seller’s legal name, address and VAT number.';
  throw new AppError('validation_failed', { message, fields: Object.fromEntries(fields) });
}

/**
 * Invoices of the days up to today have the rates of these days. So from the first tax invoice on,
 * only rates that begin later can be added, changed or removed.
 */
async function refusePastRates(tx: Tx, before: SettingValues, after: SettingValues, today: string) {
  const listPast = ({ vatRates }: SettingValues) => vatRates.filter(({ from }) => from <= today);
  if (isDeepStrictEqual(listPast(before), listPast(after)) || !(await hasTaxInvoices(tx))) return;
  const message =
    'Invoices already have the rates up to today. Add a rate that begins tomorrow or later.';
  throw new AppError('validation_failed', { message, fields: { 'values.vatRates': message } });
}

/** As in a request: a missing setting can be undefined. */
type SettingChange = { [N in SettingName]?: SettingValues[N] | undefined };

const omitUndefined = (values: SettingChange) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const pick = (values: SettingValues, names: readonly SettingName[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

const describeRates = (rates: SettingValues['vatRates']): string =>
  rates.map(({ percent, from }) => `${percent}% from ${from}`).join(', ');

/** The audit log refuses e-mail addresses, which are usually members’; the seller’s is public. */
const toFacts = (values: SettingValues, names: readonly SettingName[]) =>
  Object.fromEntries(
    names.map((name) => {
      if (name === 'vatRates') return [name, describeRates(values[name])];
      if (name === 'links') return [name, values[name].map(({ url }) => url).join(', ')];
      return [name === 'sellerEmail' ? 'sellerContact' : name, values[name]];
    }),
  );

export async function changeSiteSettings(
  deps: Deps,
  viewer: Viewer,
  { version, values }: { version: number; values: SettingChange },
): Promise<SiteSettings> {
  const { database, clock } = deps;
  const before = await readSiteSettings(deps);
  if (before.version !== version) throw new AppError('settings_changed');
  const names = (Object.keys(values) as SettingName[]).filter(
    (name) => values[name] !== undefined && !isDeepStrictEqual(values[name], before.values[name]),
  );
  refuseFixed(deps, names);
  await publishImages(deps, pick(values as SettingValues, names));
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (!(await increaseVersion(tx, version))) throw new AppError('settings_changed');
    const after = SettingValues.parse({ ...before.values, ...omitUndefined(values) });
    refuseIncompleteVat(after);
    await refusePastRates(tx, before.values, after, dayOf(now, deps.config.timeZone));
    await writeSettings(tx, pick(after, names), now);
    await recordAction(
      tx,
      {
        actor: viewer,
        action: 'settings.changed',
        subject: { kind: 'site' },
        before: toFacts(before.values, names),
        after: toFacts(after, names),
      },
      now,
    );
    await publishSignal(tx, 'admin:settings', now);
  });
  await reloadSettings(deps);
  return readSiteSettings(deps);
}

/** For what has a page of its own: unless somebody changed a setting meanwhile. */
export async function writeSettingsOfVersion(
  tx: Tx,
  version: number,
  values: Partial<FileEnds>,
  now: number,
): Promise<void> {
  if (!(await increaseVersion(tx, version))) throw new AppError('settings_changed');
  await writeSettings(tx, values, now);
  await publishSignal(tx, 'admin:settings', now);
}

/** For the site itself. A page that is being edited meanwhile must load them again. */
export async function writeSiteSettings(tx: Tx, values: Partial<SettingValues>, now: number) {
  await createVersion(tx);
  await tx
    .updateTable('counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', VERSION)
    .execute();
  await writeSettings(tx, values, now);
  await publishSignal(tx, 'admin:settings', now);
}

export async function reloadSettings(deps: Deps): Promise<void> {
  const { pageSettings, database, clock } = deps;
  forgetSettings(database.db);
  const settings = await readSettings(database.db, clock.now());
  const look = await loadLook(deps, settings);
  // The same object as before if nothing changed: pages are built again for another one.
  const isSame = isDeepStrictEqual(look, deps.config.look);
  pageSettings.current = { ...settings, look: isSame ? deps.config.look : look };
}

/** Loads the settings regularly, because another server may change them. Returns how to stop. */
export async function watchSettings(deps: Deps): Promise<() => Promise<void>> {
  await reloadSettings(deps);
  const timer = setInterval(() => {
    reloadSettings(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'Loading the settings failed.'),
    );
  }, CACHE_MS).unref();
  return async () => clearInterval(timer);
}

export async function sendTestMail(deps: Deps, { user }: Viewer) {
  const site = await readMailSite(deps);
  return sendNow(deps, writeTestMail(site, { to: user.email, username: user.username }));
}

export const writeTestMail = (
  site: MailSite,
  recipient: { to: string; username: string },
): MailMessage =>
  layOutMail(site, {
    ...recipient,
    subject: `Test message from ${site.siteName}`,
    blocks: [
      `This is a test message from ${site.siteName}, requested on the settings page. E-mail works.`,
    ],
    button: { label: 'Back to the settings', url: `${site.origin}/admin/settings/releases` },
  });
