import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails with one readable line per violation of WCAG 2.2 AA on the page as it stands. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await transitionsOver(page)
  const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze()
  const lines = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
  expect(lines, 'accessibility violations').toEqual([])
}

/** A colour on its way from one theme to the other is neither's. */
const transitionsOver = (page: Page) =>
  page.evaluate(async () => {
    const under = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.all(under.map(({ finished }) => finished.catch(() => undefined)))
  })
