/// <reference types="w3c-web-usb" />
/// <reference types="w3c-web-serial" />
/// <reference types="web-bluetooth" />
import type { Printer } from '../../state/receiptPrinter.ts'
import { PrinterFailure } from './PrinterFailure.ts'
import { BLUETOOTH_PRINTING, USB_PRINTER_CLASS, writeBluetooth, writeSerial, writeUsb } from './printerTransfers.ts'

type Usb = Extract<Printer, { by: 'usb' }>
type Serial = Extract<Printer, { by: 'serial' }>
type Bluetooth = Extract<Printer, { by: 'bluetooth' }>

/** The browser asks the person, who has to have pressed something. Rejects with a NotFoundError when they choose none. */
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

/** Whether the browser can reach it, as far as it says: of Bluetooth it does not know before it tries. */
export const isPrinterHere = async (printer: Printer): Promise<boolean> => (await findDevice(printer)) !== undefined

/** Gives back what the person allowed: the browser does not offer the printer to this page any more. */
export async function forgetPrinter(printer: Printer): Promise<void> {
  const device = await findDevice(printer)
  if (printer.by === 'bluetooth') chosenBluetooth.delete(printer.id)
  // Without it the person takes the permission back in the browser's settings.
  await device?.forget?.()
}

/** Runs when a printer on a cable comes or goes, until the answer is called. */
export function onPrintersChanged(changed: () => void): () => void {
  const sources = [navigator.usb, navigator.serial] as (EventTarget | undefined)[]
  const each = (act: 'addEventListener' | 'removeEventListener') => {
    for (const source of sources) for (const event of ['connect', 'disconnect']) source?.[act](event, changed)
  }
  each('addEventListener')
  return () => each('removeEventListener')
}

/**
 * Opened for each receipt and closed behind it: nothing has to be known of the printer in between, and another tab can print too.
 * `baud` is for serial ports. Throws a PrinterFailure.
 */
export async function writeToPrinter(printer: Printer, bytes: Uint8Array<ArrayBuffer>, baud: number): Promise<void> {
  switch (printer.by) {
    case 'usb':
      return writeUsb(await here(findUsb(printer)), bytes)
    case 'serial':
      return writeSerial(await here(findSerial(printer)), bytes, baud)
    case 'bluetooth':
      return writeBluetooth(await here(findBluetooth(printer)), bytes)
  }
}

async function here<D>(found: Promise<D | undefined>): Promise<D> {
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

/** Printers without a serial number are told apart by nothing: of two alike it is the first. */
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
    // Older browsers do not say, and list only what is connected.
    return port.connected !== false && identity.vendorId === vendorId && identity.productId === productId
  })
}

const SERVICES = Object.keys(BLUETOOTH_PRINTING)

/** Epson's mobile printers do not say which services they have before they are connected. */
const BLUETOOTH_FILTERS = [...SERVICES.map((service) => ({ services: [service] })), { namePrefix: 'TM-P' }]

/** Most browsers tell of an allowed Bluetooth device only to the page in which it was chosen. */
const chosenBluetooth = new Map<string, BluetoothDevice>()

async function findBluetooth({ id }: Bluetooth): Promise<BluetoothDevice | undefined> {
  const allowed = async () => (await navigator.bluetooth?.getDevices?.().catch(() => [])) ?? []
  return chosenBluetooth.get(id) ?? (await allowed()).find((device) => device.id === id)
}
