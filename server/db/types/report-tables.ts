import type { DepartureReason, DepartureWay } from '#contract/rules/departures.ts';
import type { Doubt } from '#contract/rules/chart.ts';
import type { Plan } from '#contract/rules/plans.ts';

/** Totals of all tracks per day, in the site's time zone. */
export type SiteDaysTable = {
  day: string;
  plays: number;
  /** Plays by subscribers. */
  subscriber_plays: number;
  /** Unique listeners with a counted play. */
  listeners: number;
};

export type PlayHoursTable = { day: string; hour: number; plays: number };

/** `play_days` summed per month, so that a year has fewer rows to read. */
export type PlayMonthsTable = { month: string; track_id: string; plays: number };

/** Counted plays that stay out of the chart. */
export type SuspiciousDaysTable = {
  day: string;
  track_id: string;
  suspicion: Doubt;
  plays: number;
};

/** The last day on which a listener had a counted play. */
export type ListenerLastDaysTable = { listener_key: string; day: string };

/**
 * How many listeners of a day were last here on which earlier day (empty for new listeners). The unique
 * listeners of a range are those whose earlier day is before its first day.
 */
export type ListenerGapsTable = { day: string; previous_day: string; listeners: number };

/** The listeners counted in `listener_gaps`. */
export type ListenerVisitsTable = { day: string; previous_day: string; listener_key: string };

/** How many of the users who started a track on a day stopped at which percent of it. */
export type TrackReachTable = { track_id: string; day: string; reach: number; listeners: number };

/** The days one payment covers, up to the start of the next payment. */
export type PaidSpansTable = {
  id: string;
  /** Null once the account is deleted. */
  user_id: string | null;
  from_day: string;
  /** The first day after the span. */
  to_day: string;
  /** Cents per month. */
  monthly: number;
  /** Whether no other payment covers the day before, or the day after. */
  is_start: 0 | 1;
  is_end: 0 | 1;
  /** The month of the user's first payment, only on the row of that payment. */
  cohort: string | null;
};

/** Subscribers who started and stopped paying on a day, and the change of MRR. */
type SubscriptionDaysTable = { day: string; started: number; ended: number; mrr: number };

/** Payments and refunds of a day, in cents. */
export type MoneyDaysTable = { day: string; payments: number; charged: number; returned: number };

/** Refunds and chargebacks; a reversed chargeback is negative. */
export type MoneyReturnsTable = {
  id: string;
  /** Null once the account is deleted. */
  user_id: string | null;
  day: string;
  at: number;
  kind: 'refund' | 'dispute' | 'dispute-won';
  amount: number;
};

/** How many subscribers with a first payment in that month still paid so many months later. */
type CohortMonthsTable = { cohort: string; month: number; subscribers: number };

/** Events waiting to be forwarded to Mixpanel. */
export type AnalyticsOutboxTable = {
  id: string;
  queued_at: number;
  user_id: string | null;
  /** JSON: the event in Mixpanel's format. */
  body: string;
};

/** How many analytics events arrived on a day, and how large they were. */
export type AnalyticsArrivalsTable = {
  day: string;
  /** A hash with a key of that day; empty for all networks together. */
  network: string;
  events: number;
  bytes: number;
};

/** A subscription that came to its end, or will at `ends_at`, and why. */
export type DeparturesTable = {
  id: string;
  /** Null once the account is deleted, like the comment and the track. */
  user_id: string | null;
  subscription_id: string;
  at: number;
  /** The day of `at`, in whose figures it counts. */
  day: string;
  ends_at: number;
  way: DepartureWay;
  reason: DepartureReason | null;
  comment: string | null;
  plan: Plan;
  months: number;
  track_id: string | null;
  /** The member went on after all. */
  taken_back_at: number | null;
};

/** Departures of a day. The reason is empty where nobody gave one; `months` is their sum. */
type DepartureDaysTable = {
  day: string;
  way: DepartureWay;
  reason: DepartureReason | '';
  departures: number;
  months: number;
};

export type ReportTables = {
  site_days: SiteDaysTable;
  play_hours: PlayHoursTable;
  play_months: PlayMonthsTable;
  suspicious_days: SuspiciousDaysTable;
  listener_last_days: ListenerLastDaysTable;
  listener_gaps: ListenerGapsTable;
  listener_visits: ListenerVisitsTable;
  track_reach: TrackReachTable;
  paid_spans: PaidSpansTable;
  subscription_days: SubscriptionDaysTable;
  money_days: MoneyDaysTable;
  money_returns: MoneyReturnsTable;
  cohort_months: CohortMonthsTable;
  departures: DeparturesTable;
  departure_days: DepartureDaysTable;
  analytics_arrivals: AnalyticsArrivalsTable;
  analytics_outbox: AnalyticsOutboxTable;
};
