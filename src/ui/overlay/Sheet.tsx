import * as Radix from '@radix-ui/react-dialog'
import { useEffect, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Icon } from '../Icon.tsx'
import { useRootClass } from '../useRootClass.ts'
import { useReturnFocus } from './Dialog.tsx'

interface SheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** The sidebar where there is no room for one: 280 wide, from the left, over the scrim. */
export function Sheet({ open, onClose, title, children }: SheetProps) {
  const focus = useReturnFocus()
  useRootClass('has-dialog', open)
  useCloseWhenWide(open, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="scrim sheet-scrim">
          <Radix.Content className="sheet" aria-describedby={undefined} {...focus}>
            <header>
              <Radix.Title>{title}</Radix.Title>
              <Button variant="icon" aria-label="Close" onClick={onClose}>
                <Icon name="x" />
              </Button>
            </header>
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A turned tablet gets its sidebar back; the sheet would show the same thing twice. */
function useCloseWhenWide(open: boolean, onClose: () => void) {
  useEffect(() => {
    if (!open) return
    const wide = matchMedia('(min-width: 1024px)')
    const close = () => wide.matches && onClose()
    close()
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [open, onClose])
}
