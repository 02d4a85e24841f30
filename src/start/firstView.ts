import type { Auth } from '../state/auth.ts'
import type { shell } from '../state/shell.ts'

/** Reads a row of the local storage; `null` if there is no row, or no storage. */
export type Stored = (key: string) => string | null

/** The address, and if a changed password led to the login. */
export interface Asked {
  pathname: string
  search: string
  passwordChanged: boolean
}

/**
 * Chooses one of the first screens that are drawn in the HTML, and puts the visitor's words into it. In doubt it chooses none: the
 * app comes in a moment, and no visitor sees a screen of others.
 */
export function chooseView(first: Element, stored: Stored, asked: Asked): Element | undefined {
  try {
    const user = loggedInUser(stored, Date.now())
    const ui = read<typeof shell>(stored, 'ui')
    if (!/^\/login\/?$/.test(asked.pathname)) return user ? chooseFrame(first, user, ui, asked.pathname) : undefined
    return user ? undefined : chooseLogin(first, ui, asked)
  } catch {
    // Other code wrote into the storage.
    return undefined
  }
}

const read = <T>(stored: Stored, key: string) => (JSON.parse(stored(key) ?? 'null') ?? {}) as Partial<T>

/** Returns the user who is logged in and has not been idle for too long. */
export function loggedInUser(stored: Stored, now: number): Auth['user'] {
  const { session, user } = read<Auth>(stored, 'auth')
  const idleMs = now - Number(stored('last-action'))
  return session && read<Auth>(stored, 'token').token && idleMs < session.idle_seconds * 1000 ? (user ?? null) : null
}

function chooseLogin(first: Element, ui: Partial<typeof shell>, { search, passwordChanged }: Asked) {
  const asked = new URLSearchParams(search)
  const wasOusted = asked.get('multiLogin') === '1'
  if (asked.has('step') || passwordChanged || (ui.successRegisterMessage && !wasOusted)) return undefined
  const kind = asked.get('as') === 'pos' ? 'pos' : 'merchant'
  const views = [...first.querySelectorAll('template')].map(({ content }) => content.firstElementChild as HTMLElement)
  const view = views.find(({ dataset }) => dataset['view'] === kind)
  if (!view) return undefined
  if (!wasOusted) view.querySelector('[data-notice]')?.remove()
  else if (ui.multiLoginMessage) say(view, { notice: ui.multiLoginMessage })
  return view
}

function chooseFrame(first: Element, user: NonNullable<Auth['user']>, ui: Partial<typeof shell>, pathname: string) {
  const { type, status } = user
  const view = first.querySelector('[data-view=app]')
  if (!view || type === 'POS User' || (type === 'HRP Merchant' && status !== 'Active')) return undefined
  say(view, { account: user.branch_name ?? user.organisation_name ?? '', type })
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

function say(view: Element, words: Record<string, string>) {
  for (const [what, text] of Object.entries(words)) view.querySelector(`[data-say=${what}]`)!.textContent = text
}

/** Returns true if one of these paths is the open one; `$` is any part of it. */
export function isOneOf(paths: string, pathname: string): boolean {
  const open = pathname.split('/')
  return paths.split(' ').some((path) => {
    const parts = path.split('/')
    return parts.length === open.length && parts.every((part, at) => part === '$' || part === open[at])
  })
}
