import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'sounds'

export const VOLUMES = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const

export type Volume = (typeof VOLUMES)[number]['value']

const Setting = v.object({
  /** Tones, vibration and voice together. */
  on: v.boolean(),
  volume: v.picklist(VOLUMES.map(({ value }) => value)),
  /** A voice of this device says each verdict. */
  voice: v.boolean(),
})

type Setting = v.InferOutput<typeof Setting>

const DEFAULTS: Setting = { on: true, volume: 'medium', voice: false }

/** How the counter sounds on this device, whoever uses it: it stays when somebody logs out. */
export const sounds = proxy<Setting>(readStored(KEY, Setting) ?? { ...DEFAULTS })

onStoredElsewhere(KEY, () => Object.assign(sounds, DEFAULTS, readStored(KEY, Setting)))

export function changeSounds(next: Partial<Setting>): void {
  Object.assign(sounds, next)
  writeStored(KEY, sounds)
}
