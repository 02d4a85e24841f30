import type { Page } from '@playwright/test'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { readyOffline, scan, logIn } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker, type Camera } from '../../support/browser/cameraFixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import type { Scene } from '../../support/browser/scene.ts'
import { makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { inTray, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

const VERIFY = '/api/voucher/verify'
const HOLD = 'Hold the barcode or QR code inside the frame'
const JUST_SCANNED = 'This voucher was just scanned. Take it away before you show it again.'

/** The same voucher as a barcode and as a QR code. */
const PRINTS = {
  'EAN-13': (serial: string) => ({ kind: 'ean13', text: serial }) as const,
  'QR code': (serial: string) => ({ kind: 'qrcode', text: `HRP1.${serial}` }) as const,
}
type Print = keyof typeof PRINTS

const scanner = (page: Page) => page.getByRole('region', { name: 'Camera' })
const words = (page: Page) => scanner(page).getByRole('status')
const isGood = (page: Page) => inTray(page, 'Good')
const useCamera = (page: Page) => page.getByRole('button', { name: 'Use camera' }).click()
const verified = (origin: PortalOrigin) =>
  origin.sent('POST', VERIFY).map(({ body }) => (JSON.parse(body) as { serial: string }).serial)

async function atTheCounter(page: Page, origin: PortalOrigin) {
  await logIn(page, await makePosUser(origin.database.db))
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
}

const newVoucher = (origin: PortalOrigin) => makeVoucher(origin.database.db, { denominationCents: 1000 })

async function showVoucher(camera: Camera, origin: PortalOrigin, print: Print = 'EAN-13', how: Scene = {}) {
  const voucher = await newVoucher(origin)
  await camera.shows({ codes: [PRINTS[print](voucher.serial)], ...how })
  return voucher
}

/** States of the tracks in the stream that the screen shows or showed last. */
const trackStates = (page: Page) =>
  page.evaluate(() => {
    const stream = document.querySelector('video')?.srcObject as MediaStream | null
    return stream?.getTracks().map(({ readyState }) => readyState) ?? []
  })

const CONDITIONS: Record<string, Scene> = {
  clean: {},
  small: { size: 0.5 },
  blurred: { blur: 1.8 },
  'turned a little': { rotate: 12 },
  'turned halfway to upright': { rotate: 45 },
  'upside down': { rotate: 180 },
  'in low light': { light: 0.15 },
}

for (const print of Object.keys(PRINTS) as Print[]) {
  test(`the camera reads ${print}: ${Object.keys(CONDITIONS).join(', ')}`, async ({ page, origin, camera }) => {
    test.slow()
    await atTheCounter(page, origin)
    await useCamera(page)
    for (const [name, how] of Object.entries(CONDITIONS)) {
      await test.step(name, async () => {
        const voucher = await showVoucher(camera, origin, print, how)
        // The fake camera takes the new picture when it is opened again.
        await page.reload()
        await expect(isGood(page)).toBeVisible()
        expect(verified(origin).at(-1)).toBe(voucher.serial)
        await page.getByRole('button', { name: 'Clear' }).click()
        await expect(isGood(page)).toHaveCount(0)
      })
    }
    expect(verified(origin)).toHaveLength(Object.keys(CONDITIONS).length)
  })
}

testWithWorker(
  'offline 68: the reader reads without a connection, from this origin alone @short',
  async ({ page, context, origin, camera }) => {
    const hosts = new Set<string>()
    context.on('request', (request) => hosts.add(new URL(request.url()).host))
    await atTheCounter(page, origin)
    await readyOffline(page)
    await expect.poll(() => keptReader(page)).toHaveLength(2)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    const voucher = await showVoucher(camera, origin)
    await useCamera(page)
    // Case 67: the code is read, and reported as unchecked.
    await expect(inTray(page, 'Cannot be checked now')).toContainText(voucher.serial.slice(1, 7))
    expect([...hosts]).toEqual([new URL(origin.url).host])
  },
)

testWithWorker(
  'offline 68: the reader comes to counters alone, and a new build has it there before it takes over',
  async ({ page, origin, context }) => {
    await logIn(page, (await makeMerchant(origin.database.db)).main)
    await readyOffline(page)
    expect(await keptReader(page)).toEqual([])
    expect(origin.requests.filter(({ path }) => /zxing|decoder/.test(path))).toEqual([])
    await context.clearCookies()
    await page.evaluate(() => localStorage.clear())
    await atTheCounter(page, origin)
    await expect.poll(() => keptReader(page)).toHaveLength(2)
    // Like a browser that needs room; the device remains a counter.
    await page.evaluate(async (name) => {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) await cache.delete(request)
    }, READER_CACHE)
    origin.deploy('2')
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await expect.poll(() => keptReader(page)).toHaveLength(2)
  },
)

const READER_CACHE = 'barcode-reader'

/** Addresses of the reader's files that the service worker keeps on this device. */
const keptReader = (page: Page) =>
  page.evaluate(
    async (name) => ((await caches.has(name)) ? (await (await caches.open(name)).keys()).map(({ url }) => url) : []),
    READER_CACHE,
  )

test('the camera starts on the word of a person, which the device remembers, and ends on it', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({})
  await atTheCounter(page, origin)
  await expect(scanner(page).getByText('Scan with the hand scanner, or use the camera')).toBeVisible()
  expect(await trackStates(page)).toEqual([])
  await page.getByRole('button', { name: 'Use camera' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  await expect(scanner(page).getByText(HOLD)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeFocused()
  await page.reload()
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect.poll(() => trackStates(page)).toEqual(['ended'])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Use camera' })).toBeVisible()
  expect(await trackStates(page)).toEqual([])
})

test('the camera is let go while nobody looks, stays on while the tray fills, and is let go for a verdict', async ({
  page,
  origin,
  camera,
}) => {
  await page.addInitScript(() => {
    const opened: MediaStreamTrack[] = []
    const { mediaDevices } = navigator
    const real = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async (wish) => {
      const stream = await real(wish)
      opened.push(...stream.getTracks())
      return stream
    }
    Object.assign(globalThis, { opened })
  })
  const openTracks = () =>
    page.evaluate(
      () =>
        (globalThis as unknown as { opened: MediaStreamTrack[] }).opened.filter(
          ({ readyState }) => readyState === 'live',
        ).length,
    )
  await camera.shows({})
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect.poll(openTracks).toBe(1)
  await setVisibility(page, 'hidden')
  await expect.poll(openTracks).toBe(0)
  const voucher = await showVoucher(camera, origin, 'QR code')
  await setVisibility(page, 'visible')
  await expect(isGood(page)).toBeVisible()
  expect(await openTracks()).toBe(1)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect.poll(openTracks).toBe(0)
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect.poll(openTracks).toBe(1)
  expect(verified(origin)).toEqual([voucher.serial])
})

const setVisibility = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a voucher that still lies there is not scanned anew, in the tray, given back or after its verdict @short', async ({
  page,
  origin,
  camera,
}) => {
  const voucher = await showVoucher(camera, origin)
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(isGood(page)).toBeVisible()
  await expect(words(page)).toHaveText('This voucher is in the tray. Take it away, and show the next one.')
  await page.getByRole('button', { name: `Give back ${formatSerial(voucher.serial)}` }).click()
  await expect(isGood(page)).toHaveCount(0)
  await expect(words(page)).toHaveText(JUST_SCANNED)
  expect(verified(origin)).toEqual([voucher.serial])
  await scan(page, voucher.serial, isGood(page))
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(words(page)).toHaveText(JUST_SCANNED)
  expect(verified(origin)).toEqual([voucher.serial, voucher.serial])
})

