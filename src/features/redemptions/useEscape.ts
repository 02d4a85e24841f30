import { useEffect, useEffectEvent } from 'react'

/** The layers that listen for Escape, the top layer last. */
const layers: symbol[] = []

/**
 * Calls `leave` on Escape if this is the top layer. The focus may be anywhere, since nothing has it after a scan. A dialog or
 * menu above uses up the key first.
 */
export function useEscape(leave: (() => void) | undefined): void {
  const isActive = leave !== undefined
  const pressed = useEffectEvent((event: KeyboardEvent, layer: symbol) => {
    if (event.key === 'Escape' && !event.defaultPrevented && layers.at(-1) === layer) leave?.()
  })
  useEffect(() => {
    if (!isActive) return undefined
    const layer = Symbol('layer')
    layers.push(layer)
    const listen = (event: KeyboardEvent) => pressed(event, layer)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
      layers.splice(layers.indexOf(layer), 1)
    }
  }, [isActive])
}
