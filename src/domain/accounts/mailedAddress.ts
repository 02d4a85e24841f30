/** The sign `%3D`, which a mail system may have encoded once more: `%253D`. */
const EQUALS = '(?:=|%(?:25)*3d)'
/** A token has 43 signs; what a mail system has put behind it is not of it. */
const TOKEN = new RegExp(`token${EQUALS}([\\w-]{1,43})`, 'i')
const STEP = new RegExp(`step${EQUALS}(reset|activate|email)(?![a-z])`, 'i')
/** Encoded logs in the path are the query and the fragment of before. */
const PAGE = /^\/(login|review)(?=\/?(?:%|$))/

interface Address {
  pathname: string
  search: string
  hash: string
}

/**
 * The address of a mailed link as the mail had it, where a mail system has changed it on its way: `#` and `?` encoded, the fragment made
 * a part of the query or path, something put behind it. `undefined` when there is nothing to mend.
 */
export function mendMailedAddress({ pathname, search, hash }: Address): string | undefined {
  const [page] = PAGE.exec(pathname) ?? []
  if (page === undefined) return undefined
  const address = pathname + search + hash
  const step = page === '/login' ? STEP.exec(address)?.[1] : undefined
  const token = TOKEN.exec(address)?.[1]
  const isPathWhole = /^\/\w+\/?$/.test(pathname)
  if (step === undefined && token === undefined && isPathWhole) return undefined
  const mended = [page, step && `?step=${step.toLowerCase()}`, token && `#token=${token}`].filter(Boolean).join('')
  return mended === address ? undefined : mended
}

/** Why a page of a mailed link has no token, and what to do. */
export const LINK_INCOMPLETE =
  'The address of this page is incomplete. Perhaps your mail program has changed the link, or the page was loaded again. Copy the whole address from the email into the address bar.'
