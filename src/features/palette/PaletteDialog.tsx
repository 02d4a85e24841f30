import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { useReturnFocus } from '../../ui/useReturnFocus.ts'

interface PaletteDialogProps {
  title: string
  initialFocus: RefObject<HTMLElement | null>
  onClose: () => void
  children: ReactNode
}

/** A dialog that is a list: near the top, of one height, and a press beside it closes, for there is nothing to lose. */
export function PaletteDialog({ title, initialFocus, onClose, children }: PaletteDialogProps) {
  const focus = useReturnFocus(() => initialFocus.current)
  useRootClass('has-dialog')
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="scrim palette-scrim">
          <Radix.Content className="palette" aria-describedby={undefined} {...focus}>
            <Radix.Title className="hide">{title}</Radix.Title>
            {children}
            <Button variant="icon" className="palette-close" aria-label="Close" onClick={onClose}>
              <Icon name="x" />
            </Button>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
