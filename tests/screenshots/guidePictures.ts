import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { demoContext, logInToDemo, photograph } from './startDemo.ts'

const FOLDER = join(import.meta.dirname, '../../docs/guide')

const HEAD = 'Branch name,Branch code,Login email,Address,Postal code,Contact number'
const CONTACT = 'Financial contact name,Financial contact email,Financial contact number,Branch PIN'
const PERSON = 'Nadia Rahim,finance@demo.example,+65 6555 0143'

/** Two of the four rows need a correction. */
const BRANCHES = [
  `${HEAD},${CONTACT}`,
  `Bedok Mall,BDK1,bedok.mall@demo.example,311 New Upper Changi Road,467360,+65 6555 0101,${PERSON},482913`,
  `Clementi Hub,CLM1,clementi@demo,3155 Commonwealth Avenue West,129588,+65 6555 0102,${PERSON},739164`,
  `Jurong Point,JRG1,jurong.point@demo.example,1 Jurong West Central 2,648886,+65 6555 0103,${PERSON},615829`,
  `Pasir Ris Mall,PSR1,pasirris@demo.example,7 Pasir Ris Central,51,+65 6555 0104,${PERSON},394628`,
].join('\n')

interface Picture {
  account?: string
  show: (page: Page, serial: string) => Promise<void>
}

/** Pictures of docs/GUIDE.md by file name: the account, and the steps to the picture. */
const PICTURES: Record<string, Picture> = {
  login: {
    show: async (page) => {
      await page.goto('/register')
      await page.waitForLoadState('networkidle')
      await page.getByRole('link', { name: 'Login' }).click()
      await page.getByRole('heading', { name: 'Try the demo' }).waitFor()
    },
  },
  vouchers: { account: 'main@demo.example', show: (page) => open(page, '/vouchers') },
  dashboard: { account: 'main@demo.example', show: (page) => open(page, '/dashboard') },
  device: { account: 'main@demo.example', show: (page) => open(page, '/settings/device') },
  import: {
    account: 'main@demo.example',
    show: async (page) => {
      await open(page, '/imports/branches')
      const file = { name: 'branches.csv', mimeType: 'text/csv', buffer: Buffer.from(BRANCHES) }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('button', { name: 'Import 2 branches' }).waitFor()
    },
  },
  offline: {
    account: 'main@demo.example',
    show: async (page) => {
      await open(page, '/branches')
      await page.context().setOffline(true)
      await page.reload()
      await page.getByRole('button', { name: 'Try now' }).waitFor()
    },
  },
  counter: {
    account: 'till-1',
    show: async (page, serial) => {
      // Exact: the counter's address is there a moment before its screen, and "Username" contains the word.
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Till 2')
      await page.getByRole('button', { name: 'Use this name' }).click()
      await page.getByRole('button', { name: 'Go to the counter' }).click()
      await page.getByLabel('Or type the serial number').fill(serial)
      await page.getByRole('button', { name: 'Check voucher' }).click()
      await page.getByRole('button', { name: /^Redeem \$/ }).waitFor()
      await page.getByText('Ready offline').first().waitFor()
    },
  },
}

type Keep = (picture: Buffer, name: string, folder: string) => Promise<void>

export async function takeGuidePictures(
  browser: Browser,
  { url, serial }: { url: string; serial: string },
  keep: Keep,
): Promise<void> {
  for (const [name, { account, show }] of Object.entries(PICTURES)) {
    const context = await demoContext(browser, url, { viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    if (account) await logInToDemo(page, account)
    await show(page, serial)
    await keep(await photograph(page), `${name}.png`, FOLDER)
    await context.close()
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'This device: Ready offline' }).waitFor()
  await page.waitForLoadState('networkidle')
}
