import type { WeekBar } from '#contract/rules/year-bars.ts';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Button, buttonClass } from './button.tsx';
import { GlyphBars } from './art/glyph-bars.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorFallback } from './error-boundary.tsx';
import { Field, PasswordField } from './forms/field.tsx';
import { IconButton } from './icon-button.tsx';
import { Loader } from './loader.tsx';
import { Notice } from './notice.tsx';
import { Segmented } from './forms/segmented.tsx';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import { Sleeve, SleeveSheet, WeekSleeve } from './art/sleeve.tsx';
import { YearBars } from './art/year-bars.tsx';

const render = (element: ReactElement) => renderToStaticMarkup(element);
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
    .trim();
const attribute = (html: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1];

describe('texts fixed by the specification', () => {
  it('names the site while loading, also for screen readers', () => {
    const html = render(<Loader siteName="Some Site" />);
    expect(textOf(html)).toBe('Loading Some Site…');
    expect(html).toContain('role="status"');
  });

  it('explains a failed section and offers a retry', () => {
    const html = render(<ErrorFallback onRetry={() => undefined} />);
    expect(textOf(html)).toBe(
      "Something went wrong We're sorry, but there was an error in this component. Try refreshing the page or clicking the button below. Try Again",
    );
  });

  it('says No Cover on a drawn sleeve, and never on an uploaded cover', () => {
    const cover = <Sleeve week={46} coverUrl="/media/c.webp" caption="No Cover" />;
    expect(textOf(render(<Sleeve week={46} caption="No Cover" />))).toBe('No Cover');
    expect(textOf(render(cover))).toBe('');
  });
});

describe('fields', () => {
  it('connect label, input and error', () => {
    const html = render(<Field label="Email" name="email" error="Add the part after the dot." />);
    const id = attribute(html, 'id');
    expect(attribute(html, 'for')).toBe(id);
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain(`<p id="${attribute(html, 'aria-describedby')}"`);
    expect(textOf(html)).toContain('Add the part after the dot.');
  });

  it('show the hint only while there is no error', () => {
    expect(textOf(render(<Field label="Name" hint="Up to 30 letters" />))).toContain('Up to 30');
    expect(
      textOf(render(<Field label="Name" hint="Up to 30 letters" error="Too long." />)),
    ).not.toContain('Up to 30');
    expect(render(<Field label="Name" />)).not.toContain('aria-describedby');
  });

  it('hide a password and offer to show it', () => {
    const html = render(<PasswordField label="Password" autoComplete="new-password" />);
    expect(html).toContain('type="password"');
    expect(html).toContain('autoComplete="new-password"');
    expect(html).toContain('aria-label="Show password"');
  });
});