test('what is no voucher, and more than one, is said and nothing is asked of the server', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({ codes: [{ kind: 'ean13', text: '4006381333931' }] })
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(words(page)).toHaveText('This code is not a voucher of the programme.')
  const [one, two] = [await newVoucher(origin), await newVoucher(origin)]
  const codes = [
    { ...PRINTS['QR code'](one.serial), left: 330, top: 220 },
    { ...PRINTS['QR code'](two.serial), left: 680, top: 220 },
  ]
  await camera.shows({ codes, size: 0.8 })
  await page.reload()
  await expect(words(page)).toHaveText('More than one voucher is in view. Show one at a time.')
  expect(verified(origin)).toEqual([])
})

test('hand scanner and number go on working beside the camera', async ({ page, origin, camera }) => {
  await camera.shows({})
  const [scanned, typed, instead] = [await newVoucher(origin), await newVoucher(origin), await newVoucher(origin)]
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  await page.getByLabel('Or type the serial number').focus()
  await scan(page, scanned.serial, isGood(page))
  expect(await trackStates(page)).toEqual(['live'])
  await page.getByRole('button', { name: 'Type a number' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeFocused()
  await page.getByLabel('Or type the serial number').fill(typed.serial)
  await page.keyboard.press('Enter')
  await expect(isGood(page)).toHaveCount(2)
  // A scan is shown even when a number was about to be typed.
  await page.getByRole('button', { name: 'Type a number' }).click()
  await scan(page, instead.serial, isGood(page).filter({ hasText: formatSerial(instead.serial) }))
  await expect(page.getByLabel('Or type the serial number')).toBeHidden()
  expect(await trackStates(page)).toEqual(['live'])
  expect(verified(origin)).toEqual([scanned.serial, typed.serial, instead.serial])
})

test('a camera that is not allowed is explained, stops nobody, and is tried again on a word', async ({
  page,
  context,
  origin,
  camera,
}) => {
  const voucher = await showVoucher(camera, origin)
  await context.clearPermissions()
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(words(page)).toHaveText(
    /^This browser does not let the portal use the camera\. Allow it beside the address/,
  )
  const typed = await newVoucher(origin)
  await verifySerial(page, typed.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await page.getByRole('button', { name: 'Next customer' }).click()
  // The page does not ask again by itself.
  await useCamera(page)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.grantPermissions(['camera'])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(isGood(page)).toBeVisible()
  expect(verified(origin)).toEqual([typed.serial, voucher.serial])
})

test('a reader that was lost on the way is said as it is, and loaded again on a word', async ({
  page,
  origin,
  camera,
}) => {
  const isReader = ({ path }: { path: string }) => path.endsWith('.wasm')
  await origin.setConnection({ kind: 'refuse' }, isReader)
  const voucher = await showVoucher(camera, origin)
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(isGood(page)).toBeVisible()
  expect(verified(origin)).toEqual([voucher.serial])
})

test('a missing camera is named, and found when it is there', async ({ page, origin, camera }) => {
  await camera.goesMissing()
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(words(page)).toHaveText(/^No camera was found\./)
  await expectNoAxeViolations(page)
  const voucher = await showVoucher(camera, origin)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(isGood(page)).toBeVisible()
  expect(verified(origin)).toEqual([voucher.serial])
})

test('waiting for the permission, a camera in use elsewhere, and one that is pulled out each have their words', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({})
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const real = mediaDevices.getUserMedia.bind(mediaDevices)
    let asked = 0
    mediaDevices.getUserMedia = (wish) => {
      asked += 1
      if (asked > 1) return real(wish)
      return new Promise((_, reject) =>
        addEventListener('answered', () => reject(new DOMException('in use', 'NotReadableError'))),
      )
    }
  })
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(words(page)).toHaveText('Starting the camera. If the browser asks, allow it.')
  await page.evaluate(() => dispatchEvent(new Event('answered')))
  await expect(words(page)).toHaveText('The camera is in use by another app. Close it there, then try again.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  await expect(scanner(page).getByText(HOLD)).toBeVisible()
  await page.evaluate(() => {
    const stream = document.querySelector('video')?.srcObject as MediaStream
    stream.getVideoTracks()[0]?.dispatchEvent(new Event('ended'))
  })
  await expect(words(page)).toHaveText(/^The camera stopped\./)
  expect(await trackStates(page)).toEqual(['ended'])
})

test('a browser that hides pictures from the portal is named, and its camera stays off', async ({
  page,
  origin,
  camera,
}) => {
  await showVoucher(camera, origin)
  await page.addInitScript(() => {
    const canvas = CanvasRenderingContext2D.prototype
    canvas.getImageData = (_x, _y, width, height) => {
      const stripes = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => (at * 37) % 256)
      return new ImageData(stripes, width, height)
    }
  })
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(words(page)).toHaveText(
    'This browser hides pictures from the portal. Use the hand scanner or the number.',
  )
  expect(await trackStates(page)).toEqual([])
})

