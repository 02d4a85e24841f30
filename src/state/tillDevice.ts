import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const DEVICE_KEY = 'till-device'

/** This device at the counter: a random id for life, and the name it has at each branch that it served. */
const Device = v.object({ guid: v.string(), names: v.record(v.string(), v.string()) })
type Device = v.InferOutput<typeof Device>

export const tillDevice = proxy<Device>(readStored(DEVICE_KEY, Device) ?? { guid: crypto.randomUUID(), names: {} })

onStoredElsewhere(DEVICE_KEY, () => Object.assign(tillDevice, readStored(DEVICE_KEY, Device) ?? tillDevice))

/** The server knows this device by this name at `branch` now. */
export function tillNamed(branch: string, name: string): void {
  tillDevice.names = { ...tillDevice.names, [branch]: name }
  writeStored(DEVICE_KEY, tillDevice)
}
