import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser, type JSHandle, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn } from '../support/accounts/logIn.ts'
import { build } from '../support/browser/builds.ts'
import { headlessShellLaunch } from '../support/browser/chromium.ts'
import { startPortalOrigin, type PortalOrigin } from '../support/browser/portalOrigin.ts'
import { makeMerchant, makeSerial, makeVoucher } from '../support/database/builders.ts'
import { makeDevices, merchantWithPast } from '../support/merchants/merchantWithPast.ts'
import { inTray, verdict, verifySerial } from '../support/redemptions/counterPage.ts'

const IBM = 'accessibility-checker-engine@4.0.34'
/** The versions that share their parts: with others each rule is "inapplicable" (findings/alfa-another-copy-finds-nothing.sh). */
const ALFA = ['@siteimprove/alfa-rules@0.112.0', '@siteimprove/alfa-act@0.112.0', '@siteimprove/alfa-playwright@0.81.4']
const READER = '@guidepup/virtual-screen-reader@0.33.0'

/** The two settings that differ most; with `A11Y_SETTINGS=all` all four. */
const SETTINGS = (
  [
    { width: 390, height: 844, colorScheme: 'dark' },
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'light' },
    { width: 1280, height: 800, colorScheme: 'dark' },
  ] as const
).slice(0, process.env['A11Y_SETTINGS'] === 'all' ? 4 : 2)

const NO_FAULT = [
  // IBM takes only `email` for a field of type email. The login says `username`, by which password managers know it; the keyboard is that of an address.
  'input_autocomplete_valid',
  // Alfa wants a cell below each head. A list without rows keeps its head, and says below it that there is nothing.
  'sia-r46',
]

let folder: string
let browser: Browser
let origin: PortalOrigin
let alfa: (page: Page) => Promise<string[]>
let ibm: string
let reader: string

