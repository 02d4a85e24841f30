import type { Page } from '@playwright/test'
import type { PortalOrigin } from './portalOrigin.ts'

/** A file that no test's page imports by itself. */
const PROBE = '/boot.js'

/**
 * Whether this browser keeps a script that failed for the life of its page, as they did until summer 2026
 * (https://github.com/whatwg/html/issues/6768). Asks `page`, and leaves the line up.
 */
export async function keepsFailedScripts(page: Page, origin: PortalOrigin): Promise<boolean> {
  const name = JSON.stringify(`${PROBE}?${crypto.randomUUID()}`)
  // As text: an import of the page, whatever becomes of those of this file.
  const fails = () => page.evaluate<boolean>(`import(${name}).then(() => false, () => true)`)
  await origin.line({ kind: 'refuse' }, ({ path }) => path === PROBE)
  await fails()
  await origin.line({ kind: 'up' })
  return fails()
}
