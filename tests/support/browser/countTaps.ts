import type { Page } from '@playwright/test'

/** Counts the user's taps and clicks from now on, also after the page is loaded again. */
export async function countTaps(page: Page): Promise<() => number> {
  const taps: string[] = []
  await note(page, 'tapped', (tap) => taps.push(tap))
  await watch(page, () => {
    document.addEventListener('click', ({ detail }) => detail > 0 && tapped('tap'), { capture: true })
  })
  return () => taps.length
}

/** Counts the fields that a user answers from now on, each once, also after the page is loaded again. */
export async function countAnswers(page: Page): Promise<() => number> {
  const answered = new Set<string>()
  await note(page, 'answered', (field) => answered.add(field))
  await watch(page, () => {
    const answer = ({ target }: Event) => {
      const { id, labels } = target as HTMLInputElement
      globalThis.answered(`${location.pathname} ${id || labels?.[0]?.textContent}`)
    }
    for (const event of ['input', 'change']) document.addEventListener(event, answer, { capture: true })
  })
  return () => answered.size
}

/** Lets the page report by calling the global function `name`. */
const note = (page: Page, name: 'tapped' | 'answered', told: (what: string) => unknown): Promise<unknown> =>
  page.exposeFunction(name, (what: string) => void told(what))

/** Runs `listen` in this page, and in each that it loads. */
async function watch(page: Page, listen: () => void): Promise<void> {
  await page.addInitScript(listen)
  await page.evaluate(listen)
}

declare global {
  // oxlint-disable-next-line no-var -- so a global function is declared
  var tapped: (what: string) => void
  // oxlint-disable-next-line no-var -- the same
  var answered: (what: string) => void
}
