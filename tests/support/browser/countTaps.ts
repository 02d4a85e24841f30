import type { Page } from '@playwright/test'

/** Counts what a person does with a finger or a mouse from now on, on this page and after it is loaded anew. */
export async function countTaps(page: Page): Promise<() => number> {
  let taps = 0
  await page.exposeFunction('noteTap', () => void taps++)
  const count = () => document.addEventListener('click', ({ detail }) => detail > 0 && noteTap(), { capture: true })
  await page.addInitScript(count)
  await page.evaluate(count)
  return () => taps
}

declare global {
  // oxlint-disable-next-line no-var -- so a global function is declared
  var noteTap: () => void
}
