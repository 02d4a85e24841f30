import { DEVICE_REPORT_HEADER, type DeviceReport } from '../../../src/contract/devices/deviceReports.ts'

/** Returns the header with which a till sends its report. */
export const reportHeader = (report: DeviceReport): Record<string, string> => ({
  [DEVICE_REPORT_HEADER]: JSON.stringify(report),
})
