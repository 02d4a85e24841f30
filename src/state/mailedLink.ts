import { proxy } from 'valtio/vanilla'

/** The token of the mailed link that opened this tab. It is only in memory: it is as good as a password and must not outlive the tab. */
export const mailedLink = proxy<{ token: string | null }>({ token: null })

/**
 * The token of the link that was mailed to the provider's desk. It is separate, so that neither token is used for the purpose of
 * the other one. `opened` counts how often the link was opened: the page then asks for the current state again.
 */
export const reviewLink = proxy<{ token: string | null; opened: number }>({ token: null, opened: 0 })

/** Takes `#token=…` from an address; returns false if there is none. */
export const storeMailedToken = (hash: string): boolean => storeToken(hash, mailedLink)

/** Takes the token from an address of /review; returns false if there is none. */
export function storeReviewToken(hash: string): boolean {
  if (!storeToken(hash, reviewLink)) return false
  reviewLink.opened += 1
  return true
}

function storeToken(hash: string, link: { token: string | null }): boolean {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token')
  if (token === null) return false
  Object.assign(link, { token })
  return true
}
