import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatDate, formatMoney } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Clock } from '#web/ui/icons.ts';
import { Notice } from '#web/ui/notice.tsx';
import { paidOnceQuery } from '#web/features/billing/api.ts';
import { returnOnceMutation } from '#web/features/billing/pay-once/api.ts';
import { formatMonths } from '#web/features/billing/pay-once/once-texts.ts';
import { useOnce } from '#web/features/billing/pay-once/pay-once-section.tsx';

const money = (cents: number): string => formatMoney(cents, CURRENCY);

/** For whoever pays once: what ends soon, didn’t arrive, or was paid twice. Each with one tap. */
export function OnceNotices() {
  const { data } = useQuery(paidOnceQuery);
  const { start, isBusy } = useOnce();
  const giveBack = useMutation({
    ...returnOnceMutation(useQueryClient()),
    onError: (error) => showErrorToast(error, 'Try again in a minute.', 'Couldn’t give it back'),
  });
  if (!data) return null;
  const { again, failed, returnable } = data;
  return (
    <div className="grid gap-3 px-gutter pt-6 empty:hidden">
      {again && (
        <Notice
          tone="warning"
          icon={Clock}
          title={`Your Premium ends on ${formatDate(again.until)}`}
          actions={
            <Button aria-disabled={isBusy} onClick={() => start(again.months, again.amount)}>
              {isBusy
                ? 'One moment…'
                : `Pay ${money(again.amount)} for ${formatMonths(again.months)}`}
            </Button>
          }
        >
          Nothing renews by itself. What you pay for now is added to the end.
        </Notice>
      )}
      {failed && (
        <Notice
          tone="warning"
          title={`Your bank didn’t make the payment of ${money(failed.amount)}`}
          actions={
            <LinkButton href={`/pricing?once=${failed.months}`} variant="line">
              Pay again
            </LinkButton>
          }
        >
          It was on its way since {formatDate(failed.at)}, and then failed. Nothing was added.
        </Notice>
      )}
      {returnable && (
        <Notice
          tone="warning"
          title={`You paid twice: ${money(returnable.amount)} came later`}
          actions={
            <Button
              variant="line"
              aria-disabled={giveBack.isPending}
              onClick={() => {
                if (giveBack.isPending) return;
                giveBack.mutate(returnable.reference, {
                  onSuccess: () =>
                    showToast({
                      title: `${money(returnable.amount)} goes back to you`,
                      description: 'Your bank may take up to ten working days to show it.',
                    }),
                });
              }}
            >
              {giveBack.isPending ? 'One moment…' : `Get ${money(returnable.amount)} back`}
            </Button>
          }
        >
          A bank payment arrived after you had paid in another way. We’ve added{' '}
          {formatMonths(returnable.months)} to your time. If you’d rather have the money, say so by{' '}
          {formatDate(returnable.until)}.
        </Notice>
      )}
    </div>
  );
}
