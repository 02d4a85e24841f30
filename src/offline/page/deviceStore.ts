import { DeviceDatabase } from '../store/deviceDatabase.ts'
import { watchDatabase } from '../storage/storageHealth.ts'

let device: DeviceDatabase | undefined

/** The database of whoever holds the device, opened for this tab. */
export const deviceStore = (): DeviceDatabase => (device ??= watchDatabase(new DeviceDatabase()))
