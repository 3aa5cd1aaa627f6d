import { CouponList } from './coupon-list.tsx';
import { NewCouponForm } from './new-coupon.tsx';
import { NewGiftForm } from './new-gift.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

export function Page() {
  return (
    <AdminFrame title="Coupons" lead="Discount codes and gift links.">
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
