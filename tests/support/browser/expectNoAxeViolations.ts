import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with one readable line per violation of WCAG 2.2 AA on the page as it stands. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await transitionsOver(page)
  // Once for each page, and only what is wrong comes back: its own driver brings half a megabyte twice for each answer.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const lines = await page.evaluate(async (tags) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await loaded.run({ runOnly: tags, resultTypes: ['violations'], iframes: false })
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, STANDARDS)
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
