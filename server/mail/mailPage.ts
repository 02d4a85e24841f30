const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => REPLACEMENTS[sign] ?? sign)

/** The address for links in mails. */
export interface Portal {
  publicUrl: string
}

interface MailContent {
  /** Paragraphs of plain text. */
  before: string[]
  link: { label: string; path: string }
  after: string[]
}

/**
 * Returns the content as plain text and as HTML, which say the same; styles are inline, because mail programs drop style sheets. Spam filters
 * distrust a mail with exactly one link, so the help page is a second link.
 */
export function mailPage({ publicUrl }: Portal, { before, link, after }: MailContent): { text: string; html: string } {
  const url = publicUrl + link.path
  const help = `${publicUrl}/help`
  const text = [...before, `${link.label}: ${url}`, ...after, `${PROGRAMME}\nHelp: ${help}`].join('\n\n')
  const button = `<a href="${escapeHtml(url)}" style="${BUTTON}">${escapeHtml(link.label)}</a>`
  const shown = [
    `<p style="${PARAGRAPH}">${button}</p>`,
    paragraph('If the button does not work, copy this address into your browser:'),
  ]
  const address = `<p style="${PARAGRAPH};overflow-wrap:anywhere">${escapeHtml(url)}</p>`
  const body = [...before.map(paragraph), ...shown, address, ...after.map(paragraph)].join('\n')
  return { text: `${text}\n`, html: htmlPage(body, escapeHtml(help)) }
}

const PROGRAMME = 'Merchant portal of the health rewards voucher programme'

const PARAGRAPH = 'margin:0 0 16px'

const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600'

const CARD = 'max-width:480px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#111827'

const paragraph = (text: string) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`

const htmlPage = (body: string, help: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;background:#ffffff"><div style="${CARD}">
${body}
<p style="margin:24px 0 0;font-size:14px;color:#4b5563">${PROGRAMME}<br>Help: <a href="${help}">${help}</a></p>
</div></body>
</html>
`

/** Puts a stranger's text on one line, so that it cannot look like a line of the mail. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Returns the time `days` after `now`, when a mail that is still waiting is given up. */
export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)
