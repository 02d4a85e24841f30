/** `=` or its encoded form `%3D`, which a mail system may have encoded once more: `%253D`. */
const EQUALS = '(?:=|%(?:25)*3d)'
/** A token has 43 characters; anything that a mail system has added after it is ignored. */
const TOKEN = new RegExp(`token${EQUALS}([\\w-]{1,43})`, 'i')
const STEP = new RegExp(`step${EQUALS}(reset|activate|email)(?![a-z])`, 'i')
/** The pages that mailed links open. A `%` after the path is the encoded start of the query or fragment. */
const PAGE = /^\/(login|review)(?=\/?(?:%|$))/

interface Address {
  pathname: string
  search: string
  hash: string
}

/**
 * Restores the address of a mailed link that a mail system has changed: `#` and `?` encoded, the fragment moved into the query or path, or something
 * added at the end. Returns `undefined` if nothing needs to be restored.
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

/** The message of a page that a mailed link has opened without its token. */
export const LINK_INCOMPLETE =
  'The address of this page is incomplete. Perhaps your mail program has changed the link, or the page was loaded again. Copy the whole address from the email into the address bar.'
