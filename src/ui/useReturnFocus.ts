import { useRef } from 'react'

/**
 * Handlers for a Radix content that is opened from outside: without a Trigger of its own the library gives the focus back to
 * nobody.
 */
export function useReturnFocus(initial?: () => HTMLElement | null | undefined) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement
      const first = initial?.()
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
    },
  }
}
