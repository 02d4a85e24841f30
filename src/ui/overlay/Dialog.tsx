import * as Radix from '@radix-ui/react-dialog'
import {
  useCallback,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Actions } from '../Button.tsx'
import { useRootClass } from '../useRootClass.ts'

interface DialogProps {
  open: boolean
  /** Called for Escape and the dismiss button. A press on the scrim does not close, because it may be a slip. */
  onClose: () => void
  /** The question. */
  title: string
  /** True for a dialog that needs an answer, which a screen reader says. */
  alert?: boolean
  /** The dismiss button first, the action last: the action is at the right, or on top on a phone. Left out if the children have buttons. */
  actions?: ReactNode
  /** The default is the first field of a form. */
  initialFocus?: RefObject<HTMLElement | null>
  /** The children scroll between title and buttons. They are no description, because a screen reader would read them out whole on opening. */
  hasLongContent?: boolean
  children: ReactNode
}

/** A dialog, 448 px wide. Dialogs are never stacked. It does not use Radix's Overlay, which injects a <style> that the CSP refuses. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, alert, actions, initialFocus, hasLongContent, children } = props
  const focusHandlers = useReturnFocus((content) =>
    initialFocus ? initialFocus.current : content.querySelector<HTMLElement>(FIRST_FIELD),
  )
  const [region, isScrollable] = useIsScrollable()
  useRootClass('has-dialog', open)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Scrim look="middle" role="presentation" onMouseDown={keepFocus}>
          <Radix.Content
            className={`grid w-[min(28rem,100%)] animate-rise gap-3 rounded-3 border border-border bg-surface-raised p-6 outline-none [box-shadow:var(--shadow-2)] ${hasLongContent ? LONG_CONTENT_ROWS : ''}`}
            role={alert ? 'alertdialog' : 'dialog'}
            onInteractOutside={(event) => event.preventDefault()}
            {...(hasLongContent ? { 'aria-describedby': undefined } : {})}
            {...focusHandlers}
          >
            <Radix.Title className="text-xl tracking-[-0.01em]">{title}</Radix.Title>
            {hasLongContent ? (
              <div
                ref={region}
                className="-mx-6 overflow-y-auto overscroll-contain px-6 py-1"
                {...(isScrollable && { tabIndex: 0, role: 'group', 'aria-label': title })}
              >
                <div>{children}</div>
              </div>
            ) : (
              <Radix.Description asChild>
                <div className="grid gap-3 *:[p]:text-base *:[ul]:list-disc *:[ul]:pl-5 *:[ul]:leading-6">
                  {children}
                </div>
              </Radix.Description>
            )}
            {actions && <DialogActions>{actions}</DialogActions>}
          </Radix.Content>
        </Scrim>
      </Radix.Portal>
    </Radix.Root>
  )
}

const FIRST_FIELD = 'input:not([hidden]), select, textarea'

/** The content scrolls between the title and the buttons. The inset leaves room for the focus rings. */
const LONG_CONTENT_ROWS = 'grid-rows-[auto_minmax(0,1fr)_auto] max-h-[calc(100dvh-2rem-var(--keyboard,0px))]'

const SCRIMS = {
  middle: 'animate-fade place-items-center overflow-y-auto bg-scrim p-4',
  top: 'animate-fade items-start justify-items-center overflow-hidden bg-scrim p-4 pt-[12vh] phone:p-2',
  left: 'animate-fade items-stretch justify-items-start overflow-hidden bg-scrim',
} as const

/** Covers the page and places its content. It is above the toasts, which would cover the buttons on a phone. */
export const Scrim = ({ look, ...rest }: { look: keyof typeof SCRIMS } & ComponentPropsWithoutRef<'div'>) => (
  <div {...rest} className={`pointer-events-auto fixed inset-[0_0_var(--keyboard,0px)] z-20 grid ${SCRIMS[look]}`} />
)

/** On a phone the buttons have the full width, and the action is on top. A low window has no room for that. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Actions className="mt-3 justify-end phone:high:flex-col-reverse phone:high:*:not-[span]:w-full">{children}</Actions>
)

/**
 * True if a region has more content than it shows. It then needs a `tabIndex`, so that keys can scroll it: the dialog's focus
 * trap skips a region that is focusable only because the browser made it so.
 */
function useIsScrollable() {
  const [isScrollable, setScrollable] = useState(false)
  const region = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setScrollable(element.scrollHeight > element.clientHeight))
    for (const box of [element, ...element.children]) observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return [region, isScrollable] as const
}

/** Keeps the focus in the dialog after a press beside it. */
function keepFocus(event: MouseEvent) {
  if (event.target === event.currentTarget) event.preventDefault()
}

/**
 * The element that gets the focus back after the last opened dialog. A dialog that replaces another one needs it: no element has
 * the focus then, because the first dialog is gone and its `onCloseAutoFocus` comes a moment later.
 */
let lastOpener: Element | null = null

/** Returns handlers for a Radix content that is opened without its own Trigger: the library would not return the focus. */
export function useReturnFocus(initial?: (content: HTMLElement) => HTMLElement | null) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      const focused = document.activeElement
      opener.current = focused === document.body ? lastOpener : focused
      lastOpener = opener.current
      const first = initial?.(event.currentTarget as HTMLElement)
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (lastOpener === opener.current) lastOpener = null
      // A link in the dialog has opened a page, which has the focus now.
      if (document.activeElement !== document.body) return
      if (opener.current instanceof HTMLElement && opener.current.isConnected) return opener.current.focus()
      // A dialog that a page opens by itself has no opener: reading goes on at the title of the page.
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    },
  }
}
