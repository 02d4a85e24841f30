import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { placePopup, useCloseOutside } from './popup.ts'

interface PopupPanelProps {
  id: string
  label: string
  /** Where it hangs. It stands after it in the document, so that Tab goes on from it. */
  anchor: RefObject<HTMLElement | null>
  flush: 'left' | 'right'
  className?: string
  /** By Escape: the focus goes back to the button. */
  onDismiss: () => void
  /** By anything else: the focus is already elsewhere. */
  close: () => void
  children: ReactNode
}

/** A dialog that hangs at its button and leaves the page in use; in the top layer, so that nothing cuts it off. */
export function PopupPanel({ id, label, anchor, flush, className = '', onDismiss, close, children }: PopupPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    panel.current?.showPopover?.()
    const first = panel.current?.querySelector<HTMLElement>('[aria-pressed=true]') ?? panel.current
    first?.focus({ preventScroll: true })
  }, [])
  usePlace(panel, anchor, flush)
  useCloseOutside(panel, anchor, close)
  useCloseByKey(panel, anchor, { onDismiss, close })
  return (
    <div
      className={`fixed inset-auto z-3 max-h-[calc(100dvh-1rem)] max-w-[calc(100vw-1rem)] animate-rise overflow-y-auto rounded-2 border border-border bg-surface-raised text-text outline-none [box-shadow:var(--shadow-1)] ${className}`}
      role="dialog"
      tabIndex={-1}
      id={id}
      aria-label={label}
      popover="manual"
      ref={panel}
    >
      {children}
    </div>
  )
}

/** Also after its content has arrived, and has made it larger. */
function usePlace(
  panel: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  flush: 'left' | 'right',
) {
  useLayoutEffect(() => {
    const [popup, button] = [panel.current, anchor.current]
    if (!popup || !button) return
    placePopup(popup, button, flush)
    const resized = new ResizeObserver(() => placePopup(popup, button, flush))
    resized.observe(popup)
    return () => resized.disconnect()
  }, [panel, anchor, flush])
}

/** Escape, and Tab to somewhere else. */
function useCloseByKey(
  panel: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  { onDismiss, close }: Pick<PopupPanelProps, 'onDismiss' | 'close'>,
) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onDismiss()
  })
  const onFocusOut = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    // Nothing takes the focus when another window is brought to the front.
    if (!(relatedTarget instanceof Node)) return
    if (![panel, anchor].some(({ current }) => current?.contains(relatedTarget))) close()
  })
  useEffect(() => {
    const gone = new AbortController()
    panel.current?.addEventListener('keydown', (event) => onKeyDown(event), { signal: gone.signal })
    panel.current?.addEventListener('focusout', (event) => onFocusOut(event), { signal: gone.signal })
    return () => gone.abort()
  }, [panel])
}
