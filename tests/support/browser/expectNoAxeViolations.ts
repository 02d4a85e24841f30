import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails with one readable line per violation of WCAG 2.2 AA on the page as it stands. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await transitionsOver(page)
  // The page and its own frames, asked once, and only for what is wrong: the other way opens a second page for each answer.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(STANDARDS)
    .setLegacyMode()
  const { violations } = await axe.analyze()
  const lines = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
  expect(lines, 'accessibility violations').toEqual([])
}

/** A colour on its way from one state to the other is neither's. What was pressed last may be drawn a moment later, and move then. */
const transitionsOver = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = () =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    const isStill = async () => {
      await frame()
      await frame()
      return moving().length === 0
    }
    while (!(await isStill())) await Promise.all(moving().map(({ finished }) => finished.catch(() => undefined)))
  })
