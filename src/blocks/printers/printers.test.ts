import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { choosePrinter, forgetPrinter, writeToPrinter } from './printers.ts'

const BYTES = Uint8Array.from({ length: 250 }, (_, at) => at)

const USB = { by: 'usb', name: 'POS58', vendorId: 1, productId: 2, serialNumber: 'A1' } as const
const SERIAL = { by: 'serial', name: 'Serial printer', vendorId: null, productId: null } as const

const never = () => new Promise<never>(() => undefined)

function usbDevice(changes: object = {}) {
  const endpoints = [{ direction: 'out', type: 'bulk', endpointNumber: 3 }]
  const alternates = [{ interfaceClass: 7, alternateSetting: 0, endpoints }]
  return {
    ...USB,
    configuration: { interfaces: [{ interfaceNumber: 0, alternates }] },
    open: vi.fn(async () => undefined),
    close: vi.fn(async () => undefined),
    claimInterface: vi.fn(async () => undefined),
    transferOut: vi.fn(async (_endpoint: number, _bytes: Uint8Array) => ({ status: 'ok' })),
    ...changes,
  }
}

const haveUsb = (...devices: object[]) => vi.stubGlobal('navigator', { usb: { getDevices: async () => devices } })

const haveSerial = (port: object) =>
  vi.stubGlobal('navigator', { serial: { getPorts: async () => [{ getInfo: () => ({}), ...port }] } })

async function expectStuck(written: Promise<void>) {
  const failure = written.catch((thrown: unknown) => thrown)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await failure).toMatchObject({ code: 'PRINTER_STUCK' })
}

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a printer on USB', () => {
  it('gets the receipt through its printing interface, and is given back', async () => {
    const device = usbDevice()
    haveUsb(usbDevice({ serialNumber: 'B2', open: never }), device)
    await writeToPrinter(USB, BYTES, 9600)
    expect(device.claimInterface).toHaveBeenCalledExactlyOnceWith(0)
    expect(device.transferOut).toHaveBeenCalledExactlyOnceWith(3, BYTES)
    expect(device.close).toHaveBeenCalledOnce()
  })

  it('is gone when it is not plugged in, and when it is unplugged in the middle', async () => {
    haveUsb()
    await expect(writeToPrinter(USB, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
    const device = usbDevice({ transferOut: () => Promise.reject(new DOMException('', 'NetworkError')) })
    haveUsb(device)
    await expect(writeToPrinter(USB, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
    expect(device.close).toHaveBeenCalledOnce()
  })

  it.each(['open', 'claimInterface'])('is busy when somebody else has it and `%s` is refused', async (step) => {
    haveUsb(usbDevice({ [step]: () => Promise.reject(new DOMException('', 'SecurityError')) }))
    await expect(writeToPrinter(USB, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_BUSY' })
  })

  it('is stuck when it takes nothing for ten seconds, as without paper, and when it says so', async () => {
    const device = usbDevice({ transferOut: never })
    haveUsb(device)
    await expectStuck(writeToPrinter(USB, BYTES, 9600))
    expect(device.close).toHaveBeenCalledOnce()
    haveUsb(usbDevice({ transferOut: async () => ({ status: 'stall' }) }))
    await expect(writeToPrinter(USB, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_STUCK' })
  })

  it('is unknown when it has no printing interface', async () => {
    haveUsb(usbDevice({ configuration: { interfaces: [] } }))
    await expect(writeToPrinter(USB, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_UNKNOWN' })
  })
})

describe('a printer on a serial port', () => {
  it('that is stuck is told after ten seconds, and not waited for', async () => {
    const close = vi.fn(never)
    haveSerial({ open: async () => undefined, writable: new WritableStream({ write: never }), close })
    await expectStuck(writeToPrinter(SERIAL, BYTES, 9600))
    expect(close).toHaveBeenCalledOnce()
  })

  it('is gone when its cable was pulled in the middle, and busy when another tab has it', async () => {
    const write = () => Promise.reject(new DOMException('', 'NetworkError'))
    haveSerial({ open: async () => undefined, writable: new WritableStream({ write }), close: write })
    await expect(writeToPrinter(SERIAL, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
    haveSerial({ open: () => Promise.reject(new DOMException('', 'InvalidStateError')) })
    await expect(writeToPrinter(SERIAL, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_BUSY' })
    haveSerial({ connected: false })
    await expect(writeToPrinter(SERIAL, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
  })
})

describe('a printer on Bluetooth', () => {
  it('gets the receipt in small pieces while the page that chose it lives, and is gone out of range', async () => {
    const written: number[][] = []
    const characteristic = {
      properties: { write: true },
      writeValueWithResponse: async (piece: Uint8Array) => void written.push([...piece]),
    }
    const getCharacteristic = vi.fn(async () => characteristic)
    const service = { uuid: '000018f0-0000-1000-8000-00805f9b34fb', getCharacteristic }
    const connect = vi.fn(async () => ({ getPrimaryServices: async () => [service] }))
    const forget = vi.fn(async () => undefined)
    const device = { id: 'x', name: 'MPT-II', gatt: { connect }, forget }
    vi.stubGlobal('navigator', { bluetooth: { requestDevice: async () => device } })
    const printer = await choosePrinter('bluetooth')
    expect(printer).toEqual({ by: 'bluetooth', name: 'MPT-II', id: 'x' })
    await writeToPrinter(printer, BYTES, 9600)
    expect(written.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(written.flat()).toEqual([...BYTES])
    expect(getCharacteristic).toHaveBeenCalledExactlyOnceWith('00002af1-0000-1000-8000-00805f9b34fb')
    connect.mockRejectedValueOnce(new DOMException('', 'NetworkError'))
    await expect(writeToPrinter(printer, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
    await forgetPrinter(printer)
    expect(forget).toHaveBeenCalledOnce()
    await expect(writeToPrinter(printer, BYTES, 9600)).rejects.toMatchObject({ code: 'PRINTER_GONE' })
  })
})