test('a camera with a light has a switch for it', async ({ page, origin, camera }) => {
  await camera.shows({})
  await page.addInitScript(() => {
    const switched: unknown[] = []
    const track = MediaStreamTrack.prototype
    track.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities
    track.applyConstraints = async (wish) => void switched.push(wish?.advanced?.[0])
    Object.assign(globalThis, { switched })
  })
  await atTheCounter(page, origin)
  await useCamera(page)
  const light = page.getByRole('button', { name: 'Light' })
  await expect(light).toHaveAttribute('aria-pressed', 'false')
  await light.click()
  await expect(light).toHaveAttribute('aria-pressed', 'true')
  await light.click()
  await expect(light).toHaveAttribute('aria-pressed', 'false')
  const switched = await page.evaluate(() => (globalThis as unknown as { switched: unknown[] }).switched)
  expect(switched).toEqual([{ torch: true }, { torch: false }])
})

test('the counter with its camera on is accessible, on a phone too, and needs no scrolling on a low tablet', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({})
  await atTheCounter(page, origin)
  await useCamera(page)
  await expect(scanner(page).getByText(HOLD)).toBeVisible()
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeViolations(page)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1024, height: 600 })
  const overflow = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  expect(await overflow()).toBeLessThanOrEqual(0)
  // With vouchers in the tray the list scrolls, and the action stays in view.
  for (let count = 1; count <= 4; count += 1) {
    await verifySerial(page, (await newVoucher(origin)).serial)
    await expect(isGood(page)).toHaveCount(count)
  }
  expect(await overflow()).toBeLessThanOrEqual(0)
  await expect(page.getByRole('button', { name: 'Redeem 4 vouchers, $40.00' })).toBeInViewport({ ratio: 1 })
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeViolations(page)
  await expectNoSidewaysScroll(page)
})
