import type { Tx } from '../../db/connect.ts';

/** What was counted in demo mode: by seeded listeners, by the demo accounts, and by people who tried it. */
const COUNTED = [
  'plays',
  'counted_plays',
  'listener_days',
  'network_listeners',
  'play_days',
  'play_hours',
  'play_months',
  'site_days',
  'suspicious_days',
  'listener_last_days',
  'listener_gaps',
  'listener_visits',
  'track_reach',
  'chart_entries',
  'charts',
  'play_facts',
  'achievements',
  'search_misses',
  'analytics_events',
  'analytics_days',
  'analytics_arrivals',
  'analytics_outbox',
] as const;

/** Where people stopped in a mix stays: it is theirs, and no figure. */
export async function removeListening(tx: Tx): Promise<void> {
  for (const table of COUNTED) await tx.deleteFrom(table).execute();
  await tx.updateTable('progress').set({ reach: null, reach_day: null }).execute();
  await tx.updateTable('tracks').set({ play_count: 0 }).where('play_count', '>', 0).execute();
}
