import { CouponList } from './coupon-list.tsx';
import { NewCouponForm } from './new-coupon.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useState } from 'react';
import { call } from '#web/lib/api/api.ts';
import { copyLink } from '#web/features/sharing/copy-link.ts';
import { readText } from '#web/ui/forms/parse-form.ts';
import { Form } from '#web/ui/forms/form.tsx';
import { Field, FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { Notice } from '#web/ui/notice.tsx';

export function Page() {
  return (
    <AdminFrame title="Prices" lead="Discount codes and gift links.">
      <div className="grid grid-cols-1 items-start gap-x-12 gap-y-9 @4xl/content:grid-cols-2 @double/content:grid-cols-3">
        <section aria-labelledby="new-coupon">
          <SectionHead id="new-coupon" title="New code" />
          <NewCouponForm />
        </section>
        <section aria-labelledby="new-gift">
          <SectionHead id="new-gift" title="New gift" />
          <NewGiftForm />
        </section>
        <section aria-labelledby="coupons" className="@4xl/content:@max-double/content:col-span-2">
          <SectionHead id="coupons" title="Codes" />
          <CouponList />
        </section>
      </div>
    </AdminFrame>
  );
}

function NewGiftForm() {
  const [url, setUrl] = useState<string | null>(null);
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Form
        className="flex flex-col gap-4"
        submitLabel="Create gift"
        button={{ className: 'self-start' }}
        parse={(element) => {
          const form = new FormData(element);
          return { data: { months: Number(form.get('months')), from: readText(form, 'from') } };
        }}
        onSubmit={async (body) => {
          setUrl(null);
          setUrl((await call('POST /api/admin/gifts', { body })).url);
        }}
        failed="Couldn’t create the gift."
      >
        <div className="grid gap-4 @xl/content:grid-cols-2">
          <Field
            label="Months"
            name="months"
            inputMode="numeric"
            defaultValue="1"
            hint="1 to 36."
          />
          <Field label="From" name="from" maxLength={80} hint="Shown to the recipient." />
        </div>
      </Form>
      {url && (
        <Notice tone="success" title="Gift created">
          <p className="mb-3">
            The first person to open this link gets the gift. You won’t see the link again.
          </p>
          <FieldFrame label="Gift link">
            {(control) => <input {...control} readOnly value={url} className={inputClass} />}
          </FieldFrame>
          <button type="button" className="mt-3" onClick={() => void copyLink(url)}>
            Copy link
          </button>
        </Notice>
      )}
    </div>
  );
}
