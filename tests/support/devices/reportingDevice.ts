import { DEVICE_REPORT_HEADER, type DeviceReport } from '../../../src/contract/devices/deviceReports.ts'

/** A report as a till sends it. */
export const reportHeader = (report: DeviceReport): Record<string, string> => ({
  [DEVICE_REPORT_HEADER]: JSON.stringify(report),
})
