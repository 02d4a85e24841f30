/**
 * Asks the browser never to clear what the till has taken and not uploaded. Whether it agreed is shown in My day: a device that
 * may be cleared should not be left alone without a line.
 */
export async function askToPersist(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => false)
}

export const isPersisted = (): Promise<boolean> => navigator.storage?.persisted?.() ?? Promise.resolve(false)
