import { useEffect, useEffectEvent } from 'react'

/** Those that listen, the top layer last. */
const layers: symbol[] = []

/**
 * Escape leaves, wherever the focus is: after a scan nothing has it. Only the top layer is left: a dialog or a menu over it has used the
 * key, and says so.
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
