/** An amount as large as a numeral; screen readers hear it as text. */
export const BigAmount = ({ children }: { children: string }) => (
  <>
    <span className="sr-only">{children}</span>
    <span
      aria-hidden
      className="type-numeral text-[min(5.75rem,24vw)] text-current md:text-[128px]"
    >
      {children}
    </span>
  </>
);