describe('controls', () => {
  it('submit a form only with type submit', () => {
    expect(render(<Button>Play</Button>)).toContain('type="button"');
    expect(render(<Button type="submit">Log in</Button>)).toContain('type="submit"');
    expect(render(<IconButton label="Close">x</IconButton>)).toContain('type="button"');
  });

  it('have a name even if they only show an icon', () => {
    expect(render(<IconButton label="Add to favorites">x</IconButton>)).toContain(
      'aria-label="Add to favorites"',
    );
  });

  it('look the same as links and as buttons', () => {
    expect(render(<Button variant="line">Login</Button>)).toContain(
      buttonClass({ variant: 'line' }).replaceAll('&', '&amp;'),
    );
  });

  it('form one radio group when they are exclusive', () => {
    const html = render(
      <Segmented
        label="Billing"
        value="annual"
        onValueChange={() => undefined}
        options={[
          { value: 'monthly', label: 'Monthly' },
          { value: 'annual', label: 'Annual' },
        ]}
      />,
    );
    expect(html.match(/type="radio"/g)).toHaveLength(2);
    expect(new Set([...html.matchAll(/ name="([^"]+)"/g)].map((match) => match[1])).size).toBe(1);
    expect(html).toMatch(/checked="" value="annual"|value="annual" checked=""/);
    expect(textOf(html)).toBe('Billing Monthly Annual');
  });
});

describe('messages', () => {
  it('are alerts for problems and statuses for good news', () => {
    expect(render(<Notice tone="danger" title="You’re offline" />)).toContain('role="alert"');
    expect(render(<Notice tone="success" title="Saved" />)).toContain('role="status"');
  });

  it('use the given heading level for an empty state', () => {
    const empty = (headingLevel: 2 | 3) =>
      render(
        <EmptyState title="No favorites yet" text="Tap a heart." headingLevel={headingLevel} />,
      );
    expect(empty(2)).toContain('<h2');
    expect(empty(3)).toContain('<h3');
  });
});

describe('week parts', () => {
  it('draw nothing as dashes, which outlines as low would not look like', () => {
    const bars = (glyph: 'nothing' | 'broken') =>
      attribute(render(<GlyphBars glyph={glyph} />), 'd')
        ?.split('M')
        .slice(1);
    expect(bars('nothing')).toHaveLength(7);
    for (const bar of bars('nothing') ?? []) expect(bar).toContain('v-1.5h');
    expect(bars('broken')).toHaveLength(6);
  });

  it('give a sleeve its week and show an uploaded cover unchanged', () => {
    expect(render(<Sleeve week={46} />)).toContain('data-week="46"');
    const html = render(<Sleeve week={46} coverUrl="/media/c.webp" title="Salt" />);
    expect(html).toContain('src="/media/c.webp"');
    expect(html).toContain('alt="Cover of Salt"');
  });

  it('have the drawing of a sleeve in the page, and load early only what is looked at first', () => {
    const html = render(<Sleeve week={46} trackId="t1" />);
    expect(html).toContain(`src="${sleevePath(sleeveName(style, 46, 't1'))}"`);
    expect(html).toMatch(/width="400" height="400" loading="lazy"/);
    expect(html).not.toContain('data:');
    const first = render(<Sleeve isFirst week={46} />);
    expect(first).toMatch(/fetchPriority="high"/i);
    expect(first).not.toContain('lazy');
  });

  it('are parts of one file in a short list, except uploaded covers', () => {
    const tracks = [
      { id: 'a', weekNumber: 46, coverUrl: null },
      { id: 'b', weekNumber: 45, coverUrl: '/media/c.webp' },
      { id: 'c', weekNumber: 44, coverUrl: null },
    ];
    const html = render(
      <SleeveSheet tracks={tracks}>
        {tracks.map(({ id, weekNumber, coverUrl }) => (
          <Sleeve key={id} week={weekNumber} trackId={id} coverUrl={coverUrl} />
        ))}
      </SleeveSheet>,
    );
    const sheet = sleevePath(sleeveName(style, 46, 'a'), sleeveName(style, 44, 'c'));
    expect([...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      sheet,
      '/media/c.webp',
      sheet,
    ]);
    // Nothing of the sleeve beside it, wherever the browser rounds.
    expect(html).toContain(
      'width:calc(2 * (100% + 2px));height:calc(100% + 2px);left:calc(-1 * (100% + 2px) - 1px)',
    );
  });

  it('cut the sleeves of a wall from files of a few weeks', () => {
    const html = render(
      <>
        {[1, 8, 9, 53].map((week) => (
          <WeekSleeve key={week} week={week} />
        ))}
      </>,
    );
    const [first, next, last] = [
      [1, 8],
      [9, 16],
      [49, 53],
    ].map(([from = 0, to = 0]) =>
      sleevePath(...Array.from({ length: to - from + 1 }, (_, i) => String(from + i))),
    );
    expect([...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      first,
      first,
      next,
      last,
    ]);
    expect(html).toContain('left:calc(-7 * (100% + 2px) - 1px)');
    expect(html).toContain('left:calc(-4 * (100% + 2px) - 1px)');
  });

  it('draw the year with one element per week', () => {
    const bars = Array.from({ length: 53 }, (_, i): WeekBar => ({ week: i + 1, state: 'started' }));
    const html = render(<YearBars year={2026} bars={bars} pointedWeek={3} frame={{}} />);
    expect(html.match(/<i\b/g)).toHaveLength(54);
    expect(html.match(/--share:50.0%/g)).toHaveLength(53);
  });

  it('present the year as one image to screen readers', () => {
    const html = render(
      <YearBars
        year={2026}
        currentWeek={2}
        frame={{ role: 'img', 'aria-label': '1 of 2 mixes heard' }}
        bars={[
          { week: 1, state: 'finished' },
          { week: 2, state: 'unplayed' },
          { week: 3, state: 'coming' },
        ]}
      />,
    );
    expect(html).toContain('role="img" aria-label="1 of 2 mixes heard"');
    expect(textOf(html)).toMatch(/^Week 2 Jan Feb/);
    expect(html).toContain('repeat(53, minmax(0, 1fr))');
  });
});
