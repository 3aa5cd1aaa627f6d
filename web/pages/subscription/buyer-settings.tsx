import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BuyerDetails } from '#contract/paying/invoices.ts';
import { call } from '#web/lib/api/api.ts';
import { useForm } from '#web/ui/forms/use-form.ts';
import { parseForm } from '#web/ui/forms/parse-form.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { SettingRow } from '#web/ui/forms/settings.tsx';
import { Notice } from '#web/ui/notice.tsx';
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
  const { submit, errors, failure, isSending, clearOnInput } = useForm({
    parse: (form) => parseForm(BuyerDetails, form),
    onSubmit: async (body) => {
      client.setQueryData(buyerQuery.queryKey, await call('PUT /api/subscription/buyer', { body }));
      showToast({ title: 'Details saved', description: 'They’ll be on your next invoice.' });
      onClose();
    },
    failed: 'Couldn’t save the details.',
  });
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
    <form
      noValidate
      aria-label="Details on your invoices"
      onSubmit={submit}
      onInput={clearOnInput}
      className="flex max-w-xl flex-col gap-4 border-t border-line py-4"
    >
      <h3 className="font-medium">Details on your invoices</h3>
      {failure && <Notice tone="danger" title={failure} />}
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={isSending}>
          Save details
        </Button>
        {buyer && (
          <Button variant="line" onClick={() => void remove()}>
            Remove details
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
