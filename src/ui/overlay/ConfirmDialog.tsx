import { useRef, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { ExactSentence } from '../ExactSentence.tsx'
import { Dialog } from './Dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  /** The question. */
  title: string
  consequence: ReactNode
  /** The label of the action: "Deactivate branch", not "OK". Without it the dialog can only be dismissed. */
  act: string | undefined
  /** The label of a second action. */
  secondary?: string | undefined
  dismiss: string
  destructive: boolean
  approving?: boolean | undefined
  onAnswer: (answer: 'act' | 'secondary' | 'dismiss') => void
}

/** A question with its answers. The first focus is on the action, or on the dismiss button if the action destroys something. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, consequence, act, secondary, dismiss, destructive, approving, onAnswer } = props
  const actButton = useRef<HTMLButtonElement>(null)
  const dismissButton = useRef<HTMLButtonElement>(null)
  const actions = (
    <>
      <Button ref={dismissButton} onClick={() => onAnswer('dismiss')}>
        {dismiss}
      </Button>
      {secondary && <Button onClick={() => onAnswer('secondary')}>{secondary}</Button>}
      {act && (
        <Button
          ref={actButton}
          variant={destructive ? 'reject' : approving ? 'approve' : 'primary'}
          onClick={() => onAnswer('act')}
        >
          {act}
        </Button>
      )}
    </>
  )
  return (
    <Dialog
      open={open}
      title={title}
      actions={actions}
      alert
      onClose={() => onAnswer('dismiss')}
      initialFocus={destructive || !act ? dismissButton : actButton}
    >
      {typeof consequence === 'string' ? (
        <p>
          <ExactSentence text={consequence} />
        </p>
      ) : (
        consequence
      )}
    </Dialog>
  )
}
