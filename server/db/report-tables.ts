/** Per day in the site's time zone: what was counted, all mixes together. */
export type SiteDaysTable = {
  day: string;
  plays: number;
  /** Those by people who hear whole mixes. */
  subscriber_plays: number;
  /** Different listeners with a counted play. */
  listeners: number;
};

export type PlayHoursTable = { day: string; hour: number; plays: number };

/** `play_days` added up, so that a year is not thousands of rows of every mix. */
export type PlayMonthsTable = { month: string; track_id: string; plays: number };

/** The last day on which a listener had a counted play. */
export type ListenerLastDaysTable = { listener_key: string; day: string };

/**
 * How many listeners of a day were last here on an earlier one; empty for who is new. Different
 * listeners of any days are those whose earlier day lies before the first of them.
 */
export type ListenerGapsTable = { day: string; previous_day: string; listeners: number };

/** Each listener of a day, with the day before it, as it is counted in `listener_gaps`. */
export type ListenerVisitsTable = { day: string; previous_day: string; listener_key: string };

/** Of the members who began a mix on a day, how many came as far as a percent of it, and no further. */
export type TrackReachTable = { track_id: string; day: string; reach: number; listeners: number };

/** Days that one payment of a member covers, cut where the next one begins. */
export type PaidSpansTable = {
  id: string;
  /** Null once the member has left. */
  user_id: string | null;
  from_day: string;
  /** The first day that is not covered. */
  to_day: string;
  /** Cents a month. */
  monthly: number;
  /** No other payment covers the day before, or the day after. */
  is_start: 0 | 1;
  is_end: 0 | 1;
  /** The month of the first payment, on the row of that payment. */
  cohort: string | null;
};

/** How many began and stopped paying on a day, and by how much the monthly revenue changed. */
export type SubscriptionDaysTable = { day: string; started: number; ended: number; mrr: number };

/** Cents that came and went on a day. */
export type MoneyDaysTable = { day: string; payments: number; charged: number; returned: number };

/** Money that went back, or that a bank holds; less than nothing when it came again. */
export type MoneyReturnsTable = {
  id: string;
  /** Null once the member has left. */
  user_id: string | null;
  day: string;
  at: number;
  kind: 'refund' | 'dispute' | 'dispute-won';
  amount: number;
};

/** Of those whose first payment was in a month, how many paid so many months later. */
export type CohortMonthsTable = { cohort: string; month: number; subscribers: number };

/** Events on their way to the analytics service. */
export type EventOutboxTable = {
  id: string;
  queued_at: number;
  user_id: string | null;
  /** JSON: the event as the service takes it. */
  body: string;
};

export type ReportTables = {
  site_days: SiteDaysTable;
  play_hours: PlayHoursTable;
  play_months: PlayMonthsTable;
  listener_last_days: ListenerLastDaysTable;
  listener_gaps: ListenerGapsTable;
  listener_visits: ListenerVisitsTable;
  track_reach: TrackReachTable;
  paid_spans: PaidSpansTable;
  subscription_days: SubscriptionDaysTable;
  money_days: MoneyDaysTable;
  money_returns: MoneyReturnsTable;
  cohort_months: CohortMonthsTable;
  event_outbox: EventOutboxTable;
};
