import { USER_TYPES } from '../src/contract/accounts/permissions.ts'
import { moreOf, sidebarOf } from '../src/domain/sidebar.ts'
import { MULTI_LOGIN_MESSAGE } from '../src/features/accounts/login/submitLogin.ts'

/**
 * The markup of a screen before any script: the browser can submit nothing in it. Its fields take typed text and its button takes a
 * press; replaceDrawnScreen passes both on. A field of type email would not tell where its caret is.
 * @throws Error when a field could still be submitted.
 */
export function inertMarkup(drawn: string): string {
  const still = drawn
    .replaceAll(/(<input\b[^>]*?) name="[^"]*"/g, '$1')
    .replaceAll(/(<input\b[^>]*?) type="email"/g, '$1 type="text" inputmode="email"')
    .replaceAll(PLACEHOLDERS.notice, placeFor('notice', MULTI_LOGIN_MESSAGE))
    .replaceAll(/\[\[account]](<\/span><small\b[^>]*>)HRP Merchant/g, `${placeFor('account')}$1${placeFor('type')}`)
    .replaceAll(/<li>(?=<a href="([^"]*)")/g, (_, path: string) => `<li data-without="${typesWithout(path).join()}">`)
  const left = /<input\b[^>]* name=|<button(?![^>]*type=)|<form\b[^>]* action=|\[\[/.exec(still)
  if (left) throw new Error(`a drawn screen can still be submitted, or has a placeholder left: ${left[0]}`)
  return still
}

/** The user types whose sidebar lacks this path (rule 16.5). The frame is drawn for the type that has every path. */
const typesWithout = (path: string) =>
  USER_TYPES.filter(
    (type) =>
      ![...sidebarOf(type), ...moreOf(type)].some((item) =>
        [item, ...(item.children ?? [])].some((one) => one.path === path),
      ),
  )

/** Marks the places where boot.ts puts words that the browser knows and the build does not. */
export const PLACEHOLDERS = { account: '[[account]]', notice: '[[notice]]' }

/** A place for words that the browser fills in, with its text until then. It is a `bdi`, because the design has no rules for that element. */
const placeFor = (what: string, textUntilThen = ''): string => `<bdi data-say="${what}">${textUntilThen}</bdi>`

/** The element around each of the two logins, of which boot.ts shows one. */
export const HELD = 'held-view'

/**
 * Turns the two logins into templates: otherwise the document would have two `main`, each id twice and two fields with the focus.
 * This comes after Beasties has chosen the styles of the first paint, because it does not look into templates.
 */
export const heldInTemplates = (page: string): string =>
  page.replaceAll(new RegExp(`(?<=</?)${HELD}(?=>)`, 'g'), 'template')
