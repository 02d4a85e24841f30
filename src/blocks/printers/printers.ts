/// <reference types="w3c-web-usb" />
/// <reference types="w3c-web-serial" />
/// <reference types="web-bluetooth" />
import { within } from '../../domain/within.ts'
import type { Printer } from '../../state/receiptPrinter.ts'
import { PrinterFailure, type PrinterFailureCode } from './PrinterFailure.ts'

type Usb = Extract<Printer, { by: 'usb' }>
type Serial = Extract<Printer, { by: 'serial' }>
type Bluetooth = Extract<Printer, { by: 'bluetooth' }>

/**
 * Lets the person choose a printer in the browser's dialog; they must have pressed something before. Rejects with a NotFoundError if they choose
 * none.
 */
export async function choosePrinter(by: Printer['by']): Promise<Printer> {
  switch (by) {
    case 'usb': {
      const device = await navigator.usb.requestDevice({ filters: [{ classCode: USB_PRINTER_CLASS }] })
      const { productName, vendorId, productId, serialNumber } = device
      return { by, name: productName || 'USB printer', vendorId, productId, serialNumber: serialNumber ?? null }
    }
    case 'serial':
      return { by, name: 'Serial printer', ...serialIdentity(await navigator.serial.requestPort()) }
    case 'bluetooth': {
      const device = await navigator.bluetooth.requestDevice({ filters: BLUETOOTH_FILTERS, optionalServices: SERVICES })
      chosenBluetooth.set(device.id, device)
      return { by, name: device.name || 'Bluetooth printer', id: device.id }
    }
  }
}

/** Gives up the browser's permission to use the printer. */
export async function forgetPrinter(printer: Printer): Promise<void> {
  const device = await findDevice(printer)
  if (printer.by === 'bluetooth') chosenBluetooth.delete(printer.id)
  // A browser without `forget` keeps the permission until the person removes it in the settings.
  await device?.forget?.()
}

/**
 * Sends one receipt to the printer. USB and serial printers are closed afterwards, so that another tab can print. `baud` is for
 * serial ports. Throws a PrinterFailure.
 */
export async function writeToPrinter(printer: Printer, bytes: Uint8Array<ArrayBuffer>, baud: number): Promise<void> {
  switch (printer.by) {
    case 'usb':
      return writeUsb(await requirePresent(findUsb(printer)), bytes)
    case 'serial':
      return writeSerial(await requirePresent(findSerial(printer)), bytes, baud)
    case 'bluetooth':
      return writeBluetooth(await requirePresent(findBluetooth(printer)), bytes)
  }
}

async function requirePresent<D>(found: Promise<D | undefined>): Promise<D> {
  const device = await found
  if (!device) throw new PrinterFailure('PRINTER_GONE')
  return device
}

function findDevice(printer: Printer): Promise<USBDevice | SerialPort | BluetoothDevice | undefined> {
  switch (printer.by) {
    case 'usb':
      return findUsb(printer)
    case 'serial':
      return findSerial(printer)
    case 'bluetooth':
      return findBluetooth(printer)
  }
}

/** Finds the printer. Of equal printers without serial numbers, the first is taken. */
async function findUsb({ vendorId, productId, serialNumber }: Usb): Promise<USBDevice | undefined> {
  const all = (await navigator.usb?.getDevices()) ?? []
  const alike = all.filter((one) => one.vendorId === vendorId && one.productId === productId)
  return alike.find((one) => (one.serialNumber ?? null) === serialNumber) ?? alike[0]
}

function serialIdentity(port: SerialPort) {
  const { usbVendorId, usbProductId } = port.getInfo()
  return { vendorId: usbVendorId ?? null, productId: usbProductId ?? null }
}

async function findSerial({ vendorId, productId }: Serial): Promise<SerialPort | undefined> {
  const ports = (await navigator.serial?.getPorts()) ?? []
  return ports.find((port) => {
    const identity = serialIdentity(port)
    // Older browsers have no `connected`, and list only connected devices.
    return port.connected !== false && identity.vendorId === vendorId && identity.productId === productId
  })
}

/** The services through which receipt printers get their bytes, and the characteristic of each. */
const BLUETOOTH_PRINTING = {
  '000018f0-0000-1000-8000-00805f9b34fb': '00002af1-0000-1000-8000-00805f9b34fb',
  '49535343-fe7d-4ae5-8fa9-9fafd205e455': '49535343-8841-43f4-a8d4-ecbe34729bb3',
} as const

const SERVICES = Object.keys(BLUETOOTH_PRINTING)

