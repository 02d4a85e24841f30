import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessibleAndFits, IS_SHORT_FORM } from './accessibility.ts'

/**
 * From a small phone to a large desktop: phones, a phone on its side, tablets both ways up, and a window of 1,280 by 800 at 200 % and 400 % (WCAG
 * 1.4.10).
 */
const SIZES = [
  [320, 640],
  [320, 256],
  [360, 740],
  [390, 844],
  [590, 410],
  [640, 400],
  [700, 1000],
  [768, 1024],
  [820, 1180],
  [1024, 768],
  [1180, 820],
  [1440, 900],
  [1920, 1080],
] as const

/** The short form takes the narrowest size and one of each other layout. */
const SHORT_FORM: readonly string[] = ['320×640', '820×1180', '1440×900']

/** Colours do not move boxes, so one size of each layout is enough. */
const IN_THE_DARK: readonly number[] = [390, 820, 1440]

const PICTURES = join(import.meta.dirname, '../../../test-results/screens')
const PICTURED: Record<number, 'light' | 'dark'> = { 390: 'dark', 820: 'light', 1440: 'light' }

/** Checks the screen at every width, for sighted users and for screen readers. */
export const expectShippable = (page: Page, name: string): Promise<void> =>
  test.step(name, async () => {
    await expect(page.locator('[aria-busy=true], [data-skeleton]')).toHaveCount(0)
    await expectFitsEveryWidth(page, name)
    await expectAccessibleAndFits(page, name)
  })

/**
 * Fails with one line for each box that does not fit at one of the widths: sideways scrolling, text that is cut, things that overlap, and toasts over
 * controls. The long form saves a few pictures in `test-results/screens`. Ends with the size of a desktop.
 */
export async function expectFitsEveryWidth(page: Page, name: string): Promise<void> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [width, height] of SIZES) {
      if (colorScheme === 'dark' && !IN_THE_DARK.includes(width)) continue
      if (IS_SHORT_FORM && (colorScheme === 'dark' || !SHORT_FORM.includes(`${width}×${height}`))) continue
      await page.setViewportSize({ width, height })
      for (const fault of await settledFaults(page)) faults.push(`${width}×${height} ${colorScheme}: ${fault}`)
      if (PICTURED[width] === colorScheme && !IS_SHORT_FORM)
        await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 800 })
  expect.soft(faults, `boxes of ${name}`).toEqual([])
}

/** Polls, because plots and long tables measure themselves and are drawn again a moment after the page changes its width. */
async function settledFaults(page: Page): Promise<string[]> {
  const until = Date.now() + 5_000
  for (;;) {
    const faults = await page.evaluate(findFaults)
    if (faults.length === 0 || Date.now() > until) return faults
  }
}

