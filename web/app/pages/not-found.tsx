import { LinkButton } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';

export function Page() {
  return (
    <EmptyPage
      title="Page not found"
      empty={{
        glyph: 'nothing',
        title: 'Nothing plays here',
        children: 'The link may be mistyped, or the page has moved.',
        action: <LinkButton href="/">Go home</LinkButton>,
      }}
    />
  );
}
