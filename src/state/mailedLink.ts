import { proxy } from 'valtio/vanilla'

/** The token of the mailed link that opened this tab. It is only in memory: it is as good as a password and must not outlive the tab. */
export const mailedLink = proxy<{ token: string | null }>({ token: null })

/**
 * The token of the link that was mailed to the provider's desk. It is separate, so that neither token is used for the purpose of
 * the other one. `opened` counts how often the link was opened: the page then asks for the current state again.
 */
export const reviewLink = proxy<{ token: string | null; opened: number }>({ token: null, opened: 0 })

/** The code of the manager's link that makes this device a till. */
export const enrolmentLink = proxy<{ token: string | null; opened: number }>({ token: null, opened: 0 })

/** Takes `#token=…` from an address; returns false if there is none. */
export const storeMailedToken = (hash: string): boolean => storeToken(hash, mailedLink)

/** Takes the token from an address of /review; returns false if there is none. */
export const storeReviewToken = (hash: string): boolean => storeOpened(hash, reviewLink)

/** Takes the code from an address of /enrol; returns false if there is none. */
export const storeEnrolmentCode = (hash: string): boolean => storeOpened(hash, enrolmentLink)

function storeOpened(hash: string, link: { token: string | null; opened: number }): boolean {
  if (!storeToken(hash, link)) return false
  link.opened += 1
  return true
}

function storeToken(hash: string, link: { token: string | null }): boolean {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token')
  if (token === null) return false
  Object.assign(link, { token })
  return true
}
