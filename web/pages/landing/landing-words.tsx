import type { Hemisphere } from '#contract/rules/week-colour.ts';
import { fitTitle } from '#web/ui/title-fit.ts';
import { colours } from './colours.ts';

type LandingWordsProps = {
  /** The operator’s; empty for the product’s. */
  headline: string;
  lead: string;
  hemisphere: Hemisphere;
  end?: string;
};

/** The first words that a visitor reads. */
export const LandingWords = ({ headline, lead, hemisphere, end }: LandingWordsProps) => (
  <>
    <Headline headline={headline} />
    <p className="relative mt-6 max-w-[40ch] text-16 leading-[1.45] break-words md:mt-[38px] md:text-18">
      {lead ||
        `A DJ mix for every week of the year. Each week has its own number and its own colour, ${colours[hemisphere].lead}.`}
      {end}
    </p>
  </>
);

/** The operator’s own, in the largest letters that fit, or the product’s. */
function Headline({ headline }: { headline: string }) {
  if (headline)
    return (
      <h1
        style={fitTitle(headline)}
        className="relative type-poster title-fit [--title-max:44vw] [--title-room:calc(100vw-2rem)] md:[--title-max:min(15vw,210px)] md:[--title-room:calc(100vw-6rem)]"
      >
        {headline}
      </h1>
    );
  // The margin below is what a line has under its letters.
  return (
    <h1 className="relative -mb-[0.1225em] -ml-[3px] type-poster text-[44vw] leading-[0.8] whitespace-nowrap md:-ml-1.5 md:text-[min(21vw,302px)]">
      <span className="block">One mix </span>
      <span className="mt-[0.11em] block">a week.</span>
    </h1>
  );
}
