import { expect } from '@playwright/test'
import { workerServes } from '../accounts/logIn.ts'
import { PASSWORD, type User } from '../database/builders.ts'
import type { Tab } from './Tab.ts'

type Kind = 'button' | 'link' | 'heading' | 'field'

const PATIENCE = { timeout: 15_000 }

/** Actions of a user on a page of the portal, in any engine. Each action waits for what it needs. */
export class PortalTab {
  readonly tab: Tab
  readonly #origin: string
  #scannedAt = 0

  constructor(tab: Tab, origin: string) {
    this.tab = tab
    this.#origin = origin
  }

  open(path: string): Promise<void> {
    return this.tab.goto(`${this.#origin}${path}`)
  }

  path(): Promise<string> {
    return this.tab.evaluate(() => location.pathname)
  }

  async expectPath(path: string): Promise<void> {
    await expect(async () => expect(await this.path()).toBe(path)).toPass(PATIENCE)
  }

  async sees(text: string): Promise<boolean> {
    return (await this.#text()).includes(text)
  }

  async expectText(text: string): Promise<void> {
    await expect(async () => expect(await this.#text()).toContain(text)).toPass(PATIENCE)
  }

  async expectNoText(text: string): Promise<void> {
    await expect(async () => expect(await this.sees(text)).toBe(false)).toPass(PATIENCE)
  }

  /** Waits until a visible element has exactly this name. */
  async expect(kind: Kind, name: string): Promise<void> {
    await expect(async () => void (await this.#point(kind, name))).toPass(PATIENCE)
  }

  async press(kind: Kind, name: string): Promise<void> {
    await expect(async () => {
      const { x, y } = await this.#point(kind, name)
      await this.tab.click(x, y)
    }).toPass(PATIENCE)
  }

  async fill(label: string, text: string): Promise<void> {
    await expect(async () => {
      const { x, y } = await this.#point('field', label)
      await this.tab.click(x, y)
      // Set in one step: keys of a driver are as fast as a scanner's, and the counter would take them for a scan.
      await this.tab.evaluate((text) => {
        const field = document.activeElement as HTMLInputElement
        field.select()
        if (field.type !== 'date') return document.execCommand('insertText', false, text)
        // A date field takes no text, only keys in the order of the machine's language.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text)
        return field.dispatchEvent(new Event('input', { bubbles: true }))
      }, text)
      const typed = await this.tab.evaluate(() => (document.activeElement as HTMLInputElement).value)
      // A serial is shown in groups.
      expect(typed.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }).toPass(PATIENCE)
  }

  /**
   * Types a code as a hand scanner does. On a busy machine the driver may be too slow to count as a scanner (rule 14.12); then the page is loaded
   * again and the code is typed again.
   */
  async scan(code: string): Promise<void> {
    await expect(async () => {
      await this.tab.evaluate(() => {
        const times: number[] = []
        Object.assign(globalThis, { times })
        addEventListener('keydown', ({ timeStamp }) => void times.push(timeStamp), { capture: true })
      })
      await this.tab.type(`${code}\n`)
      const times = await this.tab.evaluate(() => (globalThis as unknown as { times: number[] }).times)
      const longest = Math.max(...times.slice(1).map((at, index) => at - times[index]!))
      const isScanner = longest < 400
      if (!isScanner) await this.open(await this.path())
      expect(isScanner, `${longest} ms between two keys`).toBe(true)
    }).toPass({ timeout: 60_000 })
    this.#scannedAt = Date.now()
  }

  /** Presses Enter as a user does. Within half a second of a scan it would count as the end of the scan (rule 14.12), so it waits. */
  async pressEnter(): Promise<void> {
    await expect.poll(() => Date.now() - this.#scannedAt).toBeGreaterThan(600)
    await this.tab.type('\n')
  }

  /** Returns the name of the focused element. */
  focused(): Promise<string> {
    return this.tab.evaluate(() => document.activeElement?.textContent.replaceAll(/\s+/g, ' ').trim() ?? '')
  }

  /** Waits until the page shows that this release has started. */
  async expectRelease(id: string): Promise<void> {
    const release = () => this.tab.evaluate(() => document.documentElement.dataset['build'])
    await expect(async () => expect(await release()).toBe(id)).toPass(PATIENCE)
  }

  /** Fires the browser's event that the network is back, so that the portal checks the connection again. */
  async backOnline(): Promise<void> {
    await this.tab.evaluate(() => void dispatchEvent(new Event('online')))
  }

  /** Logs in on the login page, as a user does. */
  async logIn(user: Pick<User, 'loginName' | 'loginKind'>): Promise<void> {
    const isPos = user.loginKind === 'pos'
    await this.open(isPos ? '/login?as=pos' : '/login')
    await this.fill(isPos ? 'Username' : 'Email', user.loginName)
    await this.fill('Password', PASSWORD)
    await this.press('button', 'Login')
    await expect(async () => expect(await this.path()).not.toBe('/login')).toPass(PATIENCE)
  }

  /** Logs in and names the till, up to the counter. */
  async logInAtCounter(till: Pick<User, 'loginName' | 'loginKind'>): Promise<void> {
    await this.logIn(till)
    await this.fill('Name', 'Till 2')
    await this.press('button', 'Use this name')
    await this.press('button', 'Go to the counter')
    await this.expect('field', 'Or type the serial number')
  }

  /** Waits until the service worker has every file and serves this page. From then on the portal starts offline. */
  readyOffline(): Promise<void> {
    return this.tab.evaluate(workerServes)
  }

  #text(): Promise<string> {
    return this.tab.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' '))
  }

  /** Returns the middle of a control once it is still and nothing lies above it. Throws an Error with the reason if there is none. */
  async #point(kind: Kind, name: string): Promise<{ x: number; y: number }> {
    const found = await this.tab.evaluate(pointOf, { kind, name })
    if (typeof found === 'string') throw new Error(found)
    return found
  }
}

/** Runs in the page. Returns a text with the reason if the control cannot be pressed. */
async function pointOf({ kind, name }: { kind: Kind; name: string }) {
  const KINDS = {
    button: 'button, [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4',
    field: 'input, textarea, select',
  }
  const tidy = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim()
  const nameOf = (element: HTMLElement) => {
    if (element.ariaLabel) return element.ariaLabel
    const labels = kind === 'field' ? [...((element as HTMLInputElement).labels ?? [])] : [element]
    return tidy(labels.map(({ textContent }) => textContent).join(' '))
  }
  const all = [...document.querySelectorAll<HTMLElement>(KINDS[kind])].filter(
    (element) =>
      element.getClientRects().length > 0 &&
      getComputedStyle(element).visibility !== 'hidden' &&
      // A button behind a dialog may have the name of the dialog's own.
      !element.closest('[aria-hidden=true]'),
  )
  const element = all.find((one) => nameOf(one) === name)
  if (!element) return `no ${kind} "${name}", but ${all.map((one) => `"${nameOf(one)}"`).join(', ')}`
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const middle = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  }
  const before = middle()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { x, y } = middle()
  if (before.x !== x || before.y !== y) return `the ${kind} "${name}" is moving`
  const above = document.elementFromPoint(x, y)
  const isThere = element.contains(above) || Boolean(above?.contains(element))
  return isThere ? { x, y } : `above the ${kind} "${name}" lies ${above?.outerHTML.slice(0, 200)}`
}
