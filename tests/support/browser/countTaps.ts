import type { Page } from '@playwright/test'

/** Counts the user's taps and clicks from now on, also after the page is loaded again. */
export async function countTaps(page: Page): Promise<() => number> {
  const taps: string[] = []
  await note(
    page,
    (tap) => taps.push(tap),
    () => {
      document.addEventListener('click', ({ detail }) => detail > 0 && noted('tap'), { capture: true })
    },
  )
  return () => taps.length
}

/** Counts the fields that a user answers from now on, each once, also after the page is loaded again. */
export async function countAnswers(page: Page): Promise<() => number> {
  const answered = new Set<string>()
  await note(
    page,
    (field) => answered.add(field),
    () => {
      const answer = ({ target }: Event) => {
        const { id, labels } = target as HTMLInputElement
        noted(`${location.pathname} ${id || labels?.[0]?.textContent}`)
      }
      for (const event of ['input', 'change']) document.addEventListener(event, answer, { capture: true })
    },
  )
  return () => answered.size
}

/** Runs `watch` in the page, which reports by calling `noted`. */
async function note(page: Page, told: (what: string) => unknown, watch: () => void): Promise<void> {
  await page.exposeFunction('noted', (what: string) => void told(what))
  await page.addInitScript(watch)
  await page.evaluate(watch)
}

declare global {
  // oxlint-disable-next-line no-var -- so a global function is declared
  var noted: (what: string) => void
}
