import type { Tx } from '../../../db/connect.ts';
import type { PaymentRow } from '../queries.ts';

export const updatePayment = async (
  tx: Tx,
  { reference }: Pick<PaymentRow, 'reference'>,
  values: Partial<PaymentRow>,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('payments')
    .set({ ...values, updated_at: now })
    .where('reference', '=', reference)
    .execute();
};
