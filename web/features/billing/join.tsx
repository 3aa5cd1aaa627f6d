import { useQuery } from '@tanstack/react-query';
import { plansQuery } from './api.ts';
import { checkoutPath } from './checkout/checkout-path.ts';
import { formatPlanPrice } from './plans/plan-texts.ts';
import { withNext } from '#web/lib/location/next-path.ts';
import { LinkButton } from '#web/ui/button.tsx';

/** An account or Premium, for someone who has just heard what that is for. */
export function Join({ title, next }: { title: string; next: string }) {
  const { data: plans } = useQuery(plansQuery);
  const premium = checkoutPath({ plan: 'monthly', coupon: null, isStarted: true, next });
  const price = plans ? `, ${formatPlanPrice('monthly', plans)}` : '';
  return (
    <section aria-labelledby="join" className="flex flex-col gap-3">
      <h2 id="join" className="type-title text-[2.125rem] @lg/content:text-[2.75rem]">
        {title}
      </h2>
      <p className="text-text-2">
        Free account: previews of every mix, favorites and playlists. No card needed.
      </p>
      <div className="mt-1 flex flex-col gap-3">
        <LinkButton href={withNext('/register', next)} size="lg" isBlock>
          Create a free account
        </LinkButton>
        <LinkButton href={withNext('/register', premium)} variant="line" size="lg" isBlock>
          Premium{price}
        </LinkButton>
      </div>
    </section>
  );
}
