import type { LegalPageName } from '#contract/legal-pages.ts';

/**
 * What the pages say until an administrator edits them: plain English for a South African seller. The
 * words in braces are filled in from the settings, so that the pages always state the site’s rules.
 */
export const defaultTexts: Record<LegalPageName, string> = {
  terms: `These terms are a contract between you and {sellerName} (“we”), who runs {siteName}. By creating an account or paying for Premium you accept them. How to reach us is on the [contact page](/contact).

## What you get

{siteName} publishes DJ mixes every week. Everyone can hear a short preview of each mix for free. Premium plays every mix in full, for as long as it is paid for. {filesRule}

The music is for your own listening. You may not sell it, publish it or play it in public, and you may not share your account. The rights stay with the artists and with us.

## Your account

Give us a working e-mail address, because receipts and notices go there. Keep your password to yourself. You must be 18, or have the permission of a parent or guardian, to pay for Premium. You can delete your account at any time in Settings.

## What it costs

Premium costs {monthlyPrice} a month or {annualPrice} a year. {vatRule} {trialRule}

The amount and the date of every payment are shown before you pay and on your subscription page. You pay by card on the secure page of our payment provider; we never see or store your card number. You get an invoice for each payment.

## Renewing

A subscription renews for the same period until you cancel. {renewalRule}

If a payment fails, you keep Premium for {graceDays} more days. We tell you by e-mail and try your card again during the next five days; you can also pay at once on your subscription page, with any card. If nothing has been paid by then, your subscription ends and you owe nothing.

If we change the price, we tell you by e-mail before it applies to you, and you can cancel before then.

## Cancelling

You can cancel at any time on your subscription page, with two clicks and without giving a reason. You keep Premium until the end of the period you paid for, and nothing more is charged.

{coolingOffRule} The details are in the [refund policy](/refunds).

## If something goes wrong

We work to keep {siteName} running, but it can be down for a while. If Premium doesn’t work as described, tell us: we fix it or refund what you paid for the time without it. Nothing in these terms takes away rights that the Consumer Protection Act or the Electronic Communications and Transactions Act gives you.

We may close an account that is used to break the law or these terms. Then we refund what was paid for the time left, unless the account was used for fraud.

## Changing these terms

Each version has a date, and earlier versions stay readable below. If we change the terms, we tell members on the site. The version you accepted applies to what you paid for before the change.

## Law and complaints

South African law applies. Please write to us first, at {sellerEmail}. You can also complain to the National Consumer Commission.`,

  privacy: `{sellerName} (“we”) is responsible for your personal information on {siteName}, under the Protection of Personal Information Act (POPIA). Questions and requests: {sellerEmail}, or any way on the [contact page](/contact).

## What we keep, and why

- **Your account**: username, e-mail address, a one-way hash of your password, your picture if you add one, and your settings. Without them there is no account.
- **What you listen to**: plays, positions, favorites, playlists and downloads. They give you your history and your library, and us the charts and the figures by which rights holders are paid: which parts of a mix were heard on a day, without who heard them.
- **What you write**: the moments that you leave at a mix, if the site has them. Other members read them with your username until you delete them.
- **Payments**: plan, amounts, dates, invoices, and the brand, the last four digits and the expiry date of your card. Our payment provider processes the card or the bank payment itself; we never see a whole card number or your bank login.
- **Gifts**: the e-mail address of whoever buys one, the address it is sent to if they choose that, and their words on the card.
- **Logins**: the address and the browser of each session, so that you can see and end them.
- **The server’s log**: the address of each request, and your account when you log in or change something, but not what you listen to. It helps us find faults and break-ins, and is deleted after a while.
- **Use of the site**: pages and features used, kept for {eventsDays} days. You can switch this off in Settings, and we respect Do Not Track.
- **Complaints**: who complained about a mix, how to reach them and what they told us.
- **What you accepted**: which version of our terms, when and where.

We don’t sell your information, and we don’t use it for anything else.

## Who else sees it

Our payment provider (to take payments), the company that sends our e-mail, and the company that hosts the server. They may only do what we ask them to. Some of them may be outside South Africa, in countries or under contracts with similar protection.

## How long

As long as you have an account. When you delete it, in Settings, your personal information is deleted at once. Invoices stay for as long as tax law demands, without your name unless the law wants it on them (above R5,000); plays stay in the figures without saying whose they were. Backups are overwritten after a while.

## Cookies

Cookies keep you logged in, recognise your device when someone guesses at your password, and count a visitor’s plays once. Your browser also stores settings, such as the theme, and mixes you save for offline listening. There are no advertising cookies.

## Your rights

In Settings you can download everything we keep about you, correct it, and delete your account. You can object to e-mails there or with the link in each of them. You can also ask us, and you can complain to the [Information Regulator](https://inforegulator.org.za).

## Security

Connections are encrypted, passwords are hashed, and you can switch on two-step login. If your information is ever exposed, we tell you and the Information Regulator.`,

  refunds: `## Cooling-off

{coolingOffRule} You don’t need a reason.

Open your [subscription page](/subscription) and choose “Cancel and get your money back”. We end the subscription at once and refund the whole payment to the card you paid with. It counts for the first payment of a subscription, once per person; renewals are covered below.

## Renewals and later

You can cancel at any time, and then nothing more is charged. Periods that have started are not refunded, except:

- if we charged you twice, or another amount than agreed: we refund it as soon as we see it, without you asking;
- if Premium didn’t work and we couldn’t fix it: we refund the time without it;
- if you forgot to cancel a renewal: write to us within seven days. If you haven’t used Premium since, we refund it.

## How a refund works

Refunds go back to the card or the bank account that paid. Your bank may take up to ten working days to show it. You get an e-mail and a credit note for your records.

## Gifts and codes

Gifts and free periods have no cash value, and months that were paid once are not a subscription: nothing renews. The person who paid for a gift can ask for a refund as long as nobody has claimed it.

## Ask us

Write to {sellerEmail}. We answer within two working days. If you aren’t satisfied, you can turn to the National Consumer Commission.`,

  contact: `{contactRule}

You can cancel yourself, in two clicks, on your [subscription page](/subscription).`,

  copyright: `If a mix on {siteName} uses something that is yours without your permission, tell us. Write to {sellerEmail}, or use any way on the [contact page](/contact).

## What to tell us

- Your full name and address, your telephone number and your e-mail address.
- What is yours: the recording, the song or the picture.
- Where it is on {siteName}: the address of the mix and, if you can, the time at which it plays.
- What you ask us to do.
- That you complain in good faith, and that what you tell us is true as far as you know.
- Your signature. Your name at the end of an e-mail is enough for us.

These are the facts that section 77 of the Electronic Communications and Transactions Act 25 of 2002 asks for in a take-down notification. If you act for someone else, say for whom. Under the same section, someone who knowingly misrepresents the facts can be liable for damages.

## What happens then

We read your complaint and may ask you for what is missing. If we take the mix down, nobody can find, play or download it here any more: it is gone from the pages, the podcast feeds and the apps at once, and from copies that members saved in the app when it next connects. Files that were downloaded before are beyond our reach.

We keep the mix where only we can hear it, until the case is closed. You get an answer, and so does whoever made the mix, who can say why it may be played. If the complaint turns out to be wrong, we put the mix back.

## Your information

We keep your name, how to reach you and what you told us with the case, and use them for nothing else. We may have to tell whoever made the mix what the complaint says. More is in our [privacy policy](/privacy).`,
};
