import assert from 'node:assert/strict'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../server/db/engine/Database.ts'
import { mailOutbox, type MailKind } from '../../../server/db/schema/mailOutbox.ts'

/** Returns the mails to `address`, oldest first. Those that are not sent yet are checked: each has all that every mail has. */
export async function mailsTo(db: Db, address: string) {
  const mails = await db.select().from(mailOutbox).where(eq(mailOutbox.toAddress, address)).orderBy(asc(mailOutbox.id))
  for (const { kind, subject, text, html } of mails) {
    if (text !== null && html !== null) checkMail({ kind, subject, text, html })
  }
  return mails
}

/** Returns the tokens in the links of one kind that were mailed to `address`, oldest first. */
export async function mailedTokens(db: Db, address: string, wanted: MailKind = 'reset'): Promise<string[]> {
  const mails = await mailsTo(db, address)
  return mails.flatMap(({ kind, text }) => (kind === wanted ? [/#token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''] : []))
}

/** The mails that name no shop at the top: nobody has confirmed the applicant's address, or the provider shall see the link first. */
const WITHOUT_SHOP = new Set<MailKind>(['activation', 'application_received', 'review'])

/**
 * Throws unless a mail has the mark, the portal's name, the shop's name at the top and in a short subject, a button with its address in plain text,
 * and a help address, and its two parts say the same.
 */
export function checkMail({
  kind,
  subject,
  text,
  html,
}: {
  kind: MailKind
  subject: string
  text: string
  html: string
}) {
  const [portal, shop = ''] = text.split('\n')
  assert.equal(portal, 'Merchant portal')
  assert.equal(
    html.match(/<img [^>]*>/g)?.join(),
    '<img src="cid:mark@merchant-portal" width="40" height="40" alt="" style="display:block;border:0">',
  )
  const isApplication = kind === 'authorisation_rejected' && subject.startsWith('Application')
  assert.equal(shop === '', WITHOUT_SHOP.has(kind) || isApplication, `${kind} names ${shop || 'no shop'}`)
  assert.ok(subject.length <= 60, subject)
  const named = subject.slice(subject.indexOf(': ') + 2).replace(/…$/, '')
  assert.ok(shop.startsWith(named) || shop === '', `${subject} names ${shop}`)
  const button = /<a href="([^"]+)"[^>]*>([^<]+)<\/a><\/td>/.exec(html)
  const address = /copy this address[^/]+<\/p>\n<p[^>]*><a href="([^"]+)"[^>]*>([^<]+)<\/a>/.exec(html)
  assert.ok(button && address, `${kind} has no button or no address`)
  assert.deepEqual([address[1], address[2]], [button[1], button[1]])
  assert.ok(text.includes(`\n\n${shown(button[2]!)}: ${shown(button[1]!)}\n`), `${kind}: the text has no link`)
  assert.match(text, /\nQuestions\? Write to \S+@\S+( or call [+\d ]+)?\.\nHelp: \S+\/help\n/)
  assert.match(html, /<a href="mailto:([^"]+)"[^>]*>\1<\/a>/)
  const preview = /<div style="display:none[^>]*>([^<]+)<\/div>/.exec(html)
  assert.ok(preview && text.includes(shown(preview[1]!)), `${kind} has no preview`)
  const body = html
    .slice(html.indexOf('<body'))
    .replace(preview[0], '')
    .replace('If the button does not work, copy this address into your browser:', '')
    .replaceAll(/<[^>]+>/g, ' ')
  assert.deepEqual(wordsOf(shown(body)), wordsOf(text))
}

/** A row of figures has colons and commas in the text, and cells in the HTML. */
const wordsOf = (form: string) => form.split(/[\s:,]+/).filter(Boolean)

const SIGNS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

const shown = (html: string) => html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => SIGNS[entity] ?? entity)
