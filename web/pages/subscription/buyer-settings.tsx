import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BuyerDetails } from '#contract/paying/invoices.ts';
import { call } from '#web/lib/api/api.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { parseForm } from '#web/ui/forms/parse-form.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';

const buyerQuery = apiQuery('GET /api/subscription/buyer');

const describeBuyer = ({ name, address, vatNumber }: BuyerDetails): string =>
  [name, address.replaceAll('\n', ', '), vatNumber && `VAT number ${vatNumber}`]
    .filter(Boolean)
    .join(', ');

/** A name, an address and a VAT number for those who need them on their invoices. */
export function BuyerSettings() {
  const { data } = useQuery(buyerQuery);
  const [isOpen, setOpen] = useState(false);
  // The row is there from the start, so that nothing moves when the answer comes.
  const buyer = data?.buyer ?? null;
  if (data && isOpen) return <BuyerForm buyer={buyer} onClose={() => setOpen(false)} />;
  return (
    <SettingRow
      label="Details on your invoices"
      hint={
        buyer
          ? describeBuyer(buyer)
          : 'Your username and e-mail address. Add a name, an address and a VAT number if you need them.'
      }
    >
      <Button variant="line" aria-disabled={!data} onClick={() => setOpen(data !== undefined)}>
        {buyer ? 'Change details' : 'Add details'}
      </Button>
    </SettingRow>
  );
}

function BuyerForm({ buyer, onClose }: { buyer: BuyerDetails | null; onClose: () => void }) {
  const client = useQueryClient();
  async function remove() {
    try {
      client.setQueryData(buyerQuery.queryKey, await call('DELETE /api/subscription/buyer'));
      showToast({ title: 'Details removed' });
      onClose();
    } catch (error) {
      showErrorToast(error, 'Couldn’t remove the details.');
    }
  }
  return (
    <Form
      aria-label="Details on your invoices"
      className="flex max-w-xl flex-col gap-4 border-t border-line py-4"
      notice={<h3 className="font-medium">Details on your invoices</h3>}
      submitLabel="Save details"
      actions={
        <>
          {buyer && (
            <Button variant="line" onClick={() => void remove()}>
              Remove details
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
      parse={(form) => parseForm(BuyerDetails, form)}
      onSubmit={async (body) => {
        const saved = await call('PUT /api/subscription/buyer', { body });
        client.setQueryData(buyerQuery.queryKey, saved);
        showToast({ title: 'Details saved', description: 'They’ll be on your next invoice.' });
        onClose();
      }}
      failed="Couldn’t save the details."
    >
      {(errors) => (
        <>
          <Field
            label="Name"
            name="name"
            autoComplete="organization"
            defaultValue={buyer?.name}
            hint="Yours or your company’s. On invoices from now on; earlier ones stay as they are."
            error={errors.name}
          />
          <TextAreaField
            label="Address"
            name="address"
            autoComplete="street-address"
            rows={4}
            defaultValue={buyer?.address}
            error={errors.address}
          />
          <Field
            label="VAT number (optional)"
            name="vatNumber"
            inputMode="numeric"
            defaultValue={buyer?.vatNumber}
            hint="10 digits. A tax invoice above R5,000 needs the name and address, and the VAT number if you have one."
            error={errors.vatNumber}
          />
        </>
      )}
    </Form>
  );
}
