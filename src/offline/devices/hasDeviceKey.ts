// Apart from the key and its database: every call of every page asks this.

const STORED = 'device-key'

/** Whether this device has made a key. Where storage is forbidden there is none. */
export function hasDeviceKey(): boolean {
  try {
    return localStorage.getItem(STORED) !== null
  } catch {
    return false
  }
}

/** From now on all tabs of this browser prove it with their calls. */
export function noteDeviceKey(): void {
  try {
    if (!hasDeviceKey()) localStorage.setItem(STORED, 'made')
  } catch {
    // Full: the key is noted with the next report. Until then sessions belong to no device.
  }
}
