const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))

let shown: () => void
/** Settles when the first screen stands and the browser has nothing better to do: from then on the rest may be loaded. */
export const firstScreen = new Promise<void>((resolve) => {
  shown = resolve
})

export const firstScreenRendered = (): void => void whenIdle(() => shown())
