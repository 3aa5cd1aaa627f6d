/** One row for each reference. E-mail addresses are encrypted, and kept only as long as needed. */
export type SandboxPaymentsTable = {
  /** The secret of the payment page's address. */
  id: string;
  reference: string;
  /** Encrypted; null once it is paid, failed or expired. */
  email: string | null;
  amount: number;
  refunded: number;
  /** JSON: each refund by its idempotency key, and whether the bank sent it back. */
  refunds: string;
  currency: string;
  description: string;
  saves_card: 0 | 1;
  /** Null if a saved card was charged, without a page. */
  success_url: string | null;
  cancel_url: string | null;
  state: 'open' | 'pending' | 'paid' | 'failed' | 'needs-member';
  /** The name of the test card or bank payment that was used last. */
  method: string | null;
  /** The card that it saved. */
  card_id: string | null;
  charge_id: string | null;
  /** Also of an attempt after which the page is still open. */
  failure: string | null;
  is_hard: 0 | 1;
  /** Of an open dispute: an answer is due by then. */
  respond_by: number | null;
  /** Of a lost dispute. */
  lost_at: number | null;
  /** When the page expires, the bank decides or a dispute is lost; null if nothing is left to decide. */
  due_at: number | null;
  created_at: number;
  /** Of the payment, or of the last attempt. */
  at: number;
  /** Of the last payment, refund or dispute; null before there is any. */
  changed_at: number | null;
};

/** Cards that can be charged again. The token isn't stored: it is the id with a signature. */
export type SandboxCardsTable = {
  id: string;
  /** Encrypted. */
  email: string;
  /** The name of a test card. */
  method: string;
  /** How often it has paid, for test cards that fail later. */
  uses: number;
  created_at: number;
};

/** Webhook events, sent in the order of `seq`. */
type SandboxEventsTable = {
  id: string;
  seq: number;
  body: string;
  created_at: number;
  delivered_at: number | null;
};

export type SandboxTables = {
  sandbox_payments: SandboxPaymentsTable;
  sandbox_cards: SandboxCardsTable;
  sandbox_events: SandboxEventsTable;
};
