import type { ReactNode } from 'react';
import { ApiError, describeFailure } from '#web/lib/api/api.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryNotice } from '#web/ui/notice.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

type AdminDocumentProps = {
  title: string;
  name: 'Invoice' | 'Credit note';
  error: Error | null;
  onRetry: () => void;
  children: ReactNode;
};

/** A member's document; of the frame around it nothing is printed. */
export function AdminDocument({ title, name, error, onRetry, children }: AdminDocumentProps) {
  if (!error) return <AdminFrame title={title}>{children}</AdminFrame>;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <AdminFrame title={title}>
      {isMissing ? (
        <EmptyState
          glyph="nothing"
          title={`${name} not found`}
          text="It never existed, or the address is wrong."
          link={{ href: '/admin/books', label: 'Books' }}
        />
      ) : (
        <RetryNotice
          title={describeFailure(error, `Couldn’t load this ${name.toLowerCase()}.`)}
          onRetry={onRetry}
        />
      )}
    </AdminFrame>
  );
}
