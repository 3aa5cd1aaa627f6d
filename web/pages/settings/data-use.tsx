import { useEffect, useState } from 'react';
import { findDataCost, formatDataCost, formatMegabytes } from '#contract/rules/data-use.ts';
import { monthOf } from '#web/player/view/month.ts';
import { boot } from '#web/lib/store/boot.ts';
import { readDataUse, type DataUse } from '#web/offline/store/data-use.ts';
import { SettingRow } from '#web/ui/forms/settings.tsx';

/** `About 340 MB, R28.90`, and what it consists of. */
export function describeUse({ streamed, saved, unmetered }: DataUse, dataPrice: number | null) {
  const total = streamed + saved;
  if (total === 0) return { total: 'Nothing yet', parts: '' };
  const paid = Math.max(0, total - unmetered);
  const parts = [
    ...(streamed > 0 ? [`${formatMegabytes(streamed)} streamed`] : []),
    ...(saved > 0 ? [`${formatMegabytes(saved)} saved`] : []),
    ...(unmetered > 0 ? [`${formatMegabytes(Math.min(unmetered, total))} of it on Wi-Fi`] : []),
  ];
  const cost = dataPrice === null ? '' : `, ${formatDataCost(findDataCost(paid, dataPrice))}`;
  return { total: `About ${formatMegabytes(total)}${cost}`, parts: `${parts.join(', ')}. ` };
}

/** What this browser has used since the first of the month. */
export function DataUseRow() {
  const [use, setUse] = useState<DataUse | null>(null);
  useEffect(() => {
    // Without storage nothing was counted.
    readDataUse(caches, monthOf(Date.now())).then(setUse, () => undefined);
  }, []);
  const described = use && describeUse(use, boot.dataPrice);
  return (
    <SettingRow
      label="Used this month"
      hint={
        <span className="block min-h-[2lh] @2xl/content:min-h-[1lh]">
          {described?.parts}Only this browser counts it, and tells nobody.
        </span>
      }
    >
      <output className="block min-h-[1lh] font-semibold tabular">{described?.total}</output>
    </SettingRow>
  );
}
