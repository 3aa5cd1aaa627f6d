import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryNotice } from '#web/ui/notice.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import { formatDateTime } from '#web/lib/format/format.ts';
import { outboxQuery } from './api.ts';

/** In demo mode e-mails aren't sent; administrators read them here. */
export function OutboxPanel({ isTitleHidden = false }) {
  const { data, error, refetch } = useQuery(outboxQuery);
  return (
    <section aria-labelledby="outbox">
      {isTitleHidden ? (
        <h2 id="outbox" className="sr-only">
          Outbox
        </h2>
      ) : (
        <SectionHead id="outbox" title="Outbox" />
      )}
      {error && !data && (
        <RetryNotice title="Couldn’t load the outbox." onRetry={() => void refetch()} />
      )}
      {!data && !error && <PanelRowsSkeleton rows={3} />}
      {data?.items.length === 0 && (
        <EmptyState
          title="No e-mails yet"
          text="Without a mail server, e-mails such as password resets appear here instead of being sent."
          headingLevel={3}
        />
      )}
      <ol className="flex flex-col gap-0.5">
        {data?.items.map((message) => (
          <li key={message.id} className="bg-surface p-5">
            <h3 className="font-semibold">{message.subject}</h3>
            <p className="type-meta">
              To {message.to}, {formatDateTime(message.sentAt)}
            </p>
            <p className="mt-3 max-w-[72ch] break-words whitespace-pre-wrap text-text-2">
              {message.text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
