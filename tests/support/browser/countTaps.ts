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

/** Counts the fields that a person answers from now on, on this page and after it is loaded anew; each once. */
export async function countAnswers(page: Page): Promise<() => number> {
  const answered = new Set<string>()
  await page.exposeFunction('noteAnswer', (field: string) => void answered.add(field))
  const watch = () => {
    const note = ({ target }: Event) => noteAnswer(`${location.pathname} ${(target as HTMLInputElement).id}`)
    for (const event of ['input', 'change']) document.addEventListener(event, note, { capture: true })
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return () => answered.size
}

declare global {
  // oxlint-disable-next-line no-var -- so a global function is declared
  var noteAnswer: (field: string) => void
  // oxlint-disable-next-line no-var -- so a global function is declared
  var noteTap: () => void
}
