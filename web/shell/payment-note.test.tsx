import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import { PaymentNote } from './payment-note.tsx';

const render = (path: string, kind: 'owed' | 'confirm' | 'ends' = 'owed'): string =>
  renderToStaticMarkup(
    <Router ssrPath={path}>
      <PaymentNote until={Date.UTC(2026, 10, 20, 10)} kind={kind} />
    </Router>,
  );

it('says by when to pay, and leads to the page that pays', () => {
  const html = render('/library');
  expect(html).toContain('Your subscription ends on 20 November unless it’s paid.');
  expect(html).toMatch(/<a href="\/subscription"[^>]*>Pay now<\/a>/);
});

it('asks to confirm what the bank wants to be confirmed', () => {
  expect(render('/', 'confirm')).toMatch(/>Confirm the payment<\/a>/);
});

it('says when months that were paid once end', () => {
  const html = render('/', 'ends');
  expect(html).toContain('Your Premium ends on 20 November. Nothing renews by itself.');
  expect(html).toMatch(/<a href="\/subscription"[^>]*>Pay for more months<\/a>/);
});

it('is not repeated on the page that pays', () => {
  expect(render('/subscription')).toBe('');
});
