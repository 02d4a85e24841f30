import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with one readable line for each violation of WCAG 2.2 AA or of axe's best practices on the page. */
export const expectNoAxeViolations = async (page: Page): Promise<void> =>
  expect(await axeViolations(page), 'accessibility violations').toEqual([])

async function axeViolations(page: Page): Promise<string[]> {
  await transitionsOver(page)
  // Loaded once for each page, and only violations are sent back. Axe's own driver sends half a megabyte twice for each check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (tags) => {
    // Axe measures a control that is half under the header, or under the foot of a long form, with half its height. A scroll would show all of it.
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

/** True in `npm test`, which looks at each screen in a few ways. `npm run test:all` looks at it in all of them (tests/run/checks.ts). */
export const IS_SHORT_FORM = process.env['TEST_FORM'] === 'short'

/** Axe finds different things with another layout or other colours, so each is there once. The short form takes the first. */
const LOOKS = [
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 820, height: 1180, colorScheme: 'light' },
  { width: 1280, height: 800, forcedColors: 'active' },
] as const

/** Checks the screen on a phone, a tablet and a desktop, in light, dark and forced colours. Ends with a light desktop. */
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
  // Polled, because a picture is drawn again a moment after the page changes its width.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow).toBeLessThanOrEqual(0)
}

/** Waits until transitions are over: a colour in between belongs to neither state. A pressed control may begin to move a moment later. */
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
