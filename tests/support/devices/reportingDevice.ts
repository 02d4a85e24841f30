import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { DEVICE_REPORT_HEADER, type DeviceReport, type PublicKey } from '../../../src/contract/devices/deviceReports.ts'

export async function makeDeviceKey(): Promise<{ publicKey: PublicKey; privateKey: CryptoKey }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const { kty, crv, x, y } = await exportJWK(publicKey)
  return { publicKey: { kty, crv, x, y } as PublicKey, privateKey }
}

/** A report as a till sends it. */
export async function signedReport(privateKey: CryptoKey, report: DeviceReport): Promise<Record<string, string>> {
  const payload = new TextEncoder().encode(JSON.stringify(report))
  return {
    [DEVICE_REPORT_HEADER]: await new CompactSign(payload).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
  }
}
