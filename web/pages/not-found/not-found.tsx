import { EmptyPage } from '#web/ui/empty-state.tsx';

export function Page() {
  return (
    <EmptyPage
      pageTitle="Page not found"
      glyph="nothing"
      title="Nothing plays here"
      text="The link may be mistyped, or the page has moved."
      link={{ href: '/', label: 'Go home', variant: 'primary' }}
    />
  );
}
