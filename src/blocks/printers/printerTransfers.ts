/// <reference types="w3c-web-usb" />
/// <reference types="w3c-web-serial" />
/// <reference types="web-bluetooth" />
import { within } from '../../domain/within.ts'
import { PrinterFailure, type PrinterFailureCode } from './PrinterFailure.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What USB calls printers, whoever made them. */
export const USB_PRINTER_CLASS = 7

/** Throws a PrinterFailure. */
export async function writeUsb(device: USBDevice, bytes: Bytes): Promise<void> {
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
    await device.close().catch(nothing)
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
export async function writeSerial(port: SerialPort, bytes: Bytes, baudRate: number): Promise<void> {
  await failingAs('PRINTER_BUSY', port.open({ baudRate }))
  const writer = port.writable!.getWriter()
  try {
    await inPieces(bytes, 512, (piece) => writer.write(piece))
    // What the system has taken may not have left yet.
    await inTime(writer.close())
    writer.releaseLock()
    await port.close().catch(nothing)
  } catch (failure) {
    // Neither is waited for: a printer that is stuck may hold up both.
    void writer.abort().catch(nothing)
    writer.releaseLock()
    void port.close().catch(nothing)
    throw failure
  }
}

/** The services through which receipt printers take their bytes, and the characteristic of each. */
export const BLUETOOTH_PRINTING = {
  '000018f0-0000-1000-8000-00805f9b34fb': '00002af1-0000-1000-8000-00805f9b34fb',
  '49535343-fe7d-4ae5-8fa9-9fafd205e455': '49535343-8841-43f4-a8d4-ecbe34729bb3',
} as const

/** Stays connected: to connect takes seconds, and the last bytes may still be on their way. Throws a PrinterFailure. */
export async function writeBluetooth({ gatt }: BluetoothDevice, bytes: Bytes): Promise<void> {
  const server = await failingAs('PRINTER_GONE', inTime(gatt!.connect()))
  const services = await failingAs('PRINTER_GONE', server.getPrimaryServices())
  const service = services.find(({ uuid }) => uuid in BLUETOOTH_PRINTING)
  if (!service) throw new PrinterFailure('PRINTER_UNKNOWN')
  const uuid = BLUETOOTH_PRINTING[service.uuid as keyof typeof BLUETOOTH_PRINTING]
  const characteristic = await failingAs('PRINTER_GONE', service.getCharacteristic(uuid))
  // As many bytes as every printer takes at once.
  await inPieces(bytes, 100, (piece) =>
    characteristic.properties.write
      ? characteristic.writeValueWithResponse(piece)
      : characteristic.writeValueWithoutResponse(piece),
  )
}

const nothing = () => undefined

const failingAs = <T>(code: PrinterFailureCode, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw cause instanceof PrinterFailure ? cause : new PrinterFailure(code, cause)
  })

async function inPieces(bytes: Bytes, size: number, write: (piece: Bytes) => Promise<unknown>) {
  for (let start = 0; start < bytes.length; start += size) {
    await failingAs('PRINTER_GONE', inTime(write(bytes.slice(start, start + size))))
  }
}

/** A printer without paper takes nothing, and says nothing either. */
const TAKES_AT_MOST_MS = 10_000

const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(TAKES_AT_MOST_MS, work, () => {
    throw new PrinterFailure('PRINTER_STUCK')
  })
