import { useQuery } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { RouteOutput } from '#contract/route.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatDateTime } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';

export function Page() {
  return (
    <AdminFrame title="System" lead="In demo mode e-mails land here instead of being sent.">
      {boot.demo ? (
        <Outbox />
      ) : (
        <EmptyState
          glyph="locked"
          title="E-mails are sent"
          text="Outside demo mode, e-mails are private. To check that they arrive, send a test message from the settings page."
        />
      )}
    </AdminFrame>
  );
}

/** In demo mode e-mails aren't sent; administrators read them here. */
function Outbox() {
  const query = useQuery(apiQuery('GET /api/admin/outbox', { query: {} }));
  return (
    <section aria-labelledby="outbox">
      <h2 id="outbox" className="sr-only">
        Outbox
      </h2>
      <Loaded
        query={query}
        failed="Couldn’t load the outbox."
        skeleton={<PanelRowsSkeleton rows={3} />}
      >
        {({ items }) => <Messages messages={items} />}
      </Loaded>
    </section>
  );
}

function Messages({ messages }: { messages: RouteOutput<Api['GET /api/admin/outbox']>['items'] }) {
  if (messages.length === 0)
    return (
      <EmptyState
        title="No e-mails yet"
        text="Without a mail server, e-mails such as password resets appear here instead of being sent."
        headingLevel={3}
      />
    );
  return (
    <ol className="flex flex-col gap-0.5">
      {messages.map((message) => (
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
  );
}
