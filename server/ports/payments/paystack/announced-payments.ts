/** How many payments are kept that a list has never shown. */
const MAX_ANNOUNCED = 1000;

/** A webhook event may be faster than Paystack's lists: then its payment is fetched by its reference. */
export type AnnouncedPayments = {
  add: (reference: string, customerCode: string) => void;
  /** The references of a customer's payments that this list doesn't have yet. */
  listMissing: (customerCode: string, listed: readonly { reference: string }[]) => string[];
};

export function createAnnouncedPayments(): AnnouncedPayments {
  const customers = new Map<string, string>();
  return {
    add: (reference, customerCode) => {
      const [oldest] = customers.keys();
      if (customers.size >= MAX_ANNOUNCED && oldest !== undefined) customers.delete(oldest);
      customers.set(reference, customerCode);
    },
    listMissing: (customerCode, listed) => {
      for (const { reference } of listed) customers.delete(reference);
      return [...customers]
        .filter(([, customer]) => customer === customerCode)
        .map(([reference]) => reference);
    },
  };
}
