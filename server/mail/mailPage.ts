import type { SupportContact } from '../../src/contract/system.ts'
import { isMainAccount } from '../../src/domain/accounts/permissions.ts'
import { shortened } from '../../src/domain/shortened.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import { MARK_ID } from './mark.ts'

const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => REPLACEMENTS[sign] ?? sign)

/** The address for links in mails, and whom a reader asks for help. */
export interface Portal {
  publicUrl: string
  support: SupportContact
}

/**
 * The person whom a mail greets, and the organisation that it is about. Both are left out until an applicant's address is confirmed (decision 0016).
 */
export interface Addressee {
  organisation?: string | null | undefined
  /** The person's name. */
  name?: string | null | undefined
}

/** Returns the names for a mail to the owner of an account. A main account without a password has not confirmed its address. */
export const ownerOf = ({
  type,
  passwordHash,
  organisationName: organisation,
  contactName: name,
}: Pick<LoginUser, 'type' | 'passwordHash' | 'organisationName' | 'contactName'>): Addressee =>
  isMainAccount(type) && passwordHash === null ? {} : { organisation, name }

/** Rows of what is counted, how many and how much. The last row is the sum of the others. */
export type Figures = [name: string, count: string, amount: string][]

interface MailContent {
  about?: Addressee
  /** Paragraphs of plain text, and figures. Mail programs show the first one beside the subject. */
  before: (string | Figures)[]
  link: { label: string; path: string }
  after: string[]
}

/**
 * Returns the content as plain text and as HTML, which say the same. Styles are inline, and tables make the layout: some mail programs drop style
 * sheets, and Outlook's Word engine knows neither `max-width` nor padding outside cells. rspamd distrusts an odd number of links in both parts
 * together, so the HTML leads to the help page twice.
 */
export function mailPage(
  { publicUrl, support }: Portal,
  { about = {}, before, link, after }: MailContent,
): { text: string; html: string } {
  const url = publicUrl + link.path
  const help = `${publicUrl}/help`
  const organisation = oneLine(about.organisation ?? '')
  const name = oneLine(about.name ?? '')
  const blocks = [...(name === '' ? [] : [`Hello ${name},`]), ...before]
  const phone = support.phone === null ? '' : ` or call ${support.phone}`
  const text = [
    [PORTAL, organisation].filter(Boolean).join('\n'),
    ...blocks.map((block) => (typeof block === 'string' ? block : block.map(textRow).join('\n'))),
    `${link.label}: ${url}`,
    ...after,
    `Questions? Write to ${support.email}${phone}.\nHelp: ${help}\n${PROGRAMME}`,
  ].join('\n\n')
  const html = [
    preview(before.find((block) => typeof block === 'string') ?? ''),
    OPENING,
    heading(organisation),
    ...blocks.map((block) => (typeof block === 'string' ? paragraph(block) : table(block))),
    button(link.label, url),
    `<p class="muted" style="${SMALL};margin:0 0 4px">If the button does not work, copy this address into your browser:</p>`,
    `<p style="${SMALL};margin:0 0 16px">${anchor(url, url, 'break-all')}</p>`,
    ...after.map(paragraph),
    `<p class="muted line" style="${SMALL};margin:24px 0 0;padding:16px 0 0;border-top:1px solid ${LIGHT.border}">`,
    `${anchor(help, 'Questions?')} Write to ${anchor(`mailto:${support.email}`, support.email)}<span style="white-space:nowrap">${escapeHtml(phone)}.</span><br>`,
    `Help: ${anchor(help, help)}<br>${PROGRAMME}</p>`,
    CLOSING,
  ].join('\n')
  return { text: `${text}\n`, html: `${HEAD}${html}` }
}

const textRow = ([name, count, amount]: Figures[number]) => `${name}: ${count}, ${amount}`

const PORTAL = 'Merchant portal'

const PROGRAMME = `${PORTAL} of the health rewards voucher programme`

/** The portal's design tokens. */
export const LIGHT = {
  surface: '#ffffff',
  text: '#1b212b',
  'text-muted': '#596273',
  link: '#1a4a9c',
  fill: '#1a4a9c',
  border: '#e0e3e9',
}

