import { NETWORK_LISTENERS, WIDE_NETWORK_LISTENERS, type Doubt } from '#contract/rules/chart.ts';
import type { Db } from '../../db/connect.ts';
import { hashForDay } from '../../db/daily-hash.ts';
import { toNetworks } from '../../http/route/address.ts';

type ListenerDay = { day: string; trackId: string; listenerKey: string };

/** False if the chart has counted that many listeners of this network already. */
async function claimPlace(
  tx: Db,
  { day, trackId, network, most }: { day: string; trackId: string; network: string; most: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('network_listeners')
    .values({ day, track_id: trackId, network, listeners: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'track_id', 'network'])
        .doUpdateSet(({ eb }) => ({ listeners: eb('network_listeners.listeners', '+', 1) }))
        .where('network_listeners.listeners', '<', most),
    )
    .returning('network')
    .executeTakeFirst();
  return row !== undefined;
}

/** The network first: if the larger one is full, no other listener in it needs the place either. */
async function hasRoom(tx: Db, { day, trackId }: ListenerDay, address: string): Promise<boolean> {
  const { network, wideNetwork } = toNetworks(address);
  const texts = wideNetwork === null ? [network] : [network, wideNetwork];
  const [hash = '', wideHash] = await hashForDay(tx, day, texts);
  const place = { day, trackId };
  return (
    (await claimPlace(tx, { ...place, network: hash, most: NETWORK_LISTENERS })) &&
    (wideHash === undefined ||
      (await claimPlace(tx, { ...place, network: wideHash, most: WIDE_NETWORK_LISTENERS })))
  );
}

/** Also counts a member who was left out earlier that day, and has subscribed since. */
async function countTrusted(tx: Db, { day, trackId, listenerKey }: ListenerDay): Promise<boolean> {
  const row = await tx
    .insertInto('listener_days')
    .values({ day, track_id: trackId, listener_key: listenerKey, suspicion: null })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'track_id', 'listener_key'])
        .doUpdateSet({ suspicion: null })
        .where('listener_days.suspicion', 'is not', null),
    )
    .returning('listener_key')
    .executeTakeFirst();
  return row !== undefined;
}

const selectDay = (tx: Db, { day, trackId, listenerKey }: ListenerDay) =>
  tx
    .selectFrom('listener_days')
    .select('suspicion')
    .where('day', '=', day)
    .where('track_id', '=', trackId)
    .where('listener_key', '=', listenerKey);

type CountedDay = {
  /** The chart counts the listener from now on, and hasn't before. */
  isNew: boolean;
  /** Why the chart leaves this play out; null if it doesn't. */
  suspicion: Doubt | null;
};

/** Decides whether a listener counts in the chart on this day. */
export async function countListenerDay(
  tx: Db,
  listener: ListenerDay,
  { doubt, address }: { doubt: Doubt | null; address: string },
): Promise<CountedDay> {
  if (doubt === null) return { isNew: await countTrusted(tx, listener), suspicion: null };
  const { day, trackId, listenerKey } = listener;
  const row = { day, track_id: trackId, listener_key: listenerKey };
  const inserted = await tx
    .insertInto('listener_days')
    .values({ ...row, suspicion: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('listener_key')
    .executeTakeFirst();
  if (!inserted) {
    const known = await selectDay(tx, listener).executeTakeFirst();
    return { isNew: false, suspicion: known?.suspicion ?? null };
  }
  if (await hasRoom(tx, listener, address)) return { isNew: true, suspicion: null };
  await tx
    .updateTable('listener_days')
    .set({ suspicion: doubt })
    .where('day', '=', day)
    .where('track_id', '=', trackId)
    .where('listener_key', '=', listenerKey)
    .execute();
  return { isNew: false, suspicion: doubt };
}
