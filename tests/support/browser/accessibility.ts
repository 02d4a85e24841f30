import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with one readable line per violation of WCAG 2.2 AA and of axe's best practices on the page as it stands. */
export const expectNoAxeViolations = async (page: Page): Promise<void> =>
  expect(await axeViolations(page), 'accessibility violations').toEqual([])

async function axeViolations(page: Page): Promise<string[]> {
  await transitionsOver(page)
  // Once for each page, and only what is wrong comes back: its own driver brings half a megabyte twice for each answer.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (tags) => {
    // A control that is half under the header, or under the foot of a long form, has half its height to axe. It is one scroll away.
    scrollTo(0, 0)
    const feet = [...document.querySelectorAll<HTMLElement>('[data-form-foot]')]
    for (const foot of feet) foot.style.position = 'static'
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await loaded.run({ runOnly: tags, resultTypes: ['violations'], iframes: false })
    for (const foot of feet) foot.style.position = ''
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
  }, STANDARDS)
}

/** `npm test` looks at each screen in a few ways, `npm run test:all` in all of them (tests/run/checks.ts). */
export const IS_SHORT_FORM = process.env['TEST_FORM'] === 'short'

/** What axe may find differs by layout and by colours: each of both once. The short form takes the first. */
const LOOKS = [
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 820, height: 1180, colorScheme: 'light' },
  { width: 1280, height: 800, forcedColors: 'active' },
] as const

/** The screen as it stands, on a phone, a tablet and at a desk, light, dark and in forced colours. Ends at the desk in light. */
export async function expectAccessibleAndFits(page: Page, what = 'this screen'): Promise<void> {
  for (const { width, height, ...media } of IS_SHORT_FORM ? LOOKS.slice(0, 1) : LOOKS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: null, forcedColors: null, ...media })
    await expectNoSidewaysScroll(page)
    expect
      .soft(await axeViolations(page), `accessibility of ${what}, ${width} wide, ${JSON.stringify(media)}`)
      .toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
  await page.setViewportSize({ width: 1280, height: 800 })
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A picture is drawn anew a moment after its page got another width.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow).toBeLessThanOrEqual(0)
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