/** For mail programs that ask. Others invert the light colours, or show them. */
export const DARK: typeof LIGHT = {
  surface: '#141922',
  text: '#e8ebf0',
  'text-muted': '#a5aebc',
  link: '#96b5eb',
  fill: '#2c62be',
  border: '#262e3a',
}

/** Word takes the first family even if it does not know it, and then shows Times New Roman. */
const FONT = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const BODY = `${FONT};font-size:16px;line-height:24px;color:${LIGHT.text}`

const SMALL = `${FONT};font-size:14px;line-height:20px;color:${LIGHT['text-muted']}`

const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

const HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${PORTAL}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
.page { background: ${DARK.surface} !important; color: ${DARK.text} !important }
.muted { color: ${DARK['text-muted']} !important }
.link { color: ${DARK.link} !important }
.button { background: ${DARK.fill} !important }
.line { border-color: ${DARK.border} !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${LIGHT.surface}">
`

/** The text that a list of mails shows beside the subject. */
const preview = (text: string) =>
  `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(text)}</div>`

const OPENING = `<table ${LAYOUT} width="100%" lang="en" class="page" style="background:${LIGHT.surface}">
<tr><td align="center" style="padding:24px 16px">
<!--[if mso]><table ${LAYOUT} width="560"><tr><td><![endif]-->
<table ${LAYOUT} width="100%" style="max-width:560px">
<tr><td class="page" align="left" style="${BODY};background:${LIGHT.surface}">`

const CLOSING = `</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`

/** The mark is beside its name, so it needs no words of its own. */
const heading = (organisation: string) => `<table ${LAYOUT} width="100%" style="margin:0 0 24px"><tr>
<td class="line" width="52" valign="top" style="padding:4px 0 16px;border-bottom:1px solid ${LIGHT.border}"><img src="cid:${MARK_ID}" width="40" height="40" alt="" style="display:block;border:0"></td>
<td class="page line" valign="top" style="${BODY};padding:0 0 16px;border-bottom:1px solid ${LIGHT.border}"><strong>${PORTAL}</strong>${
  organisation === ''
    ? ''
    : `<br><span class="muted" translate="no" style="${SMALL}">${escapeHtml(organisation)}</span>`
}</td>
</tr></table>`

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

/** The padding is in the cell for Word and in the link for all others, so that all of the button can be tapped. */
const button = (label: string, url: string) => `<table ${LAYOUT} style="margin:0 0 16px"><tr>
<td class="button" bgcolor="${LIGHT.fill}" style="background:${LIGHT.fill};border-radius:4px;mso-padding-alt:12px 20px">
<a href="${escapeHtml(url)}" style="${FONT};display:inline-block;padding:12px 20px;font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td>
</tr></table>`

const anchor = (href: string, label: string, breaks: 'break-all' | 'break-word' = 'break-word') =>
  `<a href="${escapeHtml(href)}" class="link" style="color:${LIGHT.link};word-break:${breaks}">${escapeHtml(label)}</a>`

const CELL = `${FONT};font-size:16px;line-height:24px;padding:6px 0;border-bottom:1px solid ${LIGHT.border};font-weight:`

/** Two columns: a phone has no room for three. */
const table = (
  rows: Figures,
) => `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
${rows.map((row, at) => tableRow(row, at === rows.length - 1 ? 600 : 400)).join('\n')}
</table>`

const tableRow = ([name, count, amount]: Figures[number], weight: number) => `<tr>
<th scope="row" align="left" class="line" style="${CELL}${weight};word-break:break-word">${escapeHtml(name)}<br><span class="muted" style="${SMALL};font-weight:400">${escapeHtml(count)}</span></th>
<td align="right" class="line" style="${CELL}${weight};padding-left:16px;white-space:nowrap">${escapeHtml(amount)}</td>
</tr>`

/** Puts a stranger's text on one line, so that it cannot look like a line of the mail. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The longest subject that a phone shows whole, in UTF-16 code units. */
const LONGEST_SUBJECT = 60

/** Returns for example `Payment for Nov 2026: Kopi & Grain`. A long name is shortened. */
export function mailSubject(thing: string, { organisation }: Addressee): string {
  const name = oneLine(organisation ?? '')
  return name === '' ? thing : `${thing}: ${shortened(name, LONGEST_SUBJECT - thing.length - 2)}`
}

/** Returns the time `days` after `now`, when a mail that is still waiting is given up. */
export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)
