import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { LINK_MINUTES } from '../db/accounts/passwords.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { daysAfter, mailPage, type Portal } from './mailPage.ts'

const HOURS = LINK_MINUTES.email / 60

/** The link that moves a login to `email`. The token is in the fragment, which no server and no Referer gets to see. */
export function emailChangeMail(
  { publicUrl }: Portal,
  { asker, email }: { asker: string; email: string },
  token: string,
  now: Date,
): NewMail {
  const page = mailPage({
    before: [`${asker} asks that a login of the merchant portal moves to ${email}. This link confirms it:`],
    link: { label: 'Confirm this email', url: `${publicUrl}/login?step=email#token=${token}` },
    after: [
      `It works once, for ${HOURS} hours. A newer link replaces it.`,
      'If you did not expect this, do nothing: without the link nothing changes.',
    ],
  })
  // Dead links are not worth sending.
  const giveUpAt = new Date(now.getTime() + LINK_MINUTES.email * 60_000)
  return { to: email, kind: 'email_change', subject: 'Confirm your new login email', ...page, giveUpAt }
}

/** Tells the address of now that the login is to move. Not whereto: that is the new owner's. */
export function emailChangeAskedMail(
  { publicUrl }: Portal,
  { asker, loginName }: { asker: string; loginName: string },
  now: Date,
): NewMail {
  const page = mailPage({
    before: [
      `${asker} asked on ${formatInstant(now)} (Singapore time) that the login ${loginName} moves to another email.`,
      'Nothing changes before the link that was sent there is followed. If this surprises you, ask your main account or the programme now.',
    ],
    link: { label: 'Open the portal', url: `${publicUrl}/login` },
    after: [],
  })
  const subject = 'Your login email is about to change'
  return { to: loginName, kind: 'email_changed', subject, ...page, giveUpAt: daysAfter(now, 1) }
}

/** Tells the address before that nobody logs in with it any more. */
export function emailChangedMail({ publicUrl }: Portal, loginName: string, now: Date): NewMail {
  const page = mailPage({
    before: [
      `The login ${loginName} moved to another email on ${formatInstant(now)} (Singapore time). Nobody logs in with ${loginName} any more.`,
      'If this surprises you, ask your main account or the programme.',
    ],
    link: { label: 'Open the portal', url: `${publicUrl}/login` },
    after: [],
  })
  const subject = 'Your login email was changed'
  return { to: loginName, kind: 'email_changed', subject, ...page, giveUpAt: daysAfter(now, 3) }
}
