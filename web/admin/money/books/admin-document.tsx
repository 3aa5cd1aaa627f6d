import type { ComponentProps } from 'react';
import { Loaded } from '#web/ui/loaded.tsx';
import { usePageTitle } from '#web/router/use-page-title.ts';
import { DocumentView } from '#web/features/billing/documents/document-page.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { LeadSkeleton } from '#web/admin/admin-skeletons.tsx';

const back = { href: '/admin/books', label: 'Back to the books' };

type AdminDocumentProps<Data> = Pick<ComponentProps<typeof Loaded<Data>>, 'query'> & {
  name: 'Invoice' | 'Credit note';
  /** Once it has loaded. */
  number: string | undefined;
  /** Unless it is the name: `Debit note`. */
  title?: string | undefined;
  renderView: (data: Data) => ViewProps & Partial<Pick<ViewProps, 'back'>>;
};
type ViewProps = Omit<ComponentProps<typeof DocumentView>, 'back'> & {
  back?: ComponentProps<typeof DocumentView>['back'];
};

/** A member's document; of the frame around it nothing is printed. */
export function AdminDocument<Data>(props: AdminDocumentProps<Data>) {
  const { name, number, title = name, query, renderView } = props;
  usePageTitle(number && `${title} ${number}`);
  return (
    <AdminFrame title={title} lead={number ?? (!query.error && <LeadSkeleton />)}>
      <Loaded
        query={query}
        failed={`Couldn’t load this ${name.toLowerCase()}.`}
        missing={{
          title: `${name} not found`,
          text: 'It never existed, or the address is wrong.',
          link: { href: '/admin/books', label: 'Books' },
        }}
        skeleton={<DocumentView back={back}>{null}</DocumentView>}
      >
        {(data) => <DocumentView back={back} {...renderView(data)} />}
      </Loaded>
    </AdminFrame>
  );
}
