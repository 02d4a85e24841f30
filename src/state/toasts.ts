import { proxy } from 'valtio/vanilla'

export interface ToastItem {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  action?: { label: string; run: () => void }
  /** Closable unless disabled (rule 16.6). */
  closable: boolean
}

/** Long enough to read twice; failures stay until closed. */
const LIFE_MS = 6000

export const toasts = proxy<{ items: ToastItem[] }>({ items: [] })
let nextId = 1

/** `stays` until it is closed: failures do, and what comes when nobody may be at the screen. */
type NewToast = Omit<ToastItem, 'id' | 'closable'> & { closable?: boolean; stays?: boolean }

export function showToast(toast: NewToast): number {
  const id = nextId++
  const { stays = toast.tone === 'danger' || toast.closable === false, ...shown } = toast
  toasts.items.push({ closable: true, ...shown, id })
  if (!stays) setTimeout(() => closeToast(id), LIFE_MS)
  return id
}

/** Says something else in the same place. False when it was closed. */
export function changeToast(id: number, changes: Pick<ToastItem, 'tone' | 'text' | 'action'>): boolean {
  const toast = toasts.items.find((item) => item.id === id)
  if (toast) Object.assign(toast, changes)
  return toast !== undefined
}

export function closeToast(id: number): void {
  toasts.items = toasts.items.filter((toast) => toast.id !== id)
}

/** All that a person could close, but for the one that is `kept`. */
export function closeToasts(kept?: number): void {
  toasts.items = toasts.items.filter(({ closable, id }) => !closable || id === kept)
}
