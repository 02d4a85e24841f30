import { readFileSync } from 'node:fs'
import { onFirstUse } from '../../src/domain/onFirstUse.ts'

/** How the HTML of a mail refers to the mark. */
export const MARK_ID = 'mark@merchant-portal'

/**
 * Returns the portal's mark as a part of a mail. Mail programs show no SVG, and pictures of a server only after a question. From 10 KB on, Gmail lists
 * such a part as an attachment. `public/icons/icon-512.png` in 96 × 96 pixels; a test compares the two.
 */
export const markPart = onFirstUse(() => ({
  filename: 'mark.png',
  cid: MARK_ID,
  contentType: 'image/png',
  contentDisposition: 'inline' as const,
  content: readFileSync(new URL('mark.png', import.meta.url)),
}))
