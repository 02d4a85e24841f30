import { proxy } from 'valtio/vanilla'

export interface ToastItem {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  action?: { label: string; run: () => void }
  /** False if the user may not close it; otherwise true (rule 16.6). */
  closable: boolean
}

/** A toast is shown long enough to be read twice. Failures stay until closed. */
const LIFE_MS = 6000

export const toasts = proxy<{ items: ToastItem[] }>({ items: [] })
let nextId = 1

/** `stays`: the toast stays until it is closed. The default is true for failures, and for toasts that the user may not close. */
type NewToast = Omit<ToastItem, 'id' | 'closable'> & { closable?: boolean; stays?: boolean }

export function showToast(toast: NewToast): number {
  const id = nextId++
  const { stays = toast.tone === 'danger' || toast.closable === false, ...shown } = toast
  toasts.items.push({ closable: true, ...shown, id })
  if (!stays) setTimeout(() => closeToast(id), LIFE_MS)
  return id
}

/** Changes the text of a toast in place. Returns false if it was closed. */
export function changeToast(id: number, changes: Pick<ToastItem, 'tone' | 'text' | 'action'>): boolean {
  const toast = toasts.items.find((item) => item.id === id)
  if (toast) Object.assign(toast, changes)
  return toast !== undefined
}

export function closeToast(id: number): void {
  toasts.items = toasts.items.filter((toast) => toast.id !== id)
}

/** Closes all toasts that the user could close, except the one with the id `exceptId`. */
export function closeToasts(exceptId?: number): void {
  toasts.items = toasts.items.filter(({ closable, id }) => !closable || id === exceptId)
}
