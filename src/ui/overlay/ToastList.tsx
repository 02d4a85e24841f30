import { Button } from '../Button.tsx'
import { ExactSentence } from '../ExactSentence.tsx'
import { Icon, type Drawing } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { useFootLayer } from '../useRootClass.ts'

export interface ToastView {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  action?: { label: string; run: () => void }
  closable: boolean
}

const ICON_OF_TONE: Record<ToastView['tone'], Drawing> = { success: ICONS.ok, danger: ICONS.alert, info: ICONS.bell }

const ICON_COLOURS: Record<ToastView['tone'], string> = {
  success: 'text-success-text',
  danger: 'text-danger-text',
  info: '',
}

/** Must be in the page from the start: a live region that comes with its first message is not read out. */
export function ToastList({ toasts, onClose }: { toasts: readonly ToastView[]; onClose: (id: number) => void }) {
  return (
    <div
      ref={useFootLayer('toasts')}
      className="pointer-events-none fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(max(1rem,env(safe-area-inset-bottom))+var(--keyboard,0px)+var(--bar,0px)+var(--prompt,0px))] left-[max(1rem,env(safe-area-inset-left))] z-10 grid gap-3 print:hidden"
      role="status"
      aria-live="polite"
      aria-relevant="additions"
    >
      {toasts.map((toast) => (
        <div
          className="pointer-events-auto flex min-h-12 w-[min(26rem,100%)] animate-rise items-center gap-3 rounded-2 border border-border bg-surface-raised py-2 pr-2 pl-4 phone:text-sm [box-shadow:var(--shadow-1)]"
          key={toast.id}
          role={toast.tone === 'danger' ? 'alert' : undefined}
          data-toast
        >
          <Icon drawing={ICON_OF_TONE[toast.tone]} className={ICON_COLOURS[toast.tone]} />
          {/* A changed text is a new element: a screen reader reads only what was added. */}
          <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-line" key={toast.text}>
            <ExactSentence text={toast.text} />
          </span>
          {toast.action && (
            <Button variant="quiet" onClick={toast.action.run}>
              {toast.action.label}
            </Button>
          )}
          {toast.closable && (
            <Button variant="icon" aria-label="Close" onClick={() => onClose(toast.id)}>
              <Icon drawing={ICONS.x} small />
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
