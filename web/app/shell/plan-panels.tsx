import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PREVIEW_TEXT } from '#contract/rules/preview.ts';

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="mb-2 flex flex-col rounded-panel border border-line p-3 text-13 leading-snug text-text-2"
    >
      <h2 className="pb-1.5 text-12 font-semibold text-text-3">{title}</h2>
      {children}
    </section>
  );
}

const leadClass = 'text-14 font-semibold text-text';

export function SubscriptionPanel({ user }: { user: User }) {
  return (
    <Panel title="Subscription">
      <strong className={leadClass}>{user.isSubscriber ? 'Premium' : 'Free'}</strong>
      {user.isSubscriber ? (
        <p>Full access to all content</p>
      ) : (
        <>
          <p>{PREVIEW_TEXT}s</p>
          <Link href="/pricing" className={buttonClass({ size: 'sm', className: 'mt-2.5' })}>
            Upgrade to Premium
          </Link>
        </>
      )}
    </Panel>
  );
}

export function PublicAccessPanel() {
  return (
    <Panel title="Public Access">
      <strong className={leadClass}>You’re listening as a guest</strong>
      <p>{PREVIEW_TEXT}s of every mix. Log in to save favorites and pick up where you left off.</p>
      <Link href="/register" className={buttonClass({ size: 'sm', className: 'mt-2.5' })}>
        Register
      </Link>
      <Link
        href="/login"
        className={buttonClass({ variant: 'line', size: 'sm', className: 'mt-1.5' })}
      >
        Login
      </Link>
    </Panel>
  );
}
