import { CHECK_NAMES } from '#contract/admin/check-names.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { enqueue } from '../../jobs/queue.ts';
import { planMessage } from '../../jobs/send-once.ts';
import { listAdministratorIds } from '../mails/service.ts';
import { listDevicesOf } from '../notifications/service.ts';
import { sendAttentionMail, type AttentionMail } from './attention-mail.ts';
import { pushAttentionNotice } from './attention-notice.ts';
import { listAttention } from './list-attention.ts';
import { listUrgentKinds, readChecks } from './site-checks.ts';

/** When the daily mail may go out, in the site’s time zone. */
const FIRST_HOUR = 8;
const LAST_HOUR = 20;
/** What hasn’t changed since the last mail is named again after a week. */
const REMIND_MS = 7 * DAY;
const KEPT_MS = 30 * DAY;

/** `item` says what it is, whatever its text says today. */
type Need = { item: string; text: string };

/** All that needs a person, and what nobody knows. */
async function listNeeds(deps: Deps): Promise<Need[]> {
  const attention = await listAttention(deps);
  const checks = await readChecks(deps);
  return [
    ...attention.map(({ kind, text }) => ({ item: kind, text })),
    ...checks.flatMap(({ kind, trouble }) =>
      trouble === null
        ? []
        : [{ item: `not-checked:${kind}`, text: `${CHECK_NAMES[kind]}: ${trouble}` }],
    ),
  ];
}

/** True for one caller, on whichever server, and whenever one of them was killed. */
async function claimMail(tx: Tx, key: string, now: number): Promise<boolean> {
  const row = await tx
    .insertInto('attention_mails')
    .values({ key, planned_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

async function rememberTold(tx: Tx, needs: readonly Need[], now: number): Promise<void> {
  for (const { item, text } of needs)
    await tx
      .insertInto('attention_told')
      .values({ item, text, told_at: now })
      .onConflict((conflict) => conflict.column('item').doUpdateSet({ text, told_at: now }))
      .execute();
}

/** A job for each administrator, so that one address that fails doesn’t repeat the mail to the others. */
async function enqueueMails(
  tx: Tx,
  { key, ...mail }: AttentionMail & { key: string },
  now: number,
): Promise<void> {
  for (const userId of await listAdministratorIds(tx)) {
    const own = `attention:${key}:${userId}`;
    if (!(await planMessage(tx, { key: own, userId }, now))) continue;
    const payload = {
      userId,
      key: own,
      plannedAt: now,
      isUrgent: mail.isUrgent,
      items: [...mail.items],
      gone: [...mail.gone],
    };
    await enqueue(tx, sendAttentionMail, payload, { now });
  }
}

/** On the devices on which administrators get notices. */
async function enqueueNotices(tx: Tx, needs: readonly Need[], now: number): Promise<void> {
  const devices = await listDevicesOf(tx, await listAdministratorIds(tx), now);
  for (const { id: deviceId } of devices)
    for (const { item, text } of needs)
      await enqueue(tx, pushAttentionNotice, { deviceId, item, text }, { now });
}

/** Each thing at once only once a day, by mail and as a notice: one of the two may be what is broken. */
async function planUrgent(
  tx: Tx,
  needs: readonly Need[],
  { day, now }: { day: string; now: number },
): Promise<void> {
  const fresh: Need[] = [];
  for (const need of needs)
    if (await claimMail(tx, `now:${day}:${need.item}`, now)) fresh.push(need);
  if (fresh.length === 0) return;
  const key = `now:${day}:${fresh.map(({ item }) => item).join('+')}`;
  await enqueueMails(
    tx,
    { key, isUrgent: true, items: fresh.map(({ text }) => text), gone: [] },
    now,
  );
  await enqueueNotices(tx, fresh, now);
  await rememberTold(tx, fresh, now);
}

/** Only if there is news since the last mail, or something has waited for a week. */
async function planDaily(
  tx: Tx,
  needs: readonly Need[],
  { day, now }: { day: string; now: number },
): Promise<void> {
  const told = await tx.selectFrom('attention_told').selectAll().orderBy('item').execute();
  const gone = told.filter(({ item }) => needs.every((need) => need.item !== item));
  const isOld = ({ item, text }: Need) =>
    told.some((row) => row.item === item && row.text === text && now - row.told_at < REMIND_MS);
  if (gone.length === 0 && needs.every(isOld)) return;
  if (!(await claimMail(tx, `daily:${day}`, now))) return;
  await enqueueMails(
    tx,
    {
      key: `daily:${day}`,
      isUrgent: false,
      items: needs.map(({ text }) => text),
      gone: gone.map(({ text }) => text),
    },
    now,
  );
  for (const { item } of gone)
    await tx.deleteFrom('attention_told').where('item', '=', item).execute();
  await rememberTold(tx, needs, now);
}

/** After a downtime nobody has looked yet, at what starts only now. */
async function hasJustStarted(db: Db, now: number): Promise<boolean> {
  const last = await db
    .selectFrom('schedule_runs')
    .select('ended_at')
    .where('name', '=', 'check-site')
    .executeTakeFirst();
  return last === undefined || Math.abs(now - last.ended_at) > HOUR;
}

/** Tells administrators what needs them: at once what can’t wait, and the rest once a day. */
export async function planMails(deps: Deps): Promise<void> {
  const { database, clock, config } = deps;
  const now = clock.now();
  if (config.demo || (await hasJustStarted(database.db, now))) return;
  const needs = await listNeeds(deps);
  const urgent = await listUrgentKinds(database.db);
  const day = dayOf(now, config.timeZone);
  const hour = (now - startOfDay(day, config.timeZone)) / HOUR;
  await database.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('attention_mails')
      .where('planned_at', '<', now - KEPT_MS)
      .execute();
    const isUrgent = ({ item }: Need) => urgent.some((kind) => kind === item);
    await planUrgent(tx, needs.filter(isUrgent), { day, now });
    if (hour >= FIRST_HOUR && hour < LAST_HOUR) await planDaily(tx, needs, { day, now });
  });
  deps.jobs.wake();
}
