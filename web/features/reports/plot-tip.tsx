type Description = { title: string; lines: readonly { label: string; value: string }[] };

type PlotTipProps<Point> = {
  describe: (point: Point) => Description;
  /** Both are given by the plot. */
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
};

/** What stands under the pointer, or where the arrow keys are. */
export function PlotTip<Point>({ describe, active, payload }: PlotTipProps<Point>) {
  const point = payload?.[0]?.payload as Point | undefined;
  if (!active || !point) return null;
  const { title, lines } = describe(point);
  return (
    <div className="rounded-panel bg-overlay px-3 py-2 text-13 text-text shadow-overlay">
      <p className="font-semibold">{title}</p>
      {lines.map(({ label, value }) => (
        <p key={label} className="text-text-2">
          {label}: <span className="tabular-nums">{value}</span>
        </p>
      ))}
    </div>
  );
}
