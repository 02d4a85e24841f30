import { expect, type Page } from '@playwright/test'
import { readEscPos } from './readEscPos.ts'

/** A receipt printer that the test controls, because no test machine has a real one. */
export interface FakePrinter {
  /** `busy`: another program uses it. `unplugged`: also while a receipt is being printed. */
  state: 'on' | 'busy' | 'unplugged'
  /** True if the user chose it in the browser's dialog. */
  isAllowed: boolean
  /** The user's answer in that dialog. `forbid`: a policy answers instead, at once and with the same error. */
  answer: 'choose' | 'close' | 'forbid'
  /** How often the browser has shown the dialog. */
  asked: number
  bytes: number[]
  /** The baud rate with which the serial port was last opened. */
  baud: number | undefined
  /** Returns everything printed since the last call. */
  paper(): ReturnType<typeof readEscPos>
  /** Changes the state and tells the page. */
  turn(state: FakePrinter['state']): Promise<void>
}

type Act = 'choose' | 'look' | 'open' | 'write' | 'forget'

/** Replaces `navigator.usb` and `navigator.serial` of every page, with one printer on a cable. */
export async function connectFakePrinter(page: Page): Promise<FakePrinter> {
  const printer: FakePrinter = {
    state: 'on',
    isAllowed: false,
    answer: 'choose',
    asked: 0,
    bytes: [],
    baud: undefined,
    paper() {
      return readEscPos(Uint8Array.from(printer.bytes.splice(0)))
    },
    async turn(state) {
      printer.state = state
      const event = state === 'unplugged' ? 'disconnect' : 'connect'
      await page.evaluate((name) => {
        for (const api of ['usb', 'serial'] as const) navigator[api as never as 'usb'].dispatchEvent(new Event(name))
      }, event)
    },
  }
  /** Returns the name of the error as text, because a DOMException cannot be passed to the page. */
  const act = async (what: Act, value?: number[] | number): Promise<string | undefined> => {
    if (what === 'choose') {
      // Nobody closes the browser's list faster.
      if (printer.answer === 'close') await new Promise((resolve) => setTimeout(resolve, 800))
      printer.asked++
      printer.isAllowed ||= printer.answer === 'choose'
      return printer.answer === 'choose' ? undefined : 'NotFoundError'
    }
    if (what === 'look') return printer.isAllowed && printer.state !== 'unplugged' ? undefined : 'away'
    if (what === 'forget') return void (printer.isAllowed = false)
    if (printer.state === 'unplugged') return 'NetworkError'
    if (what === 'open') {
      printer.baud = value as number | undefined
      return printer.state === 'busy' ? 'SecurityError' : undefined
    }
    printer.bytes.push(...(value as number[]))
    return undefined
  }
  await page.exposeFunction('fakePrinter', act)
  await page.addInitScript(installFakePrinter)
  return printer
}

/** Runs in the page. */
function installFakePrinter() {
  const { fakePrinter } = window as never as {
    fakePrinter: (act: string, value?: unknown) => Promise<string | undefined>
  }
  const act = async (what: string, value?: unknown) => {
    const failure = await fakePrinter(what, value)
    if (failure) throw new DOMException('The fake printer refuses', failure)
  }
  const install = (api: string, members: object) =>
    Object.defineProperty(navigator, api, { value: Object.assign(new EventTarget(), members), configurable: true })
  const listed = async <D>(device: D) => ((await fakePrinter('look')) ? [] : [device])
  const chosen = async <D>(device: D) => {
    await act('choose')
    return device
  }

  const endpoints = [{ direction: 'out', type: 'bulk', endpointNumber: 3 }]
  const alternates = [{ interfaceClass: 7, alternateSetting: 0, endpoints }]
  const device = {
    vendorId: 0x28e9,
    productId: 0x0289,
    serialNumber: 'A1',
    productName: 'POS58 Printer',
    configuration: null as object | null,
    open: () => act('open'),
    close: async () => undefined,
    forget: () => act('forget'),
    claimInterface: async () => undefined,
    selectConfiguration: async () => {
      device.configuration = { interfaces: [{ interfaceNumber: 0, alternates }] }
    },
    transferOut: async (_: number, bytes: Uint8Array) => {
      await act('write', [...bytes])
      return { status: 'ok', bytesWritten: bytes.length }
    },
  }
  install('usb', { getDevices: () => listed(device), requestDevice: () => chosen(device) })

  const port = {
    connected: true,
    writable: null as WritableStream<Uint8Array> | null,
    getInfo: () => ({ usbVendorId: 0x1a86, usbProductId: 0x7523 }),
    open: async ({ baudRate }: { baudRate: number }) => {
      await act('open', baudRate)
      port.writable = new WritableStream({ write: (bytes) => act('write', [...bytes]) })
    },
    close: async () => undefined,
    forget: () => act('forget'),
  }
  install('serial', { getPorts: () => listed(port), requestPort: () => chosen(port) })
}

/** Counts the calls of `window.print`. The print dialog itself is not a page that a test could see. */
export async function countPrints(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { prints: 0 })
    window.print = () => {
      ;(window as never as { prints: number }).prints += 1
      dispatchEvent(new Event('beforeprint'))
    }
  })
  return () => page.evaluate(() => (window as never as { prints: number }).prints)
}

/** Presses Tab until the control has the focus, then Enter. */
export async function pressByKeyboard(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
  await expect(control).toBeVisible()
  await expect(control).not.toHaveAttribute('aria-disabled', 'true')
  const isThere = () => control.evaluate((element) => element === document.activeElement)
  do await page.keyboard.press('Tab')
  while (!(await isThere()))
  await page.keyboard.press('Enter')
}
