const shapes = {
  waiting: [40, 70, 55, 90, 60, 35, 80],
  nothing: [20, 20, 20, 20, 20, 20, 20],
  locked: [30, 60, 100, 60, 30],
  broken: [80, 55, 20, 0, 20, 55, 80],
} as const;

export type Glyph = keyof typeof shapes;

/** A small drawing of outlined bars for empty and error states. */
export function GlyphBars({ glyph }: { glyph: Glyph }) {
  return (
    <div aria-hidden className="mb-2 flex h-16 items-end gap-[5px]">
      {shapes[glyph].map((height, i) => (
        <i
          key={i}
          className="w-[9px] rounded-[1.5px] shadow-[inset_0_0_0_1.5px_var(--line-strong)]"
          style={{ height: `${height}%` }}
        />
      ))}
    </div>
  );
}