/** Runs in the page. */
async function findFaults(): Promise<string[]> {
  /** Names that users gave, which the record or the profile shows in full, and the place of a command in the palette. */
  const MAY_BE_SHORTENED = 'td, header:not(main *) .truncate, [role=option] small'
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await nextFrame()
  await nextFrame()

  interface Box {
    element: Element
    rect: DOMRect
    /** A box is compared only with boxes of the same layer, because some layers lie over the rest on purpose. */
    layer: Element
  }
  const describe = ({ localName, className, textContent, ariaLabel }: Element) =>
    `${localName}.${String(className).replaceAll(' ', '.')} "${(ariaLabel ?? textContent ?? '').trim().slice(0, 40)}"`

  function* ancestors(element: Element): Generator<Element> {
    for (let at: Element | null = element; at; at = at.parentElement) yield at
  }
  const isForEyes = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    ![...ancestors(element)].some((at) => {
      const { width, height } = at.getBoundingClientRect()
      return (width <= 1 && height <= 1) || at.ariaHidden === 'true' || getComputedStyle(at).clipPath !== 'none'
    })
  const layerOf = (element: Element) =>
    [...ancestors(element)].find((at) => ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(at).position)) ??
    document.body

  function textBoxes(): Box[] {
    const boxes: Box[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!
      if (!node.textContent!.trim() || element.closest('svg, select, noscript, template') || !isForEyes(element))
        continue
      range.selectNodeContents(node)
      const layer = layerOf(element)
      for (const rect of range.getClientRects()) if (rect.width > 1) boxes.push({ element, rect, layer })
    }
    return boxes
  }

  /** Returns the part of a box that is visible inside scrolling boxes and ellipses. */
  function seenOf({ element, rect, layer }: Box): Box {
    let { left, right, top, bottom } = rect
    for (const at of ancestors(element)) {
      const { overflowX, overflowY } = getComputedStyle(at)
      const clip = at.getBoundingClientRect()
      if (overflowX !== 'visible') [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)]
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)]
    }
    return { element, rect: new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top)), layer }
  }

  /** Returns the element that cuts `box` off, unless one in between scrolls. */
  function cutBy({ element, rect }: Box): Element | undefined {
    for (const at of ancestors(element)) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(at)
      if (textOverflow === 'ellipsis' && at.matches(`:is(${MAY_BE_SHORTENED}, :is(${MAY_BE_SHORTENED}) *)`))
        return undefined
      const clip = at.getBoundingClientRect()
      const isBeyond =
        (['hidden', 'clip'].includes(overflowX) && (rect.right > clip.right + 1 || rect.left < clip.left - 1)) ||
        (['hidden', 'clip'].includes(overflowY) && (rect.bottom > clip.bottom + 3 || rect.top < clip.top - 3))
      if (isBeyond && at !== document.body && at !== document.documentElement) return at
      if (['auto', 'scroll'].includes(overflowX) || ['auto', 'scroll'].includes(overflowY)) return undefined
    }
    return undefined
  }

  function overlapping(boxes: Box[], least: (a: DOMRect, b: DOMRect) => number): [Box, Box][] {
    const sorted = boxes.toSorted((a, b) => a.rect.top - b.rect.top)
    const pairs: [Box, Box][] = []
    for (const [n, a] of sorted.entries()) {
      for (const b of sorted.slice(n + 1)) {
        if (b.rect.top >= a.rect.bottom) break
        if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue
        const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left)
        const down = Math.min(a.rect.bottom, b.rect.bottom) - b.rect.top
        if (across > 2 && down > least(a.rect, b.rect)) pairs.push([a, b])
      }
    }
    return pairs
  }

  /** Returns one line for each control that `counts` picks and that a toast or the update prompt covers. */
  function covered(counts: (control: Box) => boolean): string[] {
    const overlays = [...document.querySelectorAll('[data-toast], [data-update-bar] > *')]
    const isOver = (overlay: Element, { rect: under }: Box) => {
      const over = overlay.getBoundingClientRect()
      const [left, right] = [Math.max(over.left, under.left), Math.min(over.right, under.right)]
      const [top, bottom] = [Math.max(over.top, under.top), Math.min(over.bottom, under.bottom)]
      // A dialog may lie above both.
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return right - left > 2 && bottom - top > 2 && overlay.contains(seen)
    }
    return overlays.flatMap((overlay) =>
      [...document.querySelectorAll(`${CONTROLS}, [data-toast]`)]
        .filter((element) => !overlay.contains(element) && isForEyes(element))
        .map((element) => seenOf({ element, rect: element.getBoundingClientRect(), layer: layerOf(element) }))
        .filter((control) => counts(control) && isOver(overlay, control))
        .map(({ element }) => `${describe(overlay)} covers ${describe(element)}`),
    )
  }

  const faults: string[] = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) {
    const widest = [...document.querySelectorAll('body *')].find((element) => {
      const { right, width } = element.getBoundingClientRect()
      return width > 0 && right > innerWidth + 1 && isForEyes(element)
    })
    faults.push(`scrolls sideways by ${scrollWidth - innerWidth} px for ${widest ? describe(widest) : 'nothing seen'}`)
  }
  // A touch screen shows no title.
  for (const element of document.querySelectorAll(':is([aria-disabled=true], :disabled)[title]'))
    faults.push(`${describe(element)} says only in a title why it cannot be pressed`)
  const texts = textBoxes()
  for (const box of texts) {
    const by = cutBy(box)
    if (by) faults.push(`${describe(box.element)} is cut by ${describe(by)}`)
  }
  // Lines of one text may be closer together than their boxes are high.
  for (const [a, b] of overlapping(texts.map(seenOf), (one, other) => Math.min(one.height, other.height) * 0.4))
    faults.push(`${describe(b.element)} lies over ${describe(a.element)}`)
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter(isForEyes)
    .map((element) => seenOf({ element, rect: element.getBoundingClientRect(), layer: layerOf(element) }))
  for (const [a, b] of overlapping(controls, () => 2))
    faults.push(`${describe(b.element)} lies over ${describe(a.element)}`)
  // At this scroll position they may cover things that can be scrolled clear of them, but nothing that stays. At the end of the page they may cover
  // nothing.
  faults.push(...covered(({ layer }) => layer !== document.body))
  const at = scrollY
  scrollTo(0, document.documentElement.scrollHeight)
  await nextFrame()
  faults.push(...covered(() => true))
  scrollTo(0, at)
  return [...new Set(faults)]
}