describe(`${IBM}, ${ALFA[0]} and ${READER}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'accessibility-'))
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    await Promise.all([
      promisify(execFile)('npm', [...install, IBM, READER, ...ALFA]),
      process.env['BUILDS'] === 'made' ? undefined : build('1'),
    ])
    const read = (path: string) => readFile(join(folder, 'node_modules', path), 'utf8')
    ibm = await read('accessibility-checker-engine/ace.js')
    reader = await read('@guidepup/virtual-screen-reader/lib/esm/index.browser.js')
    alfa = await loadAlfa()
    origin = await startPortalOrigin()
    browser = await chromium.launch(headlessShellLaunch())
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await origin.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('find what was planted', async () => {
    const page = await newPage()
    await page.goto('/404')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(() => {
      const button = document.createElement('button')
      button.ariaLabel = 'Refresh branches now'
      button.textContent = 'Refresh now'
      document.querySelector('main')!.append(button)
    })
    const found = (await findHere(page, 'planted')).join()
    for (const rule of ['label_name_visible', 'sia-r14']) expect(found).toContain(rule)
  }, 60_000)

  it('find nothing on the screens of a merchant', async () => {
    const merchant = await merchantWithPast(origin)
    await makeDevices(origin, merchant)
    const { main, branch, master } = merchant
    const page = await newPage()
    await logIn(page, main)
    const paths = [
      '/dashboard',
      '/vouchers',
      '/branches',
      `/branches/${branch.id}/view`,
      `/branches/${branch.id}/edit`,
      '/branches/create',
      '/masters',
      `/masters/${master.id}/edit`,
      '/profile',
      '/profile/edit',
      '/reports',
      '/reports/transaction-report',
      '/reports/losses',
      '/resources',
      '/downloads',
      '/activity',
      '/devices',
      '/imports/branches',
      '/imports/pos-users',
      '/settings/device',
      '/404',
    ]
    expect(await findOn(page, paths)).toEqual([])
  }, 300_000)

  it('find nothing on the screens of a visitor and an applicant', async () => {
    const page = await newPage()
    const paths = ['/login', '/login?as=pos', '/login?step=forgot', '/register?type=hrp', '/help', '/terms-of-use']
    const found = await findOn(page, paths)
    const { main } = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation')
    await logIn(page, main)
    expect([...found, ...(await findOn(page, ['/onboarding']))]).toEqual([])
  }, 120_000)

  it('find nothing at the counter', async () => {
    const { till } = await merchantWithPast(origin)
    const page = await newPage()
    await logIn(page, till)
    await page.getByLabel('Or type the serial number').waitFor()
    const found = await findHere(page, 'counter')
    await check(page)
    found.push(...(await findHere(page, 'tray')))
    await redeem(page)
    found.push(...(await findHere(page, 'redeemed')))
    await page.getByRole('button', { name: 'Next customer' }).click()
    await page.getByRole('link', { name: 'My day' }).click()
    await page.getByRole('heading', { level: 1, name: 'My day' }).waitFor()
    expect([...found, ...(await findHere(page, 'my day'))]).toEqual([])
  }, 120_000)

  it('say each verdict once, also the same one for the next voucher, and a late one', async () => {
    const { till } = await merchantWithPast(origin)
    const page = await newPage()
    await logIn(page, till)
    await page.getByLabel('Or type the serial number').waitFor()
    const heard = await listen(page)
    const next = () => page.getByRole('button', { name: 'Next customer' }).click()
    for (let n = 0; n < 2; n += 1) {
      await check(page)
      await redeem(page)
      await next()
    }
    await check(page)
    await origin.setConnection({ kind: 'slow', delayMs: 2_000 }, ({ path }) => path === '/api/till/sync')
    await redeem(page)
    await origin.restore()
    await next()
    for (let n = 0; n < 2; n += 1) {
      await verifySerial(page, makeSerial())
      await inTray(page, 'Unknown voucher').waitFor()
      await next()
    }
    const redeemed = 'assertive: Redeemed. Take $10.00 off the bill.'
    const waiting = 'assertive: Redeemed – will upload. Take $10.00 off the bill.'
    const unknown = 'assertive: Unknown voucher. Take nothing off the bill.'
    const verdicts = (await heard()).filter((phrase) => phrase.includes('off the bill'))
    expect(verdicts).toEqual([redeemed, redeemed, waiting, redeemed, unknown, unknown])
  }, 120_000)
})

async function check(page: Page): Promise<void> {
  const { serial } = await makeVoucher(origin.database.db, { denominationCents: 1_000 })
  await verifySerial(page, serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).waitFor()
}

async function redeem(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await verdict(page, 'Redeemed').waitFor()
}

async function newPage(): Promise<Page> {
  const settings = { baseURL: origin.url, serviceWorkers: 'block', reducedMotion: 'reduce', locale: 'en-SG' } as const
  const context = await browser.newContext(settings)
  return context.newPage()
}

async function findOn(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-skeleton], #first'))
    found.push(...(await findHere(page, path)))
  }
  return found
}

async function findHere(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const { width, height, colorScheme } of SETTINGS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const both = await Promise.all([alfa(page), ibmFindings(page)])
    found.push(...both.flat().map((one) => `${name}, ${width} ${colorScheme}: ${one}`))
  }
  return found.filter((one) => !NO_FAULT.some((rule) => one.includes(rule)))
}

interface IbmReport {
  results: { ruleId: string; value: [string, string]; message: string; path: { dom: string } }[]
}

interface Ace {
  Checker: new () => { check: (root: Document, rulesets: string[]) => Promise<IbmReport> }
}

/** Only what is certain: what IBM calls potential is a question to a person. */
async function ibmFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'ace' in globalThis))) {
    await page.evaluate(ibm)
    await page.evaluate(hideByClip)
  }
  return page.evaluate(async () => {
    const { Checker } = (globalThis as unknown as { ace: Ace }).ace
    const { results } = await new Checker().check(document, ['IBM_Accessibility'])
    return results
      .filter(({ value: [, outcome] }) => outcome === 'FAIL')
      .map(({ ruleId, message, path }) => `${ruleId}: ${message} at ${path.dom}`)
  })
}

/** IBM takes what is hidden by `clip-path` for hidden from screen readers too (findings/equal-access-clip-path.sh), and what is hidden by `clip` not. */
function hideByClip(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.sr-only { clip-path: none !important; clip: rect(0 0 0 0) !important }')
  const narrow = '.table.fold thead { clip-path: none !important; clip: rect(0 0 0 0) !important }'
  sheet.insertRule(`@media (max-width: 640px) { ${narrow} }`)
  document.adoptedStyleSheets.push(sheet)
}

interface Outcome {
  rule: { uri: string }
  target: { toString: () => string }
  toJSON: () => { outcome: string }
}

interface Rule {
  hasRequirement: (is: (requirement: unknown) => boolean) => boolean
}

/** The parts of Alfa that are used here. */
interface AlfaParts {
  default: { filter: (is: (rule: Rule) => boolean) => unknown }
  Criterion: { isCriterion: (requirement: unknown) => boolean }
  Conformance: { isAA: () => (criterion: unknown) => boolean }
  Audit: { of: (page: unknown, rules: unknown) => { evaluate: () => Promise<Iterable<Outcome>> } }
  Playwright: { toPage: (document: JSHandle) => Promise<unknown> }
}

async function loadAlfa() {
  const load = (name: string) => {
    const file = join(folder, `node_modules/@siteimprove/${name}/dist/index.js`)
    return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<AlfaParts>
  }
  const { default: rules } = await load('alfa-rules')
  const { Audit } = await load('alfa-act')
  const { Playwright } = await load('alfa-playwright')
  const { Conformance, Criterion } = await load('alfa-wcag')
  const isAA = Conformance.isAA()
  const rulesOfAA = rules.filter((rule) => rule.hasRequirement((one) => Criterion.isCriterion(one) && isAA(one)))
  return async (page: Page): Promise<string[]> => {
    const handle = await page.evaluateHandle(() => document)
    const outcomes = await Audit.of(await Playwright.toPage(handle), rulesOfAA).evaluate()
    await handle.dispose()
    return [...outcomes]
      .filter((outcome) => outcome.toJSON().outcome === 'failed')
      .map(({ rule, target }) => `${rule.uri}: ${target.toString()}`)
  }
}

interface Reader {
  start: (where: { container: Element }) => Promise<void>
  spokenPhraseLog: () => Promise<string[]>
}

/** Starts the screen reader in the page. Returns what it has said so far. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const script = reader.replace(/export\{.*,(\S+) as virtual\}/, 'globalThis.virtual = $1')
  await page.evaluate(`(() => {${script}\n})()`)
  await page.evaluate(() => (globalThis as unknown as { virtual: Reader }).virtual.start({ container: document.body }))
  return () => page.evaluate(() => (globalThis as unknown as { virtual: Reader }).virtual.spokenPhraseLog())
}
