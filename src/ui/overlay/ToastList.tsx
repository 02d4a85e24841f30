import { Button } from '../Button.tsx'
import { Icon, type IconName } from '../Icon.tsx'

export interface ToastView {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  icon?: IconName
  action?: { label: string; run: () => void }
  closable: boolean
}

const ICONS: Record<ToastView['tone'], IconName> = { success: 'ok', danger: 'alert', info: 'ok' }

/** Must be in the page from the start: a live region that comes with its first message is not read out. */
export function ToastList({ toasts, onClose }: { toasts: readonly ToastView[]; onClose: (id: number) => void }) {
  return (
    <div className="toasts print:hidden" role="status" aria-live="polite" aria-relevant="additions">
      {toasts.map((toast) => (
        <div className={`toast ${toast.tone}`} key={toast.id} role={toast.tone === 'danger' ? 'alert' : undefined}>
          <Icon name={toast.icon ?? ICONS[toast.tone]} />
          {/* Other words are another element: only what is added is read out. */}
          <span className="min-w-0 wrap-anywhere whitespace-pre-line" key={toast.text}>
            {toast.text}
          </span>
          {toast.action && (
            <Button variant="quiet" onClick={toast.action.run}>
              {toast.action.label}
            </Button>
          )}
          {toast.closable && (
            <Button variant="icon" className="close" aria-label="Close" onClick={() => onClose(toast.id)}>
              <Icon name="x" small />
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
