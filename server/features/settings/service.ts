import { SettingValues, type SettingName, type SiteSettings } from '#contract/settings.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { readSettings, writeSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { recordAct } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { loadSettings } from './follow-settings.ts';

export { followSettings } from './follow-settings.ts';

const VERSION = 'settings-version';

async function readVersion(db: Db): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', VERSION)
    .executeTakeFirst();
  return row?.value ?? 0;
}

/** One of two who change the same version is told. */
async function takeVersion(tx: Tx, version: number): Promise<boolean> {
  await tx
    .insertInto('counters')
    .values({ name: VERSION, value: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .updateTable('counters')
    .set({ value: version + 1 })
    .where('name', '=', VERSION)
    .where('value', '=', version)
    .returning('value')
    .executeTakeFirst();
  return row !== undefined;
}

export async function readSiteSettings(deps: Deps): Promise<SiteSettings> {
  const { config, database, clock } = deps;
  const version = await readVersion(database.db);
  const settings = await readSettings(database.db, clock.now());
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
  const fixed = names.filter((name) => config.fixed.some((held) => held === name));
  if (fixed.length === 0) return;
  const { message } = new AppError('settings_fixed');
  const fields = Object.fromEntries(fixed.map((name) => [name, message]));
  throw new AppError('settings_fixed', { fields });
}

/** As a request brings it: what is left out may be there as undefined. */
type SettingChange = { [N in SettingName]?: SettingValues[N] | undefined };

const dropMissing = (values: SettingChange) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const pick = (values: SettingValues, names: readonly SettingName[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

export async function changeSiteSettings(
  deps: Deps,
  viewer: Viewer,
  { version, values }: { version: number; values: SettingChange },
): Promise<SiteSettings> {
  const { database, clock } = deps;
  const before = await readSiteSettings(deps);
  const names = (Object.keys(values) as SettingName[]).filter(
    (name) => values[name] !== undefined && values[name] !== before.values[name],
  );
  refuseFixed(deps, names);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (!(await takeVersion(tx, version))) throw new AppError('settings_changed');
    const after = SettingValues.parse({ ...before.values, ...dropMissing(values) });
    await writeSettings(tx, pick(after, names), now);
    await recordAct(
      tx,
      {
        actor: viewer,
        act: 'settings.changed',
        subject: { kind: 'site' },
        before: pick(before.values, names),
        after: pick(after, names),
      },
      now,
    );
    await publishSignal(tx, 'admin:settings', now);
  });
  await loadSettings(deps);
  return readSiteSettings(deps);
}
