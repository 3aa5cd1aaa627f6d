import { Link } from 'wouter';
import type { SiteSettings } from '#contract/admin/settings.ts';
import { lookImagePath, parseLookImage } from '#contract/look.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { SettingInput } from '#web/admin/site/settings/setting-input.tsx';
import { isImage } from '#web/admin/site/settings/setting-fields.ts';
import { listGroups } from '#web/admin/site/settings/setting-pages.ts';
import { SettingsForm } from '#web/admin/site/settings/settings-form.tsx';
import { boot, changeBoot } from '#web/lib/store/boot.ts';
import { ImageSetting } from './image-setting.tsx';
import { LinksSetting } from './links-setting.tsx';
import { LookPreview } from './look-preview.tsx';

/** The page that is open has the new look too. */
function showLook({ values }: SiteSettings): void {
  const { siteName, headline, lead, logo, sleeveFamily, hemisphere } = values;
  const { aboutText, sentence, picture, links, isAboutPublic } = values;
  const hasAbout = aboutText !== '' || sentence !== '' || picture !== null || links.length > 0;
  const { dataset, style } = document.documentElement;
  if (hemisphere === 'north') dataset.hemisphere = 'north';
  else delete dataset.hemisphere;
  style.setProperty('--logo', logo ? `url("${lookImagePath({ name: logo })}")` : 'none');
  changeBoot({
    siteName,
    look: {
      ...boot.look,
      headline,
      lead,
      logo: parseLookImage(logo),
      sleeves: { family: sleeveFamily, hemisphere },
      about: hasAbout ? (isAboutPublic ? 'everyone' : 'members') : null,
    },
  });
}

export function Page() {
  return (
    <AdminFrame
      title="Look"
      lead={
        <>
          Your name, your logo and your words, everywhere people meet you. Once saved, see your{' '}
          <Link href="/landing" className="underline underline-offset-4">
            landing page
          </Link>{' '}
          and your{' '}
          <Link href="/about" className="underline underline-offset-4">
            About page
          </Link>
          .
        </>
      }
    >
      <SettingsForm page="look" onSaved={showLook}>
        <div className="grid items-start gap-x-14 gap-y-10 @5xl/content:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
          <div className="grid min-w-0 gap-10 @double/content:grid-cols-2">
            {listGroups('look').map(({ title, fields }) => (
              <fieldset key={title} className="min-w-0">
                <legend className="mb-4 type-section">{title}</legend>
                <div className="grid gap-6">
                  {fields.map((name) =>
                    name === 'links' ? (
                      <LinksSetting key={name} />
                    ) : isImage(name) ? (
                      <ImageSetting key={name} name={name} />
                    ) : (
                      <SettingInput key={name} name={name} rows={name === 'aboutText' ? 10 : 3} />
                    ),
                  )}
                </div>
              </fieldset>
            ))}
          </div>
          <div className="min-w-0 @5xl/content:sticky @5xl/content:top-24">
            <LookPreview />
          </div>
        </div>
      </SettingsForm>
    </AdminFrame>
  );
}
