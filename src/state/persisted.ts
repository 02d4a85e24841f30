import * as v from 'valibot'

/**
 * Reads a stored row through its schema; a row of another shape counts as missing. The browser may forbid storage altogether
 * (private windows): the portal then runs without it.
 */
export function readStored<S extends v.GenericSchema>(key: string, schema: S): v.InferOutput<S> | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key) ?? 'null'))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/** Returns true if the row is stored. It is written at once, never batched: a refresh in another tab re-reads storage inside its lock. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    // Full or forbidden storage must not stop a user from logging in; the tab keeps its state in memory.
    return false
  }
}

/** Calls `changed` when another tab wrote or removed the key. */
export function onStoredElsewhere(key: string, changed: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) changed()
  })
}
