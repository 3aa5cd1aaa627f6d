import { useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import type { SleeveFamily } from '#contract/art/sleeve-style.ts';
import { parseLookImage } from '#contract/look.ts';
import { weeksInYear } from '#contract/rules/weeks.ts';
import type { Hemisphere } from '#contract/rules/week-colour.ts';
import { LandingWords } from '#web/pages/landing/landing-words.tsx';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import type { Theme } from '#web/lib/store/theme.ts';
import { Logo } from '#web/ui/art/logo.tsx';
import { growingYear, PosterBars } from '#web/ui/art/poster-bars.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { useSettingsDraft } from '#web/admin/site/settings/settings-form.tsx';

const themes: Record<Theme, string> = { dark: 'Dark theme', light: 'Light theme' };

/** What visitors will see, before it is saved: in both themes, as on a phone. */
export const LookPreview = () => (
  <section aria-labelledby="look-preview" className="min-w-0">
    <h2 id="look-preview" className="type-section">
      Preview
    </h2>
    <div className="mt-3 grid gap-4 @xl/content:grid-cols-2">
      {(Object.keys(themes) as Theme[]).map((theme) => (
        <figure key={theme} className="min-w-0">
          <Frame theme={theme}>
            <PreviewedSite />
          </Frame>
          <figcaption className="mt-1.5 text-13 text-text-3">{themes[theme]}</figcaption>
        </figure>
      ))}
    </div>
  </section>
);

/** A window of its own, so that theme, season and width are those of the preview. Only to look at. */
function Frame({ theme, children }: { theme: Theme; children: ReactNode }) {
  const { typed } = useSettingsDraft();
  const [page, setPage] = useState<Document | null>(null);
  const logo = typed.logo ? `url("${typed.logo.preview}")` : 'none';
  return (
    <>
      <iframe
        title={`Preview, ${themes[theme].toLowerCase()}`}
        sandbox="allow-same-origin"
        srcDoc={`<!doctype html><html lang="en"${theme === 'light' ? ' data-theme="light"' : ''}><title>Preview</title>`}
        tabIndex={-1}
        className="h-[34rem] w-full rounded-panel border border-line"
        onLoad={({ currentTarget: { contentDocument } }) => {
          if (!contentDocument) return;
          for (const style of document.head.querySelectorAll('link[rel=stylesheet], style'))
            contentDocument.head.append(style.cloneNode(true));
          contentDocument.body.inert = true;
          setPage(contentDocument);
        }}
      />
      {page &&
        createPortal(
          <div
            style={{ ['--logo' as string]: logo }}
            data-hemisphere={typed.hemisphere === 'north' ? 'north' : undefined}
          >
            {children}
          </div>,
          page.body,
        )}
    </>
  );
}

const SHOWN_WEEKS = 6;

function PreviewedSite() {
  const { typed } = useSettingsDraft();
  const { year, week } = useThisWeek();
  const weeks = Array.from({ length: SHOWN_WEEKS }, (_, index) => week - index).filter(
    (each) => each > 0,
  );
  const style = {
    family: typed.sleeveFamily as SleeveFamily,
    hemisphere: typed.hemisphere as Hemisphere,
  };
  return (
    <div className="@container/content flex h-dvh flex-col overflow-hidden">
      <header className="page-header shrink-0 px-4!">
        <Logo
          siteName={typed.siteName.trim() || 'Your site'}
          logo={parseLookImage(typed.logo?.name ?? null)}
        />
      </header>
      <div className="relative flex min-h-0 flex-1 flex-col px-4 pt-8">
        <div className="absolute inset-x-0 bottom-0 h-2/5">
          <PosterBars bars={growingYear(week, weeksInYear(year))} className="gap-[1.5px]" />
        </div>
        <LandingWords
          headline={typed.headline.trim()}
          lead={typed.lead.trim()}
          hemisphere={style.hemisphere}
        />
        <p className="relative mt-5">
          <span className={buttonClass()}>Hear week {week}</span>
        </p>
      </div>
      <div className="flex shrink-0 gap-1 border-t border-line p-4">
        {weeks.map((each) => (
          <span key={each} data-week={each} className="sleeve min-w-0 flex-1">
            <img
              src={sleevePath(sleeveName(style, each))}
              alt=""
              width={400}
              height={400}
              className="size-full"
            />
          </span>
        ))}
      </div>
    </div>
  );
}