/** Epson's mobile printers do not tell their services before they are connected. */
const BLUETOOTH_FILTERS = [...SERVICES.map((service) => ({ services: [service] })), { namePrefix: 'TM-P' }]

/** Most browsers know an allowed Bluetooth device only in the page where it was chosen. */
const chosenBluetooth = new Map<string, BluetoothDevice>()

async function findBluetooth({ id }: Bluetooth): Promise<BluetoothDevice | undefined> {
  const allowed = async () => (await navigator.bluetooth?.getDevices?.().catch(() => [])) ?? []
  return chosenBluetooth.get(id) ?? (await allowed()).find((device) => device.id === id)
}

type Bytes = Uint8Array<ArrayBuffer>

/** The USB class of printers of any maker. */
const USB_PRINTER_CLASS = 7

/** Throws a PrinterFailure. */
async function writeUsb(device: USBDevice, bytes: Bytes): Promise<void> {
  await failingAs('PRINTER_BUSY', device.open())
  try {
    if (!device.configuration) await failingAs('PRINTER_BUSY', device.selectConfiguration(1))
    const { interfaceNumber, alternateSetting, endpoint } = printingEndpoint(device)
    await failingAs('PRINTER_BUSY', device.claimInterface(interfaceNumber))
    if (alternateSetting > 0) await device.selectAlternateInterface(interfaceNumber, alternateSetting)
    await inPieces(bytes, 4096, async (piece) => {
      const { status } = await device.transferOut(endpoint, piece)
      if (status !== 'ok') throw new PrinterFailure('PRINTER_STUCK')
    })
  } finally {
    await device.close().catch(ignore)
  }
}

function printingEndpoint({ configuration }: USBDevice) {
  for (const { interfaceNumber, alternates } of configuration?.interfaces ?? []) {
    for (const { interfaceClass, alternateSetting, endpoints } of alternates) {
      const out = endpoints.find(({ direction, type }) => direction === 'out' && type === 'bulk')
      if (interfaceClass === USB_PRINTER_CLASS && out) {
        return { interfaceNumber, alternateSetting, endpoint: out.endpointNumber }
      }
    }
  }
  throw new PrinterFailure('PRINTER_UNKNOWN')
}

/** Throws a PrinterFailure. */
async function writeSerial(port: SerialPort, bytes: Bytes, baudRate: number): Promise<void> {
  await failingAs('PRINTER_BUSY', port.open({ baudRate }))
  const writer = port.writable!.getWriter()
  try {
    await inPieces(bytes, 512, (piece) => writer.write(piece))
    // Data that the system has accepted may still be on its way.
    await inTime(writer.close())
    writer.releaseLock()
    await port.close().catch(ignore)
  } catch (failure) {
    // `abort` and `close` are not awaited, because a printer that is stuck may block both.
    void writer.abort().catch(ignore)
    writer.releaseLock()
    void port.close().catch(ignore)
    throw failure
  }
}

/** Writes and stays connected: connecting takes seconds, and the last bytes may still be on their way. Throws a PrinterFailure. */
async function writeBluetooth({ gatt }: BluetoothDevice, bytes: Bytes): Promise<void> {
  const server = await failingAs('PRINTER_GONE', inTime(gatt!.connect()))
  const services = await failingAs('PRINTER_GONE', server.getPrimaryServices())
  const service = services.find(({ uuid }) => uuid in BLUETOOTH_PRINTING)
  if (!service) throw new PrinterFailure('PRINTER_UNKNOWN')
  const uuid = BLUETOOTH_PRINTING[service.uuid as keyof typeof BLUETOOTH_PRINTING]
  const characteristic = await failingAs('PRINTER_GONE', service.getCharacteristic(uuid))
  // The number of bytes that every printer accepts at once.
  await inPieces(bytes, 100, (piece) =>
    characteristic.properties.write
      ? characteristic.writeValueWithResponse(piece)
      : characteristic.writeValueWithoutResponse(piece),
  )
}

const ignore = () => undefined

const failingAs = <T>(code: PrinterFailureCode, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw cause instanceof PrinterFailure ? cause : new PrinterFailure(code, cause)
  })

async function inPieces(bytes: Bytes, size: number, write: (piece: Bytes) => Promise<unknown>) {
  for (let start = 0; start < bytes.length; start += size) {
    await failingAs('PRINTER_GONE', inTime(write(bytes.slice(start, start + size))))
  }
}

/** A printer without paper accepts nothing and reports nothing. */
const WRITE_WITHIN_MS = 10_000

const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(WRITE_WITHIN_MS, work, () => {
    throw new PrinterFailure('PRINTER_STUCK')
  })
