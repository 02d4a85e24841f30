import { proxy } from 'valtio/vanilla'

/**
 * The token of the mailed link this tab was opened with. In memory only: it is worth a password, and must not
 * outlive the tab.
 */
export const mailedLink = proxy<{ token: string | null }>({ token: null })

/** Takes `#token=…` of an address; false when there is none. */
export function takeMailedToken(hash: string): boolean {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token')
  if (token === null) return false
  mailedLink.token = token
  return true
}
