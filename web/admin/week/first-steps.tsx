import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import {
  SKIPPABLE_STEPS,
  type FirstStepName,
  type SkippableStep,
} from '#contract/admin/first-steps.ts';
import type { FirstSteps } from '#contract/admin/week.ts';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { boot } from '#web/lib/store/boot.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Code } from './code.tsx';
import { firstStepsQuery, refreshWeek, skipStep } from './api.ts';
import { PaymentsGuide } from './payments-guide.tsx';

const names: Record<FirstStepName, string> = {
  look: 'Name and look',
  release: 'First mix',
  mail: 'E-mail',
  seller: 'Seller details',
  payments: 'Payments',
  purchase: 'Buy a month yourself',
  people: 'Invite people',
};

/** Neither done nor skipped. */
export const listLeft = ({ steps }: FirstSteps): FirstStepName[] =>
  steps.flatMap(({ name, isDone, isSkipped }) => (isDone || isSkipped ? [] : [name]));

const linkClass = 'text-text underline underline-offset-4';

type FirstStepsProps = {
  steps: FirstSteps;
  /** A mix is on the page. */
  hasMix: boolean;
  isWide: boolean;
};

/** What is left before the first listener, what happens without it, and where to do it. */
export function FirstStepsPanel({ steps, hasMix, isWide }: FirstStepsProps) {
  const left = listLeft(steps);
  const done = steps.steps.filter(({ isDone }) => isDone);
  return (
    <section
      aria-labelledby="first-steps"
      className="flex min-w-0 flex-col gap-4 bg-surface p-4 @3xl/content:p-[22px]"
    >
      <div>
        <h2 id="first-steps" className="type-section">
          Before the first listener
        </h2>
        <p className="mt-1 text-13 text-text-2">
          {done.length} of {steps.steps.length} done
          {done.length > 0 && `: ${done.map(({ name }) => names[name]).join(', ')}`}
        </p>
        <div aria-hidden className="mt-3 flex gap-[3px]">
          {steps.steps.map(({ name, isDone }) => (
            <i
              key={name}
              className={`h-3 flex-1 rounded-[1.5px] ${isDone ? 'bg-text-2' : 'shadow-[inset_0_0_0_1.5px_var(--line-strong)]'}`}
            />
          ))}
        </div>
      </div>
      <ol className={isWide ? 'gap-x-14 @4xl/content:columns-2' : ''}>
        {left.map((name) => (
          <Step key={name} name={name} steps={steps} hasMix={hasMix} />
        ))}
      </ol>
    </section>
  );
}

const isSkippable = (name: FirstStepName): name is SkippableStep =>
  SKIPPABLE_STEPS.some((one) => one === name);

type StepProps = { name: FirstStepName; steps: FirstSteps; hasMix: boolean };

function Step({ name, steps, hasMix }: StepProps) {
  const client = useQueryClient();
  const skip = useMutation({
    mutationFn: (step: SkippableStep) => skipStep(step, true),
    onSuccess: (changed) => client.setQueryData(firstStepsQuery.queryKey, changed),
    onError: (error) => showErrorToast(error, 'Check your connection and try again.'),
  });
  const Body = bodies[name];
  return (
    <li className="grid break-inside-avoid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-t border-line py-3.5">
      <div className="min-w-0">
        <h3 className="font-semibold">{names[name]}</h3>
        <div className="mt-0.5 flex max-w-[64ch] flex-col items-start gap-2.5 text-text-2">
          <Body steps={steps} hasMix={hasMix} />
        </div>
      </div>
      {isSkippable(name) && (
        <Button
          size="sm"
          variant="quiet"
          className="-mt-2.5 -mr-4"
          aria-label={`Skip: ${names[name]}`}
          disabled={skip.isPending}
          onClick={() => skip.mutate(name)}
        >
          Skip
        </Button>
      )}
    </li>
  );
}

type Body = (props: { steps: FirstSteps; hasMix: boolean }) => ReactNode;

const LookBody: Body = () => (
  <p>
    Visitors read “{boot.siteName}”.{' '}
    <Link href="/admin/settings" className={linkClass}>
      Give the site its name
    </Link>
  </p>
);

const ReleaseBody: Body = ({ hasMix }) => (
  <p>
    Without one there is nothing to hear.{' '}
    {hasMix ? (
      'Publish the one above.'
    ) : (
      <>
        Drop a file above, or use{' '}
        <Link href="/admin/upload" className={linkClass}>
          Upload
        </Link>{' '}
        for several.
      </>
    )}
  </p>
);

function MailBody({ steps: { mailFrom, origin, isPublic } }: { steps: FirstSteps }) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => call('POST /api/admin/settings/test-mail'),
    retry: false,
    onSuccess: () => refreshWeek(client),
  });
  if (mailFrom === null)
    return (
      <>
        <p>
          There is no mail server, so nobody gets a receipt, a link for a forgotten password, or
          news of a mix. On the server, set these and restart:
        </p>
        <Code name="Settings">
          {`SMTP_URL=smtps://user:password@mail.example:465\nMAIL_FROM=hello@${isPublic ? new URL(origin).hostname : 'music.example'}`}
        </Code>
      </>
    );
  return (
    <>
      <p>E-mails come from {mailFrom}, but nobody has tried whether they arrive.</p>
      <Button size="sm" variant="line" disabled={send.isPending} onClick={() => send.mutate()}>
        Send a test
      </Button>
      {send.error && (
        <Notice tone="danger" title={describeFailure(send.error, 'Couldn’t send the message.')} />
      )}
    </>
  );
}

const SellerBody: Body = ({ steps: { missingSeller } }) => (
  <p>
    Invoices and the{' '}
    <Link href="/contact" className={linkClass}>
      contact page
    </Link>{' '}
    lack your {joinWords(missingSeller)}: the law wants to know who sells.{' '}
    <Link href="/admin/settings/seller" className={linkClass}>
      Enter who sells
    </Link>
  </p>
);

const PaymentsBody: Body = ({ steps }) => <PaymentsGuide steps={steps} />;

function PurchaseBody({ steps: { purchase, isTestMode } }: { steps: FirstSteps }) {
  const { user } = useCurrentUser();
  if (purchase === 'paid')
    return (
      <p>
        It was paid. Now give it back: press “Refund” beside the invoice on{' '}
        <Link href={`/admin/subscribers/${user?.id ?? ''}`} className={linkClass}>
          your own page
        </Link>
        .
      </p>
    );
  if (isTestMode)
    return (
      <p>
        Once payments are connected, buy a month with your own card and refund it: only that shows
        that money arrives and goes back. To see what members see,{' '}
        <Link href="/pricing" className={linkClass}>
          try it with a test card
        </Link>
        .
      </p>
    );
  return (
    <p>
      Nobody has tried whether money arrives and goes back.{' '}
      <Link href="/pricing" className={linkClass}>
        Buy a month yourself
      </Link>
      , then refund it.
    </p>
  );
}

const PeopleBody: Body = () => (
  <p>
    Nobody but you has an account. Send people the address of the{' '}
    <Link href="/landing" className={linkClass}>
      landing page
    </Link>
    , or{' '}
    <Link href="/admin/subscribers/import" className={linkClass}>
      import members
    </Link>{' '}
    from Patreon, Ghost or a list.
  </p>
);

const bodies: Record<FirstStepName, Body> = {
  look: LookBody,
  release: ReleaseBody,
  mail: MailBody,
  seller: SellerBody,
  payments: PaymentsBody,
  purchase: PurchaseBody,
  people: PeopleBody,
};

/** `legal name, address and phone number` */
const joinWords = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' and $1');
