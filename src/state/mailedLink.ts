import { proxy } from 'valtio/vanilla'

/**
 * The token of the mailed link this tab was opened with. In memory only: it is as good as a password and must not
 * outlive the tab.
 */
export const mailedLink = proxy<{ token: string | null }>({ token: null })

/**
 * The token of the link that the provider's desk was mailed. Apart from the other token: neither may be used for the other's purpose. `opened`
 * counts how often: the same link pressed again asks what became of it meanwhile.
 */
export const reviewLink = proxy<{ token: string | null; opened: number }>({ token: null, opened: 0 })

/** Takes `#token=…` of an address; false when there is none. */
export const storeMailedToken = (hash: string): boolean => storeToken(hash, mailedLink)

/** The same for /review. */
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
