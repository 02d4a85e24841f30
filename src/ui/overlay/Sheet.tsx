import * as Radix from '@radix-ui/react-dialog'
import { useEffect, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import type { Elements } from '../Elements.ts'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { useRootClass } from '../useRootClass.ts'
import { Scrim, useReturnFocus } from './Dialog.tsx'

interface SheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: Elements
}

/** The sidebar of a narrow window: 280 px wide, from the left, over the scrim. */
export function Sheet({ open, onClose, title, children }: SheetProps) {
  const focus = useReturnFocus()
  useRootClass('has-dialog', open)
  useCloseWhenWide(open, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Scrim look="left">
          <Radix.Content
            className="h-full w-[min(17.5rem,calc(100%-3rem))] animate-slide overflow-y-auto overscroll-contain border-r border-border bg-surface-sunken pl-[env(safe-area-inset-left)] outline-none [box-shadow:var(--shadow-2)]"
            aria-describedby={undefined}
            {...focus}
          >
            <header className="flex min-h-header items-center justify-between border-b border-border bg-surface pr-2 pl-5">
              <Radix.Title>{title}</Radix.Title>
              <Button variant="icon" aria-label="Close" onClick={onClose}>
                <Icon drawing={ICONS.x} />
              </Button>
            </header>
            {children}
          </Radix.Content>
        </Scrim>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Closes the sheet when a rotated tablet has room for the sidebar, which shows the same. */
function useCloseWhenWide(open: boolean, onClose: () => void) {
  useEffect(() => {
    if (!open) return
    const wide = matchMedia('(min-width: 64em)')
    const close = () => wide.matches && onClose()
    close()
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [open, onClose])
}
