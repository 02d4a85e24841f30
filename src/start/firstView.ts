import type { Auth } from '../state/auth.ts'
import type { shell } from '../state/shell.ts'

/** Reads a row of the local storage; `null` if there is no row, or no storage. */
export type ReadRow = (key: string) => string | null

/** The address of the visit, and if a changed password led to the login. */
export interface Visit {
  pathname: string
  search: string
  passwordChanged: boolean
}

/**
 * Chooses one of the first screens that are drawn in the HTML, and fills in the visitor's texts. In doubt it chooses none: the
 * app comes in a moment, and no visitor may see another user's screen.
 */
export function chooseView(first: Element, readRow: ReadRow, visit: Visit): Element | undefined {
  try {
    const user = loggedInUser(readRow, Date.now())
    const ui = read<typeof shell>(readRow, 'ui')
    if (!/^\/login\/?$/.test(visit.pathname)) return user ? chooseFrame(first, user, ui, visit.pathname) : undefined
    return user ? undefined : chooseLogin(first, ui, visit)
  } catch {
    // Other code wrote into the storage.
    return undefined
  }
}

const read = <T>(readRow: ReadRow, key: string) => (JSON.parse(readRow(key) ?? 'null') ?? {}) as Partial<T>

/** Returns the user who is logged in and has not been idle for too long. */
export function loggedInUser(readRow: ReadRow, now: number): Auth['user'] {
  const { session, user } = read<Auth>(readRow, 'auth')
  const idleMs = now - Number(readRow('last-action'))
  return session && read<Auth>(readRow, 'token').token && idleMs < session.idle_seconds * 1000 ? (user ?? null) : null
}

function chooseLogin(first: Element, ui: Partial<typeof shell>, { search, passwordChanged }: Visit) {
  const query = new URLSearchParams(search)
  const hasOtherLogin = query.get('multiLogin') === '1'
  if (query.has('step') || passwordChanged || (ui.successRegisterMessage && !hasOtherLogin)) return undefined
  const kind = query.get('as') === 'pos' ? 'pos' : 'merchant'
  const views = [...first.querySelectorAll('template')].map(({ content }) => content.firstElementChild as HTMLElement)
  const view = views.find(({ dataset }) => dataset['view'] === kind)
  if (!view) return undefined
  if (!hasOtherLogin) view.querySelector('[data-notice]')?.remove()
  else if (ui.multiLoginMessage) fillTexts(view, { notice: ui.multiLoginMessage })
  return view
}

function chooseFrame(first: Element, user: NonNullable<Auth['user']>, ui: Partial<typeof shell>, pathname: string) {
  const { type, status } = user
  const view = first.querySelector('[data-view=app]')
  if (!view || type === 'POS User' || (type === 'HRP Merchant' && status !== 'Active')) return undefined
  fillTexts(view, { account: user.branch_name ?? user.organisation_name ?? '', type })
  for (const item of view.querySelectorAll(`[data-without*="${type}"]`)) item.remove()
  const menu = view.querySelector('nav[aria-label=Main]')
  for (const link of menu?.querySelectorAll('a') ?? []) {
    if (`${pathname}/`.startsWith(`${link.pathname}/`)) link.setAttribute('aria-current', 'page')
  }
  if (ui.isSidebarOpen === false) {
    menu?.remove()
    view.firstElementChild?.setAttribute('data-folded', '')
  }
  return view
}

function fillTexts(view: Element, texts: Record<string, string>) {
  for (const [what, text] of Object.entries(texts)) view.querySelector(`[data-say=${what}]`)!.textContent = text
}

/** True if one of `paths` is the open one. `$` stands for any one part of a path. */
export function isOneOf(paths: string, pathname: string): boolean {
  const open = pathname.split('/')
  return paths.split(' ').some((path) => {
    const parts = path.split('/')
    return parts.length === open.length && parts.every((part, at) => part === '$' || part === open[at])
  })
}
