import { Fragment, type ReactNode } from 'react';
import type { SettingName, SiteSettings } from '#contract/admin/settings.ts';
import { isImage } from './setting-fields.ts';
import { SettingInput } from './setting-input.tsx';
import { listGroups, type SettingGroup, type SettingPage } from './setting-pages.ts';
import { SettingsForm } from './settings-form.tsx';

/** Its name above or beside its fields. */
export const groupClass =
  'grid min-w-0 gap-x-10 gap-y-5 @3xl/content:grid-cols-[200px_minmax(0,520px)]';

/** Two columns in a very wide window. */
const groupsClass = 'grid items-start gap-x-14 gap-y-9 *:min-w-0 @double/content:grid-cols-2';

type Additions = Partial<Record<SettingName, ReactNode>>;

const Group = ({ title, fields, below }: SettingGroup & { below: Additions }) => (
  <fieldset className={groupClass}>
    <legend className="float-left type-section">{title}</legend>
    <div className="flex flex-col gap-5 @3xl/content:col-start-2">
      {fields.map(
        (name) =>
          name !== 'links' &&
          !isImage(name) && (
            <Fragment key={name}>
              <SettingInput name={name} />
              {below[name]}
            </Fragment>
          ),
      )}
    </div>
  </fieldset>
);

type SettingsPanelProps = {
  page: SettingPage;
  onSaved?: (saved: SiteSettings) => void;
  /** What else there is to say about a setting. */
  below?: Additions;
};

/** The settings of a page, group by group. */
export const SettingsPanel = ({ page, onSaved, below = {} }: SettingsPanelProps) => (
  <SettingsForm page={page} onSaved={onSaved}>
    <div className={groupsClass}>
      {listGroups(page).map((group) => (
        <Group key={group.title} {...group} below={below} />
      ))}
    </div>
  </SettingsForm>
);
