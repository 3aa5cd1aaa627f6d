/** Contains no personal data. */
export type SandboxCheckoutsTable = {
  id: string;
  reference: string;
  customer_id: string;
  plan: 'monthly' | 'annual';
  amount: number;
  renewal_amount: number;
  currency: string;
  first_charge_at: number;
  success_url: string;
  cancel_url: string;
  state: 'open' | 'paid' | 'closed';
  provider_subscription_id: string | null;
  /** The last attempted payment. */
  charge_id: string | null;
  /** The name of the test card that was used. */
  card: string | null;
  created_at: number;
};

export type SandboxSubscriptionsTable = {
  id: string;
  customer_id: string;
  plan: 'monthly' | 'annual';
  currency: string;
  status: 'active' | 'ending' | 'late' | 'ended';
  /** The end of the period, also of one that a failed payment left unpaid. */
  due_at: number;
  next_charge_at: number;
  next_amount: number;
  renewal_amount: number;
  next_plan: 'monthly' | 'annual' | null;
  /** The name of a test card. */
  card: string;
  /** How often the card has paid, for test cards that fail later. */
  card_uses: number;
  failures: number;
  created_at: number;
};

export type SandboxChargesTable = {
  id: string;
  reference: string | null;
  customer_id: string;
  provider_subscription_id: string | null;
  plan: 'monthly' | 'annual';
  status: 'paid' | 'failed';
  amount: number;
  refunded: number;
  currency: string;
  is_disputed: 0 | 1;
  card: string;
  failure: string | null;
  at: number;
  /** Our reference of a missed payment that was charged later. */
  owed_reference: string | null;
  /** Of a dispute: an answer is due by then. */
  respond_by: number | null;
  /** The bank decided for the customer. */
  is_lost: 0 | 1;
};

export type SandboxRefundsTable = { key: string; charge_id: string; amount: number; at: number };

export type SandboxCardUpdatesTable = {
  id: string;
  provider_subscription_id: string;
  return_url: string;
  created_at: number;
};

/** Webhook events, sent in the order of `seq`. */
export type SandboxEventsTable = {
  id: string;
  seq: number;
  body: string;
  created_at: number;
  delivered_at: number | null;
};

export type SandboxTables = {
  sandbox_checkouts: SandboxCheckoutsTable;
  sandbox_subscriptions: SandboxSubscriptionsTable;
  sandbox_charges: SandboxChargesTable;
  sandbox_refunds: SandboxRefundsTable;
  sandbox_card_updates: SandboxCardUpdatesTable;
  sandbox_events: SandboxEventsTable;
};
